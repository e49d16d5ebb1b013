// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.util.ArrayList;
import java.util.List;

/**
 * The costs that a simulation needs, from the processor time that was measured. The time by the clock is not used, except for
 * the launcher's notice, whose processor time is not that of the ranks: so a simulation can be wrong about it.
 *
 * @param pollNanos processor time of a turn in which a process has nothing to do
 * @param overheadNanos processor time of a message for each of its two processes
 * @param costs all else
 */
public record Calibration(double pollNanos, double overheadNanos, Costs costs) {
  /** Messages that a process sends and receives in an agreement, on average: with its parent, and with two children in turn. */
  private static final int MESSAGES_OF_AGREEMENT = 4;
  private static final double LEAST_OVERHEAD = 300;

  /** From the measurements of one language at several sizes. */
  static Calibration of(List<Measurement> measured, int rowBytes) {
    double poll = pollNanos(measured);
    // The exchange of states has no other part that grows with the number of rounds.
    List<Fit.Point> exchange = new ArrayList<>();
    for (Measurement one : measured) {
      exchange.add(new Fit.Point(one.processes(), one.work(Step.GATHER, poll) * 1e6));
    }
    double overhead = Math.max(LEAST_OVERHEAD, Fit.of(exchange).perLevel() / 2);
    double[] fixed = new double[Step.COUNT];
    double[] perProcess = new double[Step.COUNT];
    for (Step step : Step.values()) {
      if (step == Step.NOTICE) {
        continue; // waiting, and the launcher
      }
      List<Fit.Point> points = new ArrayList<>();
      for (Measurement one : measured) {
        double own = one.work(step, poll) * 1e6 - overhead * messages(step, one.processes());
        points.add(new Fit.Point(one.processes(), Math.max(1, own)));
      }
      Fit fit = Fit.of(points);
      // What grows with the logarithm here is a mean of messages that were not counted right: it is kept at its middle value.
      fixed[step.ordinal()] = fit.constant() + fit.perLevel() * Math.log(points.get(points.size() / 2).processes()) / Math.log(2);
      perProcess[step.ordinal()] = fit.perProcess();
    }
    List<Fit.Point> notices = new ArrayList<>();
    for (Measurement one : measured) {
      notices.add(new Fit.Point(one.processes(), Math.max(1, one.wall()[Step.NOTICE.ordinal()] * 1e6)));
    }
    double first = notices.stream().mapToDouble(Fit.Point::value).min().orElse(0);
    return new Calibration(poll, overhead, new Costs(first, 0, fixed, perProcess, rowBytes));
  }

  /** In the barrier that the failure interrupts, a process does nothing but wait. */
  private static double pollNanos(List<Measurement> measured) {
    double processor = 0;
    double yields = 0;
    for (Measurement one : measured) {
      processor += one.processor()[Step.REVOKE.ordinal()];
      yields += one.yields()[Step.REVOKE.ordinal()];
    }
    return yields == 0 ? 0 : processor * 1e6 / yields;
  }

  /** Messages that a process sends and receives in a step. */
  static double messages(Step step, int processes) {
    int rounds = RecoveryScript.rounds(processes);
    return switch (step) {
      case REVOKE -> 4.0 * rounds;
      case MEET, AGREE -> MESSAGES_OF_AGREEMENT;
      case SHRINK -> 4 * MESSAGES_OF_AGREEMENT;
      case GATHER, ENTER -> 2.0 * rounds;
      case SPLIT -> 8.0 * rounds;
      default -> 0;
    };
  }

  /** The machine on which it was measured. */
  Machine here(int cores) {
    return Machine.shared(cores, pollNanos, overheadNanos);
  }
}
