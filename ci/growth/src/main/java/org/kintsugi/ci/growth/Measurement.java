// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Recoveries of one size in one language: medians over the shortest third of them, which other programs on the machine have
 * disturbed least. Arrays are by {@link Step}; times are milliseconds.
 *
 * @param language C or Java
 * @param processes survivors
 * @param recoveries how often it was measured, disturbed ones included
 * @param total the time by the clock from the last barrier to the first one of all
 * @param wall of each step by the clock
 * @param processor of each step in one process
 * @param other the part of {@code processor} of threads that do not call MPI
 * @param between the part of {@code processor} between the calls of MPI
 * @param yields turns in which a process had nothing to do
 * @param pollNanos processor time of such a turn
 * @param calls calls of MPI of one process
 */
public record Measurement(String language, int processes, int recoveries, double total, double[] wall, double[] processor,
    double[] other, double[] between, double[] yields, double pollNanos, double calls) {

  private static final int LEAST = 3;

  static Measurement of(String language, List<MeasuredRecovery> all) {
    List<MeasuredRecovery> recoveries = all.stream().sorted(Comparator.comparingDouble(MeasuredRecovery::total))
        .limit(Math.max(LEAST, all.size() / 3)).toList();
    return new Measurement(language, (int) Math.round(median(recoveries, MeasuredRecovery::processes)), all.size(),
        median(recoveries, MeasuredRecovery::total), medians(recoveries, MeasuredRecovery::wall),
        medians(recoveries, MeasuredRecovery::processor), medians(recoveries, MeasuredRecovery::other),
        medians(recoveries, MeasuredRecovery::between), medians(recoveries, MeasuredRecovery::yields),
        median(recoveries, MeasuredRecovery::pollNanos), median(recoveries, MeasuredRecovery::calls));
  }

  private static double[] medians(List<MeasuredRecovery> recoveries, Function<MeasuredRecovery, double[]> values) {
    double[] all = new double[Step.COUNT];
    for (int step = 0; step < all.length; step++) {
      int k = step;
      all[step] = median(recoveries, recovery -> values.apply(recovery)[k]);
    }
    return all;
  }

  private static double median(List<MeasuredRecovery> recoveries, ToDoubleFunction<MeasuredRecovery> value) {
    double[] sorted = recoveries.stream().mapToDouble(value).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * Milliseconds of a recovery if no other program had used the cores: the program's pause, and what all processes have used of
   * the cores since. With more processes than cores one of ours always runs, as each gives its core to the next one. At most the
   * time by the clock: in the pause processes that are awake wait for others, which is not work.
   */
  double undisturbed(int cores) {
    double sum = 0;
    for (double one : processor) {
      sum += one;
    }
    return Math.min(total, Calibration.PAUSE / 1e6 + sum * processes / cores);
  }

  /** The processor time of a step in one process without its turns in vain, in milliseconds. */
  double work(Step step) {
    int k = step.ordinal();
    return Math.max(0, processor[k] - yields[k] * pollNanos / 1e6);
  }

  /** The fits of all steps over the number of processes: of the time by the clock, or of the work. */
  static List<Fit> fits(List<Measurement> measured, Function<Measurement, ToDoubleFunction<Step>> value) {
    List<Fit> fits = new ArrayList<>();
    for (Step step : Step.values()) {
      List<Fit.Point> points = new ArrayList<>();
      for (Measurement one : measured) {
        points.add(new Fit.Point(one.processes, value.apply(one).applyAsDouble(step)));
      }
      fits.add(Fit.of(points));
    }
    return fits;
  }
}
