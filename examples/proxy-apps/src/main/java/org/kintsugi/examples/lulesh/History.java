// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import java.util.ArrayList;
import java.util.List;
import org.kintsugi.checkpoint.Checkpoint;

/** Times and steps of the first cycles, for the report; it goes back with the state. */
final class History {
  private static final int CYCLES = 20;

  private final double[] times = new double[CYCLES];
  private final double[] steps = new double[CYCLES];

  void protect(Checkpoint checkpoint) {
    checkpoint.protect("firstTimes", times);
    checkpoint.protect("firstSteps", steps);
  }

  /** Notes a cycle that has just been made. */
  void add(TimeStep step) {
    if (step.cycle() <= CYCLES) {
      times[step.cycle() - 1] = step.time();
      steps[step.cycle() - 1] = step.dt();
    }
  }

  /** Number, time and step of each. @param cycles how many were made */
  List<List<Number>> entries(int cycles) {
    List<List<Number>> entries = new ArrayList<>();
    for (int i = 0; i < Math.min(CYCLES, cycles); i++) {
      entries.add(List.of(i + 1, times[i], steps[i]));
    }
    return entries;
  }
}
