// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mutants;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kintsugi.ci.ranks.JmpirunProcess.Ended;
import org.kintsugi.ci.ranks.JmpirunProcess;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/** A proof of a proxy application, some of whose items may not be protected. */
public final class AppProof {
  private static final long LIMIT_SECONDS = 240;
  private static final Pattern CAUGHT = Pattern.compile("after (\\d+) of (\\d+) failures the results differ");
  private static final Pattern ITEMS = Pattern.compile("same results: \\d+ items \\((.*)\\) in");
  private static final Pattern DIFFERENCE =
      Pattern.compile("(?m)^  (differs first: \"[^\"]+\"|a line is missing: [\\w.]+|it ends with "
          + "\\d+|it did not end)");

  private final ProvedApp app;
  private final int failures;
  private final List<String> settings = new ArrayList<>();
  private long seed = 1;

  /** A proof with this number of failures. */
  public AppProof(ProvedApp app, int failures) {
    this.app = app;
    this.failures = failures;
  }

  /** Chooses other moments. */
  public AppProof seed(long other) {
    seed = other;
    return this;
  }

  /** Adds options of the ranks' JVMs. */
  public AppProof settings(String... more) {
    settings.addAll(List.of(more));
    return this;
  }

  /**
   * What a proof has said.
   *
   * @param code its exit code
   * @param output all that it printed
   */
  public record Verdict(int code, String output) {
    /** Whether all failures were outlived with the same results. */
    public boolean isComplete() {
      return code == 0;
    }

    /** Whether a failure, and nothing else, made a difference. */
    public boolean isCaught() {
      return code == 1 && CAUGHT.matcher(output).find();
    }

    /** The items that it found, where nothing differs. */
    List<String> items() {
      Matcher items = ITEMS.matcher(output);
      return items.find() ? Arrays.asList(items.group(1).split(", ")) : List.of();
    }

    @Override
    public String toString() {
      if (isComplete()) {
        return "nothing differs";
      }
      Matcher caught = CAUGHT.matcher(output);
      Matcher difference = DIFFERENCE.matcher(output);
      return caught.find() ? caught.group(1) + " of " + caught.group(2) + (difference.find() ? "; " + difference.group(1) : "")
          : "no verdict, code " + code + ":\n" + output;
    }
  }

  /**
   * Runs it.
   *
   * @param classes those of the ranks
   * @param leftOut the names of the items that are not protected
   */
  public Verdict run(ChangedClasses classes, String... leftOut) throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-mutant-")) {
      List<String> line = new ArrayList<>(RankJob.jmpirun(RankJob.mpiOrSkip()));
      line.addAll(List.of("-n", String.valueOf(app.ranks()), "--prove", "--prove-deaths", String.valueOf(failures),
          "--prove-seed", String.valueOf(seed)));
      line.addAll(app.store());
      line.addAll(settings);
      line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
          "-D" + ChangedClasses.LEFT_OUT + "=" + String.join(",", leftOut), "-cp", classes.classPath(),
          ProvedRank.class.getName(), folder.path().toString(), app.toString()));
      line.addAll(app.arguments());
      Ended ended = JmpirunProcess.run(line, LIMIT_SECONDS);
      return new Verdict(ended.code(), ended.printed());
    }
  }
}
