// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.kintsugi.examples.experiments.Catalog.Application;
import org.kintsugi.examples.experiments.Catalog.Design;
import org.kintsugi.examples.experiments.Catalog.Engine;

/**
 * One run of an experiment.
 *
 * @param faults what is injected
 * @param ranksPerNode where a node fails
 * @param repetition from 1
 * @param seed the experiment's
 * @param limitSeconds after which it counts as hung
 */
record PlannedRun(String experiment, String size, String application, String input, int ranks, String design, String engine,
    Faults faults, int ranksPerNode, int repetition, long seed, int checkpointEvery, int limitSeconds) {
  /** No failure comes before the second iteration: a run that has not begun has nothing to lose. */
  private static final int FIRST = 2;

  /**
   * The name that distinguishes this run from all others, also after the experiment was stopped. It ends with the settings that
   * the names do not have: with another seed or other arguments it is another run.
   */
  String key(Catalog catalog) {
    int settings = Objects.hash(seed, checkpointEvery, catalog.input(application, input).arguments(ranks));
    return String.join("/", experiment, size, problem(), design, engine, faults.word() + "-faults", String.valueOf(repetition),
        Integer.toHexString(settings));
  }

  /** What is computed: the answers of all runs of one problem are the same, bit for bit. */
  String problem() {
    return String.join("/", application, input, String.valueOf(ranks));
  }

  /** Why this combination cannot be run; null if it can. */
  String impossible(Catalog catalog) {
    Design how = catalog.design(design);
    Engine where = catalog.engine(engine);
    Application what = catalog.application(application);
    catalog.input(application, input);
    if (!what.canHave(ranks)) {
      return what.label() + " needs a cube number of ranks, not " + ranks;
    }
    // The launcher runs on the first node, and some ranks must be left on another one.
    if (faults.isOfNode() && (ranks % ranksPerNode != 0 || ranks < 2 * ranksPerNode)) {
      return ranks + " ranks are no two or more nodes of " + ranksPerNode;
    }
    return !faults.isNone() && how.endsJob() && !where.outlivesJob()
        ? how.label() + " ends the job, and versions in " + where.label() + " do not outlive it" : null;
  }

  /** The same run without failures. */
  PlannedRun undisturbed() {
    return new PlannedRun(experiment, size, application, input, ranks, design, engine, Faults.of("0"), ranksPerNode, repetition,
        seed, checkpointEvery, limitSeconds);
  }

  /**
   * A failure that is injected.
   *
   * @param isOfNode whether the whole node fails that the rank is on
   * @param rank of the process that is killed
   * @param iteration in which it is killed
   * @param start of the job, from 1
   */
  record Fault(boolean isOfNode, int rank, int iteration, int start) {
    /** As {@code jmpirun --kill} has it. */
    String word() {
      return (isOfNode ? "node:" : "process:") + rank + "@" + iteration + (start == 1 ? "" : "/" + start);
    }
  }

  /** The failures: the same for all designs and engines. Where a failure ends the job, each is in a start of its own. */
  List<Fault> injected(Catalog catalog) {
    // Its seeds may differ by 1; the first numbers of java.util.Random would be nearly the same then.
    SplittableRandom random = new SplittableRandom(Objects.hash(seed, problem()) * 1_000_003L + repetition);
    int last = catalog.input(application, input).iterations();
    List<Fault> all = new ArrayList<>();
    for (int i = 0; i < faults.count(); i++) {
      // Each in a stretch of its own: a second failure in the same place would meet iterations that are made again.
      int from = FIRST + (last - FIRST) * i / faults.count();
      int to = FIRST + (last - FIRST) * (i + 1) / faults.count();
      // The first node has the launcher, and does not fail.
      int rank = faults.isOfNode() ? ranksPerNode + random.nextInt(ranks - ranksPerNode) : random.nextInt(ranks);
      int iteration = from + random.nextInt(Math.max(1, to - from));
      all.add(new Fault(faults.isOfNode(), rank, iteration, catalog.design(design).endsJob() ? i + 1 : 1));
    }
    return all;
  }
}
