// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

/**
 * The vertices of one rank: points in its strip of the unit square, from a linear congruential generator. Its products wrap at
 * 64 bits where they are to skip ahead, which gives some ranks negative numbers; this is what the original's graphs are made of.
 */
final class Points {
  /** The first number of rank 0. */
  private static final long FIRST = 1_967_017_404L;
  private static final double TO_UNIT = 1.0 / (1.0 + 2_147_483_646.0);

  /** The rank's first number. */
  final long first;
  final double[] x;
  final double[] y;

  /** The points of a rank of so many, each with {@code count}. */
  Points(int count, int rank, int ranks) {
    x = new double[count];
    y = new double[count];
    first = first(count, rank);
    double height = 1.0 / ranks;
    long number = first;
    for (int i = 0; i < 2 * count; i++) {
      double unit = Math.abs(number) * TO_UNIT;
      if (i < count) {
        x[i] = unit;
      } else {
        y[i - count] = rank * height + height * unit;
      }
      number = number * MinimalStandard.FACTOR % MinimalStandard.MODULUS;
    }
  }

  private static long first(int count, int rank) {
    long skip = power(MinimalStandard.FACTOR, 2L * count);
    return rank == 0 ? FIRST : FIRST * power(skip, rank) % MinimalStandard.MODULUS;
  }

  /** Wraps at 64 bits. */
  private static long power(long base, long exponent) {
    long result = 1;
    long square = base;
    for (long rest = exponent; rest > 0; rest >>= 1) {
      if ((rest & 1) == 1) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }
}
