// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.kintsugi.examples.experiments.Catalog.Application;
import org.kintsugi.examples.experiments.Catalog.Design;
import org.kintsugi.examples.experiments.Catalog.Engine;

/**
 * One run of an experiment.
 *
 * @param faults how many failures are injected
 * @param repetition from 1
 * @param seed the experiment's
 * @param limitSeconds after which it counts as hung
 */
record PlannedRun(String experiment, String size, String application, String input, int ranks, String design, String engine,
    int faults, int repetition, long seed, int checkpointEvery, int limitSeconds) {
  /** No failure comes before the second iteration: a run that has not begun has nothing to lose. */
  private static final int FIRST = 2;

  /** What tells it from all other runs of the experiment, also after the experiment was stopped. */
  String key() {
    return String.join("/", experiment, size, problem(), design, engine, faults + "-faults", String.valueOf(repetition));
  }

  /** What is computed: the answers of all runs of one problem are the same, bit for bit. */
  String problem() {
    return String.join("/", application, input, String.valueOf(ranks));
  }

  /** Why it makes no sense; null: it does. */
  String impossible(Catalog catalog) {
    Design how = catalog.design(design);
    Engine where = catalog.engine(engine);
    Application what = catalog.application(application);
    catalog.input(application, input);
    if (!what.canHave(ranks)) {
      return what.label() + " needs a cube number of ranks, not " + ranks;
    }
    return faults > 0 && how.endsJob() && !where.outlivesJob()
        ? how.label() + " ends the job, and versions in " + where.label() + " do not outlive it" : null;
  }

  /**
   * A failure that is injected.
   *
   * @param rank of the process that is killed
   * @param iteration in which it is killed
   */
  record Fault(int rank, int iteration) {}

  /** The failures: the same for all designs and engines. */
  List<Fault> injected(Catalog catalog) {
    Random random = new Random(seed * 1_000_003 + problem().hashCode() * 31L + repetition);
    int last = catalog.input(application, input).iterations();
    List<Fault> all = new ArrayList<>();
    for (int i = 0; i < faults; i++) {
      // Each in a stretch of its own: a second failure in the same place would meet iterations that are made again.
      int from = FIRST + (last - FIRST) * i / faults;
      int to = FIRST + (last - FIRST) * (i + 1) / faults;
      all.add(new Fault(random.nextInt(ranks), from + random.nextInt(Math.max(1, to - from))));
    }
    return all;
  }
}
