// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

/** The random numbers of one atom for one purpose: the same whatever rank asks. */
final class AtomRandom {
  private static final long MODULUS = (1L << 61) - 1;
  private static final long FACTOR = 437799614237992725L;
  private static final int HASH = (int) 2654435761L;
  private static final int DISCARDED = 10;

  private long state;

  /** @param purpose a number that stands for what they are for */
  AtomRandom(int atom, int purpose) {
    long high = Integer.toUnsignedLong(atom * HASH);
    long low = Integer.toUnsignedLong((atom + purpose) * HASH);
    state = (high << 32) + low;
    for (int i = 0; i < DISCARDED; i++) {
      uniform();
    }
  }

  /** From 0 to 1. */
  double uniform() {
    state = Long.remainderUnsigned(state * FACTOR, MODULUS);
    return (double) state / MODULUS;
  }

  /** A normal random number of mean 0 and variance 1. */
  double gaussian() {
    double v;
    double square;
    do {
      double other = 2.0 * uniform() - 1.0;
      v = 2.0 * uniform() - 1.0;
      square = other * other + v * v;
    } while (square >= 1.0 || square == 0.0);
    return v * Math.sqrt(-2.0 * Math.log(square) / square);
  }
}
