// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mutants;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.kintsugi.ci.ranks.JmpirunProcess.Ended;
import org.kintsugi.ci.ranks.JmpirunProcess;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/** Advice on a proxy application, some of whose items may not be protected. */
public final class AppAdvice {
  private static final int LIMIT_SECONDS = 150;
  private static final int JOB_SECONDS = 60;
  /** What the applications measure: the times and sizes of iterations, and the time of a save. */
  private static final String MEASURED = "^(IterationTimes|Stamps)\\.";

  private final ProvedApp app;

  /** Advice on an application with its small problem. */
  public AppAdvice(ProvedApp app) {
    this.app = app;
  }

  /**
   * What advice has said.
   *
   * @param code its exit code
   * @param printed all that it printed
   * @param missing the names of the locations that are missing, or that no checkpoint can save
   * @param filledOnce the names of the locations that may be a cache
   * @param items the protected items, with the names of the locations for which each is needed
   */
  public record Verdict(int code, String printed, Set<String> missing, Set<String> filledOnce, Map<String, Set<String>> items) {
    /** Whether it has ended, and nothing is missing. */
    public boolean isComplete() {
      return code == 0 && missing.isEmpty();
    }

    /** Whether it has ended. */
    boolean hasEnded() {
      return code == 0 || code == 1 && !missing.isEmpty();
    }
  }

  /**
   * Runs it, on a program from which the calls are gone that protect some items.
   *
   * @param classes that leave items out
   * @param leftOut the names of the items
   */
  public Verdict run(ChangedClasses classes, String... leftOut) throws IOException, InterruptedException {
    return run(classes, List.of("-D" + ChangedClasses.LEFT_OUT + "=" + String.join(",", leftOut)), List.of());
  }

  /**
   * Runs it by {@code --advise-without}: the program protects all items.
   *
   * @param classes those of the ranks
   * @param without the names of the items that count as not protected
   */
  public Verdict without(ChangedClasses classes, String... without) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>();
    for (String name : without) {
      options.addAll(List.of("--advise-without", name));
    }
    return run(classes, List.of(), options);
  }

  private Verdict run(ChangedClasses classes, List<String> settings, List<String> options)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-advised-")) {
      Path json = folder.path().resolve("advice.json");
      List<String> line = new ArrayList<>(RankJob.jmpirun(RankJob.mpiOrSkip()));
      line.addAll(List.of("-n", String.valueOf(app.ranks()), "--timeout", String.valueOf(JOB_SECONDS), "--advise",
          "--advise-json", json.toString(), "--advise-ignore", MEASURED));
      line.addAll(options);
      line.addAll(settings);
      line.addAll(app.store());
      line.add("-Dkintsugi.checkpoint.dir=" + folder.path().resolve("checkpoints"));
      line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classes.classPath(), ProvedRank.class.getName(),
          folder.path().toString(), app.toString()));
      line.addAll(app.advisedArguments());
      Ended ended = JmpirunProcess.run(line, LIMIT_SECONDS);
      return verdict(ended, Files.exists(json) ? new ObjectMapper().readTree(json.toFile()).get("findings") : null);
    }
  }

  private static Verdict verdict(Ended ended, JsonNode findings) {
    Set<String> missing = new LinkedHashSet<>();
    Set<String> filledOnce = new LinkedHashSet<>();
    Map<String, Set<String>> items = new LinkedHashMap<>();
    if (findings != null) {
      for (JsonNode finding : findings) {
        String name = finding.get("name").asText();
        switch (finding.get("verdict").asText()) {
          case "missing", "state" -> missing.add(name);
          case "once" -> filledOnce.add(name);
          case "protected", "partly" -> items.put(name, Set.of(finding.get("note").asText().split(", ")));
          case "superfluous" -> items.put(name, Set.of());
          default -> {
            // not about protected data
          }
        }
      }
    }
    return new Verdict(ended.code(), ended.printed(), missing, filledOnce, items);
  }
}
