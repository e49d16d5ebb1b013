// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

/**
 * The temperature in a unit cube that is 1 on x = 1 and 0 on the other sides, without a source, as a series. The problem that is
 * solved has a source, so the two differ by about 0.05 in the middle.
 */
final class SeriesSolution {
  private static final int TERMS = 300;

  private SeriesSolution() {}

  static double at(double x, double y, double z) {
    if (x == 0 || y == 0 || y == 1 || z == 0 || z == 1) {
      return x == 1 ? 1.0 : 0.0;
    }
    if (x == 1) {
      return 1.0;
    }
    double sum = 0.0;
    for (int p = 0; p <= TERMS; p++) {
      double py = Math.sin((2 * p + 1) * Math.PI * y) / (2 * p + 1);
      double inner = 0.0;
      for (int q = 0; q <= TERMS; q++) {
        double qz = Math.sin((2 * q + 1) * Math.PI * z) / (2 * q + 1);
        double l = Math.PI * Math.sqrt((2.0 * p + 1) * (2 * p + 1) + (2.0 * q + 1) * (2 * q + 1));
        double term = Math.sinh(l * x) / Math.sinh(l) * qz;
        if (Double.isNaN(term)) {
          // Both hyperbolic sines are beyond the range: so they are from here on.
          break;
        }
        inner += term;
      }
      sum += py * inner;
    }
    return 16.0 / (Math.PI * Math.PI) * sum;
  }
}
