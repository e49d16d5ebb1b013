// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.kintsugi.examples.experiments.report.Report;

/**
 * An experiment, as its file describes it.
 *
 * @param name of the experiment, and of its results
 * @param title of its report
 * @param paper what it repeats
 * @param claims whose claims the report has: one of {@link Report#CLAIMS}
 * @param over what its figures have on the horizontal axis: {@code ranks}, {@code inputs} or {@code faults}
 * @param seed all random numbers follow from it
 * @param checkpointEvery iterations between checkpoints
 * @param sizes how large it may be made: {@code smoke}, {@code laptop}, {@code paper}
 */
record Experiment(String name, String title, String paper, String claims, String over, long seed, int checkpointEvery,
    Map<String, Size> sizes) {
  Experiment {
    if (name == null || title == null || paper == null || sizes == null || checkpointEvery < 1) {
      throw new ExperimentException("an experiment needs name, title, paper, sizes and checkpointEvery");
    }
    if (!List.of("ranks", "inputs", "faults").contains(over)) {
      throw new ExperimentException("over " + over + ": expected ranks, inputs or faults");
    }
    if (!Report.CLAIMS.contains(claims)) {
      throw new ExperimentException("claims " + claims + ": expected one of " + Report.CLAIMS);
    }
  }

  private static final String OWN = "the design's own";

  /**
   * One size of an experiment.
   *
   * @param engines each design is run with each of them
   * @param engineOf or each design is run with its own
   * @param applications names of the catalog, as are inputs, designs and engines; all combinations are run
   * @param inputs the problems
   * @param ranks numbers of ranks
   * @param designs ways to go on after a failure
   * @param faults what is injected into a run: a number of process failures, one after the other, or {@code node}
   * @param ranksPerNode where a node fails; 0: none does
   * @param repetitions of each run
   * @param limitSeconds after which a run counts as hung
   */
  record Size(List<String> applications, List<String> inputs, List<Integer> ranks, List<String> designs, List<String> engines,
      Map<String, String> engineOf, List<String> faults, int ranksPerNode, int repetitions, int limitSeconds) {
    Size {
      if (repetitions < 1 || limitSeconds < 1) {
        throw new ExperimentException("repetitions " + repetitions + ", limitSeconds " + limitSeconds + ": expected 1 or more");
      }
      if (applications == null || inputs == null || ranks == null || ranks.isEmpty() || designs == null || faults == null) {
        throw new ExperimentException("a size needs applications, inputs, ranks, designs and faults");
      }
      if (ranksPerNode < 0 || ranksPerNode == 0 && faults.stream().anyMatch(word -> Faults.of(word).isOfNode())) {
        throw new ExperimentException("ranksPerNode " + ranksPerNode + ": a node failure needs 1 or more");
      }
      if ((engines == null) == (engineOf == null)) {
        throw new ExperimentException("expected either engines or engineOf");
      }
      engines = engines == null ? List.of(OWN) : List.copyOf(engines);
      engineOf = engineOf == null ? Map.of() : Map.copyOf(engineOf);
    }

    private String engine(String wanted, String design) {
      if (!wanted.equals(OWN)) {
        return wanted;
      }
      if (!engineOf.containsKey(design)) {
        throw new ExperimentException("engineOf has no engine for the design " + design);
      }
      return engineOf.get(design);
    }
  }

  static Experiment read(Path file) throws IOException {
    return Json.read(file, Experiment.class);
  }

  Size size(String wanted) {
    return Study.size(sizes, wanted, name);
  }

  /**
   * All runs of a size, in the order in which they are made. Designs take turns, each time in another order, since a machine's
   * speed drifts over hours.
   */
  List<PlannedRun> runs(String wanted, Catalog catalog) {
    return combinations(wanted).stream().filter(run -> run.impossible(catalog) == null).toList();
  }

  /** Why some combinations are left out, each reason once. */
  List<String> leftOut(String wanted, Catalog catalog) {
    return combinations(wanted).stream().map(run -> run.impossible(catalog)).filter(Objects::nonNull).distinct().toList();
  }

  private List<PlannedRun> combinations(String wanted) {
    Size size = size(wanted);
    List<PlannedRun> runs = new ArrayList<>();
    Random order = new Random(seed);
    for (int repetition = 1; repetition <= size.repetitions; repetition++) {
      for (String application : size.applications) {
        for (String input : size.inputs) {
          for (int ranks : size.ranks) {
            for (String engine : size.engines) {
              for (String faults : size.faults) {
                List<String> designs = new ArrayList<>(size.designs);
                Collections.shuffle(designs, order);
                for (String design : designs) {
                  runs.add(new PlannedRun(name, wanted, application, input, ranks, design, size.engine(engine, design),
                      Faults.of(faults), size.ranksPerNode, repetition, seed, checkpointEvery, size.limitSeconds));
                }
              }
            }
          }
        }
      }
    }
    return runs;
  }
}
