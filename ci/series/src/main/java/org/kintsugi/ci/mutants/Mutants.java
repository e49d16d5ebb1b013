// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mutants;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.kintsugi.ci.mutants.AppProof.Verdict;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Run by {@code make mutants}: proves each application, and each without one of its items.
 *
 * <p>The exit code is 0 if the complete applications pass, and if a proof catches all mutants but those that compute the same.
 */
@Command(name = "make mutants", description = "Proofs of the proxy applications, and of each without one of its protected items.")
public final class Mutants implements Callable<Integer> {
  @Option(names = "--failures", paramLabel = "N", required = true, description = "moments of failures of each proof")
  private int failures;

  @Option(names = "--seed", paramLabel = "SEED", required = true, description = "of the moments")
  private long seed;

  @Option(names = "--item", paramLabel = "NAME", split = ",", description = "leave out these items only, with commas between")
  private List<String> items = List.of();

  @Parameters(paramLabel = "APP", description = "$${COMPLETION-CANDIDATES}")
  private List<ProvedApp> apps = List.of(ProvedApp.values());

  private int mutants;
  private int caught;
  private int needless;
  private final List<String> wrong = new ArrayList<>();

  private Mutants() {}

  /** Runs the series. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Mutants()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (ChangedClasses classes = ChangedClasses.thatLeaveOut(Path.of(""))) {
      for (ProvedApp app : apps) {
        AppProof proof = new AppProof(app, failures).seed(seed);
        for (String item : items.isEmpty() ? itemsOf(app, proof.run(classes)) : items) {
          judge(app, item, proof.run(classes, item));
        }
      }
    }
    System.out
        .println(mutants + " mutants: " + caught + " caught, " + needless + " compute the same, " + wrong.size() + " wrong");
    wrong.forEach(System.out::println);
    return wrong.isEmpty() && mutants > 0 ? 0 : 1;
  }

  /** The items of a program that saves all. */
  private List<String> itemsOf(ProvedApp app, Verdict complete) {
    System.out.println(app + ": " + complete);
    if (!complete.isComplete()) {
      wrong.add(app + " with all items: " + complete);
    }
    return complete.items();
  }

  private void judge(ProvedApp app, String item, Verdict verdict) {
    mutants++;
    String reason = app.whyNeedless(item);
    boolean isAsExpected = reason == null ? verdict.isCaught() : verdict.isComplete();
    System.out.println(app + " without " + item + ": " + verdict + (reason == null ? "" : "; " + reason));
    if (!isAsExpected) {
      wrong.add(app + " without " + item + ": " + verdict + ", which was not expected");
    } else if (reason == null) {
      caught++;
    } else {
      needless++;
    }
  }
}
