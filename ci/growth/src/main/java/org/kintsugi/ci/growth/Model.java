// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

/**
 * The time of a recovery as a formula, for machines with a core per process: what grows with log2 p, and what with p. The
 * simulation checks it.
 */
public record Model(Machine machine, Costs costs) {
  /** Nanoseconds of a step of a recovery of p processes. */
  public double nanos(Step step, int processes) {
    double own = costs.of(step, processes);
    return switch (step) {
      case NOTICE -> costs.noticeNanos() + costs.of(Step.NOTICE, processes) + farLevels(processes) * machine.farNanos();
      // The flood starts with the first notice, and is faster than a daemon that notifies one process after the other.
      case REVOKE -> own + Math.min(flood(processes), costs.noticeEachNanos() * Math.min(processes, machine.perNode()));
      case UNWIND -> own;
      case MEET, AGREE -> own + agreement(processes);
      case SHRINK -> own + 4 * agreement(processes);
      case GATHER -> own + rounds(processes, costs.rowBytes(), true);
      case SPLIT -> own + rounds(processes, 8, true) + 6 * rounds(processes, 16, false);
      case ENTER -> own + rounds(processes, 0, false);
    };
  }

  double total(int processes) {
    double sum = 0;
    for (Step step : Step.values()) {
      sum += nanos(step, processes);
    }
    return sum;
  }

  private int farLevels(int processes) {
    return RecoveryScript.rounds(1 + (processes - 1) / machine.perNode());
  }

  /** Up and down the tree of a node and that of the nodes; at each level a process serves two children. */
  private double agreement(int processes) {
    int near = floorLog(Math.min(processes, machine.perNode()));
    int far = floorLog(1 + (processes - 1) / machine.perNode());
    double perLevel = 3 * machine.overheadNanos();
    return 2 * (near * (machine.nearNanos() + perLevel) + far * (machine.farNanos() + perLevel));
  }

  private static int floorLog(int value) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(Math.max(1, value));
  }

  private double rounds(int processes, int bytes, boolean doubles) {
    int rounds = RecoveryScript.rounds(processes);
    double latency = processes > machine.perNode() ? machine.farNanos() : machine.nearNanos();
    double size = doubles ? (double) bytes * (processes - 1) : (double) bytes * rounds;
    return rounds * (latency + 2 * machine.overheadNanos()) + size * machine.perByteNanos();
  }

  private double flood(int processes) {
    int rounds = RecoveryScript.rounds(processes);
    return rounds * (machine.farNanos() + (rounds + 1) * machine.overheadNanos());
  }
}
