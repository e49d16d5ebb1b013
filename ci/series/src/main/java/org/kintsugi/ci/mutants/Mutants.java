// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mutants;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Run by {@code make mutants}: proves each application, and each without one of its items, and asks for advice on them.
 *
 * <p>The exit code is 0 if both find nothing in the complete applications, if a proof catches all mutants but those that compute
 * the same, and if advice names the items of nearly all of these.
 */
@Command(name = "make mutants",
    description = "Proofs of and advice on the proxy applications, and each without one of its protected items.")
public final class Mutants implements Callable<Integer> {
  @Option(names = "--failures", paramLabel = "N", required = true, description = "moments of failures of each proof")
  private int failures;

  @Option(names = "--seed", paramLabel = "SEED", required = true, description = "of the moments")
  private long seed;

  @Option(names = "--item", paramLabel = "NAME", split = ",", description = "leave out these items only, with commas between")
  private List<String> items = List.of();

  @Parameters(paramLabel = "APP", description = "$${COMPLETION-CANDIDATES}")
  private List<ProvedApp> apps = List.of(ProvedApp.values());

  private final Judgement judgement = new Judgement();

  private Mutants() {}

  /** Runs the series. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Mutants()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (ChangedClasses classes = ChangedClasses.thatLeaveOut(Path.of(""))) {
      for (ProvedApp app : apps) {
        judge(app, classes);
      }
    }
    System.out.print(judgement.table());
    judgement.wrong().forEach(System.out::println);
    return judgement.isGood() ? 0 : 1;
  }

  private void judge(ProvedApp app, ChangedClasses classes) throws IOException, InterruptedException {
    AppProof proof = new AppProof(app, failures).seed(seed);
    AppAdvice advice = new AppAdvice(app);
    AppAdvice.Verdict complete = advice.run(classes);
    List<String> leftOut = items;
    if (items.isEmpty()) {
      AppProof.Verdict proved = proof.run(classes);
      judgement.complete(app, proved, complete);
      leftOut = proved.items();
      System.out.println(app + ": --prove: " + proved + "; --advise: " + (complete.isComplete() ? "nothing is missing"
          : "code " + complete.code() + ", missing: " + complete.missing()));
    }
    for (String item : leftOut) {
      System.out.println(judgement.mutant(app, item, proof.run(classes, item), complete.items().getOrDefault(item, Set.of()),
          advice.run(classes, item)));
    }
  }
}
