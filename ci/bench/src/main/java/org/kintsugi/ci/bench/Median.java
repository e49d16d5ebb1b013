// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.util.Arrays;
import java.util.List;

/** The middle one of several values; of an even number of values, the higher one of the middle two. */
final class Median {
  private Median() {}

  static double of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  static double of(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
