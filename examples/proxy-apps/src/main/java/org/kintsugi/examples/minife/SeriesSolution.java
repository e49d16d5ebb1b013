// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

/**
 * The temperature in a unit cube that is 1 on x = 1 and 0 on the other sides, without a source, as a series. The problem that is
 * solved has a source, so the two differ by about 0.05 in the middle.
 *
 * <p>Points are asked for with x outermost and z next: what depends on x, and on x and z, alone is computed once.
 */
final class SeriesSolution {
  private static final int TERMS = 301;

  /** sinh(l x) / sinh(l) for each p and q. */
  private final double[][] ratio = new double[TERMS][TERMS];
  /** How many q there are for a p, before both hyperbolic sines are beyond the range. */
  private final int[] terms = new int[TERMS];
  /** For each p, the sum over q. */
  private final double[] inner = new double[TERMS];
  private final double[] sines = new double[TERMS];
  private double x;

  /** Goes to a plane. */
  void atX(double newX) {
    x = newX;
    if (x == 1) {
      return;
    }
    for (int p = 0; p < TERMS; p++) {
      int q = 0;
      for (; q < TERMS; q++) {
        double l = Math.PI * Math.sqrt((2.0 * p + 1) * (2.0 * p + 1) + (2.0 * q + 1) * (2.0 * q + 1));
        double one = Math.sinh(l * x) / Math.sinh(l);
        if (Double.isNaN(one)) {
          break;
        }
        ratio[p][q] = one;
      }
      terms[p] = q;
    }
  }

  /** Goes to a line of the plane. */
  void atZ(double z) {
    fillSines(z);
    for (int p = 0; p < TERMS; p++) {
      double sum = 0.0;
      for (int q = 0; q < terms[p]; q++) {
        sum += ratio[p][q] * sines[q];
      }
      inner[p] = sum;
    }
  }

  /** The temperature at an inner point of the line. */
  double atY(double y) {
    fillSines(y);
    double sum = 0.0;
    for (int p = 0; p < TERMS; p++) {
      sum += sines[p] * inner[p];
    }
    return 16.0 / (Math.PI * Math.PI) * sum;
  }

  private void fillSines(double at) {
    for (int p = 0; p < TERMS; p++) {
      sines[p] = Math.sin((2 * p + 1) * Math.PI * at) / (2 * p + 1);
    }
  }
}
