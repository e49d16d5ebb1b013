// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.io.Serializable;
import java.util.Arrays;

/** The report of a solve: norms, and the residual after each step. */
final class SolveLog implements Serializable {
  private static final long serialVersionUID = 2L;
  private static final int ROOM = 32;

  private double rightNorm;
  private double initialNorm;
  private double finalNorm;
  private double[] residuals = new double[ROOM];
  private int steps;

  void begin(double ofRight, double ofResidual) {
    rightNorm = ofRight;
    initialNorm = ofResidual;
  }

  void add(double residual) {
    if (steps == residuals.length) {
      residuals = Arrays.copyOf(residuals, 2 * steps);
    }
    residuals[steps++] = residual;
  }

  /** At the end of the solve, or as far as it is. */
  void end(double ofResidual) {
    finalNorm = ofResidual;
  }

  double rightNorm() {
    return rightNorm;
  }

  double initialNorm() {
    return initialNorm;
  }

  double relativeResidual() {
    return finalNorm / rightNorm;
  }

  int steps() {
    return steps;
  }

  /** The residual after each step. */
  double[] residuals() {
    return Arrays.copyOf(residuals, steps);
  }
}
