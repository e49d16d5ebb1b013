// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import java.util.Arrays;
import java.util.Random;

/**
 * A mean with its 95 % confidence interval, by the bootstrap over repetitions.
 *
 * <p>The percentiles of resampled means are too narrow for few values: of two they cover the mean in half of all cases. They are
 * expanded by the ratio of Student's quantile to the normal one, and by {@code sqrt(n / (n - 1))} (Hesterberg, "What Teachers
 * Should Know about the Bootstrap", 2015, section 3.3).
 *
 * @param mean of the values
 * @param low end of the interval
 * @param high end of the interval
 * @param count of the values; of a single one the interval is not known, and is the mean
 */
record Interval(double mean, double low, double high, int count) {
  private static final int RESAMPLES = 2000;
  private static final double TAIL = 0.025;
  private static final double NORMAL = 1.96;
  /** The 97.5 % quantiles of Student's t for 1, 2, ... degrees of freedom. */
  private static final double[] STUDENT = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179,
      2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};

  static Interval of(double... values) {
    if (values.length == 0) {
      return new Interval(Double.NaN, Double.NaN, Double.NaN, 0);
    }
    double mean = Arrays.stream(values).average().orElseThrow();
    if (values.length == 1) {
      return new Interval(mean, mean, mean, 1);
    }
    Random random = new Random(values.length); // the same page of the same results
    double[] means = new double[RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      double sum = 0;
      for (int j = 0; j < values.length; j++) {
        sum += values[random.nextInt(values.length)];
      }
      means[i] = sum / values.length;
    }
    Arrays.sort(means);
    int n = values.length;
    double wider = Math.sqrt(n / (n - 1.0)) * (n - 1 <= STUDENT.length ? STUDENT[n - 2] : NORMAL) / NORMAL;
    return new Interval(mean, mean - wider * (mean - means[(int) (TAIL * RESAMPLES)]),
        mean + wider * (means[(int) ((1 - TAIL) * RESAMPLES) - 1] - mean), n);
  }

  /** The geometric mean of ratios, for which twice as much and half as much are equally far from 1. */
  static Interval ofRatios(double... ratios) {
    Interval logarithms = of(Arrays.stream(ratios).map(Math::log).toArray());
    return new Interval(Math.exp(logarithms.mean), Math.exp(logarithms.low), Math.exp(logarithms.high), logarithms.count);
  }

  /** The ratio of two medians, of values that are no pairs, in the place of a mean. */
  static Interval ofMedians(double[] above, double[] below) {
    Random random = new Random(above.length);
    double[] ratios = new double[RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      ratios[i] = median(resample(random, above)) / median(resample(random, below));
    }
    Arrays.sort(ratios);
    return new Interval(median(above) / median(below), ratios[(int) (TAIL * RESAMPLES)],
        ratios[(int) ((1 - TAIL) * RESAMPLES) - 1], Math.min(above.length, below.length));
  }

  private static double[] resample(Random random, double... values) {
    return random.ints(values.length, 0, values.length).mapToDouble(i -> values[i]).toArray();
  }

  static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  boolean isNothing() {
    return count == 0;
  }
}
