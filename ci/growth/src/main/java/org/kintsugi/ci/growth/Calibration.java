// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The costs that a simulation needs, from the processor time that was measured. The time by the clock is not used: so a
 * simulation can be wrong about it.
 *
 * @param pollNanos processor time of a turn in which a process has nothing to do
 * @param overheadNanos processor time of a message for each of its two processes
 * @param costs all else
 */
public record Calibration(double pollNanos, double overheadNanos, Costs costs) {
  /** Messages that a process sends and receives in an agreement, on average: with its parent, and with two children in turn. */
  private static final int MESSAGES_OF_AGREEMENT = 4;
  /**
   * The pause of the measured programs between two barriers, with the kernel's slack. A process that is killed after a barrier is
   * noticed during the pause, and its error comes after it.
   */
  static final double PAUSE = 2_060_000;

  /**
   * The launcher's notice to the first process. The shortest that was seen from a failure to an error, with few processes.
   */
  private static final double NOTICE = 340_000;

  /**
   * In C a spare tests the agreement, and sleeps for 50 microseconds, which are 105 with the kernel's slack and the test. Open
   * MPI handles notices in every eighth turn. In Java a notice wakes it.
   */
  private static final double SPARE_IN_C = 8 * 105_000 / 2.0;
  /** Half the time of a message of 8 bytes in a ping-pong on this machine, where all is in caches. */
  private static final double LEAST_OVERHEAD = 300;
  /** What a message takes with warm caches; more is cold code, which a core of its own keeps. */
  private static final double WARM_OVERHEAD = 1000;

  /**
   * For a simulation of one size on the machine of the measurement.
   *
   * @param overheadNanos of a message: {@link #overhead}
   */
  static Calibration at(Measurement measured, double overheadNanos, int rowBytes) {
    double[] fixed = new double[Step.COUNT];
    for (Step step : Step.values()) {
      double messages = overheadNanos * messages(step, measured.processes());
      fixed[step.ordinal()] = step == Step.NOTICE ? 0 : Math.max(0, measured.work(step) * 1e6 - messages);
    }
    return new Calibration(measured.pollNanos(), overheadNanos, new Costs(PAUSE, 0,
        measured.language().equals(Growth.C) ? SPARE_IN_C : 0, fixed, new double[Step.COUNT], rowBytes));
  }

  /** The processor time of a message: the exchange of states has no other part that grows with the number of its rounds. */
  static double overhead(List<Measurement> measured) {
    List<Fit.Point> exchange = new ArrayList<>();
    for (Measurement one : measured) {
      exchange.add(new Fit.Point(one.processes(), one.work(Step.GATHER) * 1e6));
    }
    return Math.max(LEAST_OVERHEAD, Fit.of(exchange).perLevel() / 2);
  }

  /**
   * For a machine with a core per process: each step with the least work of all sizes, as a core that is not shared keeps what
   * it needs in its caches.
   */
  static Costs alone(List<Measurement> measured, int rowBytes) {
    double overhead = Math.min(WARM_OVERHEAD, overhead(measured));
    double[] least = new double[Step.COUNT];
    Arrays.fill(least, Double.MAX_VALUE);
    for (Measurement one : measured) {
      Costs costs = at(one, overhead, rowBytes).costs;
      for (int step = 0; step < Step.COUNT; step++) {
        least[step] = Math.min(least[step], costs.fixed()[step]);
      }
    }
    return new Costs(NOTICE, 0, 0, least, new double[Step.COUNT], rowBytes);
  }

  /** Messages that a process sends and receives in a step. */
  static double messages(Step step, int processes) {
    int rounds = RecoveryScript.rounds(processes);
    return switch (step) {
      case REVOKE -> 4.0 * rounds;
      case MEET, AGREE -> MESSAGES_OF_AGREEMENT;
      case SHRINK -> 4 * MESSAGES_OF_AGREEMENT;
      case GATHER, ENTER -> 2.0 * rounds;
      case SPLIT -> 2.0 * rounds + 3 * MESSAGES_OF_AGREEMENT;
      default -> 0;
    };
  }

  /** The machine on which it was measured. */
  Machine here(int cores) {
    return Machine.shared(cores, pollNanos, overheadNanos);
  }
}
