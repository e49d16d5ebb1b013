// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.proof;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where a process fails.
 *
 * @param rank of the process
 * @param iteration in which it fails
 */
record Moment(int rank, long iteration) {
  /** As {@code --kill} has it. */
  String kill() {
    return "process:" + rank + "@" + iteration;
  }

  @Override
  public String toString() {
    return "rank " + rank + " in iteration " + iteration;
  }

  /**
   * Chooses moments: the first iteration, the first one after a save, the last one, and others at random, after the first save if
   * there are enough. Ranks take turns, in a random order.
   *
   * @param count how many; fewer if the program has fewer
   * @param seed the same seed chooses the same
   */
  static List<Moment> choose(Recording undisturbed, int count, long seed) {
    Random random = new Random(seed);
    List<Integer> ranks = new ArrayList<>(undisturbed.ranks());
    Collections.shuffle(ranks, random);
    TreeSet<Long> iterations = undisturbed.iterations();
    Set<Long> chosen = new LinkedHashSet<>();
    Long afterSave = undisturbed.firstAfterSave();
    if (count > 1 || afterSave == null) { // before the first save nothing is restored
      chosen.add(iterations.first());
    }
    if (afterSave != null) {
      chosen.add(afterSave);
    }
    chosen.add(iterations.last());
    List<Long> others = new ArrayList<>(iterations);
    Collections.shuffle(others, random);
    if (afterSave != null) {
      // Before the first save all failures are alike: the program begins again.
      others.stream().filter(iteration -> iteration > afterSave).forEach(chosen::add);
    }
    chosen.addAll(others);
    List<Moment> moments = new ArrayList<>();
    for (Long iteration : chosen) {
      if (moments.size() < count) {
        moments.add(new Moment(ranks.get(moments.size() % ranks.size()), iteration));
      }
    }
    return moments;
  }
}
