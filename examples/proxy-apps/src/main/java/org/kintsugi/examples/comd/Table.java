// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

/** A function of one variable, from 0 on in even steps, between which it is interpolated by a cubic. */
final class Table {
  private final double perStep;
  private final int last;
  /** With one more value before the first, and three more after the last. */
  private final double[] values;

  /** The value that {@link #lookUp} has found. */
  double value;
  double derivative;

  Table(double step, double[] of) {
    perStep = 1.0 / step;
    last = of.length;
    values = new double[of.length + 4];
    System.arraycopy(of, 0, values, 1, of.length);
    values[0] = of[0];
    for (int i = of.length + 1; i < values.length; i++) {
      values[i] = of[of.length - 1];
    }
  }

  /** Sets value and derivative. Outside of the table, the values at its ends apply. */
  void lookUp(double x) {
    double u = Math.max(x, 0.0) * perStep;
    int i = (int) u;
    double t = u - i;
    if (i > last) {
      i = last;
      t = 0.0;
    }
    double before = values[i];
    double here = values[i + 1];
    double behind = values[i + 2];
    double g1 = behind - before;
    double g2 = values[i + 3] - here;
    value = here + 0.5 * t * (g1 + t * (behind + before - 2.0 * here));
    derivative = 0.5 * (g1 + t * (g2 - g1)) * perStep;
  }
}
