// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

import java.util.Arrays;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.sparse.Ghosts;
import org.kintsugi.examples.sparse.Sums;
import org.kintsugi.examples.sparse.Vectors;

/**
 * The solver's state and its iterations. {@link #begin} or a restored version first, then {@link #iterate} for k = 1, 2, ... as
 * long as {@link #residual} is above {@link #TOLERANCE}.
 */
final class ConjugateGradient {
  static final int MOST_ITERATIONS = 200;
  static final double TOLERANCE = Math.ulp(1.0);

  private final HeatMatrix matrix;
  private final Ghosts ghosts;
  private final Sums sums;
  private final int rows;
  private final double[] x;
  private final double[] r;
  private final double[] p;
  private final double[] ap;
  private final double[] residuals = new double[MOST_ITERATIONS + 1];
  private double rtrans;
  private double normr;
  private double breakdown;

  ConjugateGradient(HeatMatrix matrix, int lengthWithGhosts, Ghosts ghosts, Sums sums) {
    this.matrix = matrix;
    this.ghosts = ghosts;
    this.sums = sums;
    rows = matrix.rows();
    x = new double[rows];
    r = new double[rows];
    p = new double[lengthWithGhosts];
    ap = new double[rows];
  }

  /**
   * Protects all that an iteration needs of the one before, and the residuals so far. The matrix, b and the ghosts are made anew;
   * k is the version's number.
   */
  void protect(Checkpoint checkpoint) {
    checkpoint.protect("x", x);
    checkpoint.protect("r", r);
    checkpoint.protect("p", p);
    checkpoint.protect("residuals", residuals);
    checkpoint.protect("rtrans", () -> rtrans, value -> rtrans = value);
    checkpoint.protect("normr", () -> normr, value -> normr = value);
    checkpoint.protect("breakdown", () -> breakdown, value -> breakdown = value);
  }

  /** Starts from x = 0. */
  void begin() {
    Arrays.fill(x, 0.0);
    Arrays.fill(p, 0.0);
    ghosts.fill(p);
    matrix.multiply(p, ap);
    Vectors.add(rows, matrix.rightHandSide(), -1.0, ap, r);
    rtrans = dot(r, r);
    normr = Math.sqrt(rtrans);
    breakdown = TOLERANCE;
    residuals[0] = normr;
  }

  /**
   * Iteration k.
   *
   * @throws ArithmeticException if the matrix is not positive definite for the direction, or the step is only rounding
   */
  void iterate(int k) {
    if (k == 1) {
      System.arraycopy(r, 0, p, 0, rows);
    } else {
      double old = rtrans;
      rtrans = dot(r, r);
      Vectors.add(rows, r, rtrans / old, p, p);
    }
    normr = Math.sqrt(rtrans);
    residuals[k] = normr;
    if (rtrans == 0.0) {
      return; // x is exact
    }
    ghosts.fill(p);
    matrix.multiply(p, ap);
    double curvature = dot(ap, p);
    if (curvature < breakdown) {
      if (curvature < 0.0 || isRounding(curvature)) {
        throw new ArithmeticException(
            "iteration " + k + ": <Ap, p> is " + curvature + "; conjugate gradients cannot go on from a "
                + "residual of " + normr);
      }
      breakdown = 0.1 * curvature;
    }
    double alpha = rtrans / curvature;
    Vectors.add(rows, x, alpha, p, x);
    Vectors.add(rows, r, -alpha, ap, r);
  }

  private boolean isRounding(double curvature) {
    double norms = Math.sqrt(dot(ap, ap)) * Math.sqrt(dot(p, p));
    return Math.abs(curvature) <= 100 * norms * TOLERANCE;
  }

  private double dot(double[] a, double[] b) {
    return sums.sum(Vectors.dot(rows, a, b));
  }

  /** The residual's norm that the last iteration has started with. */
  double residual() {
    return normr;
  }

  /** The residual before the first iteration, then those of the iterations. */
  double[] residuals(int iterations) {
    return Arrays.copyOf(residuals, iterations + 1);
  }

  /** The owned part of the solution. */
  double[] solution() {
    return x;
  }
}
