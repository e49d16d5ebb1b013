// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

/** The minimal standard generator of random numbers, with the mapping to a range that GCC's library has. */
final class MinimalStandard {
  static final long FACTOR = 16807;
  static final long MODULUS = Integer.MAX_VALUE;
  /** How many values it has, less one: 1 to MODULUS - 1. It cannot draw from more numbers than that. */
  static final long RANGE = MODULUS - 2;

  private long state;

  MinimalStandard(long seed) {
    state = seed % MODULUS == 0 ? 1 : seed % MODULUS;
  }

  private long next() {
    state = state * FACTOR % MODULUS;
    return state;
  }

  /** A whole number from 0 to {@code bound - 1}, each as likely: values beyond the last full share are drawn again. */
  long below(long bound) {
    if (bound <= 0 || bound > RANGE) {
      throw new IllegalArgumentException(bound + ": this generator draws from 1 to " + RANGE + " numbers");
    }
    long share = RANGE / bound;
    long value;
    do {
      value = next() - 1;
    } while (value >= bound * share);
    return value / share;
  }

  /** A real number in [low, high), of two draws. */
  double between(double low, double high) {
    double values = RANGE + 1.0;
    double sum = next() - 1;
    sum += (next() - 1) * values;
    return sum / (values * values) * (high - low) + low;
  }
}
