// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.io.Serializable;
import java.util.Arrays;

/** What is reported of a solve: norms, and the residual behind each step. */
final class SolveLog implements Serializable {
  private static final long serialVersionUID = 1L;

  private double rightNorm;
  private double initialNorm;
  private double finalNorm;
  private double[] residuals = new double[0];

  void begin(double ofRight, double ofResidual) {
    rightNorm = ofRight;
    initialNorm = ofResidual;
  }

  void add(double residual) {
    residuals = Arrays.copyOf(residuals, residuals.length + 1);
    residuals[residuals.length - 1] = residual;
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

  double[] residuals() {
    return residuals;
  }
}
