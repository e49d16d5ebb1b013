// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import java.util.Arrays;
import java.util.Random;

/**
 * A mean with its 95 % confidence interval, by the bootstrap over repetitions (Efron's percentiles).
 *
 * @param mean of the values
 * @param low the 2.5th percentile of the means of resamples
 * @param high the 97.5th
 * @param count of the values; of a single one the interval is empty
 */
record Interval(double mean, double low, double high, int count) {
  private static final int RESAMPLES = 2000;
  private static final double TAIL = 0.025;

  static Interval of(double... values) {
    if (values.length == 0) {
      return new Interval(Double.NaN, Double.NaN, Double.NaN, 0);
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
    return new Interval(Arrays.stream(values).average().orElseThrow(), means[(int) (TAIL * RESAMPLES)],
        means[(int) ((1 - TAIL) * RESAMPLES) - 1], values.length);
  }

  boolean isNothing() {
    return count == 0;
  }
}
