// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import java.util.Arrays;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.sparse.Ghosts;
import org.kintsugi.examples.sparse.Ranks;
import org.kintsugi.examples.sparse.Vectors;

/**
 * The solver's state and its passes. {@link #begin} or a restored version first, then {@link #pass} for k = 1, 2, ...
 */
final class ConjugateGradient {
  private final StencilMatrix matrix;
  private final Ranks ranks;
  private final Ghosts ghosts;
  private final int rows;
  private final double[] x;
  private final double[] r;
  private final double[] p;
  private final double[] ap;
  private final double[] residuals;
  /** How many residuals there are: a checkpoint has these, and not the room for those to come. */
  private int made;
  private double rtrans;
  private double normr;

  /** Passes are 1 to {@code maxIterations - 1}. Collective. */
  ConjugateGradient(StencilMatrix matrix, Ranks ranks, int maxIterations) {
    this.matrix = matrix;
    this.ranks = ranks;
    ghosts = ranks.ghosts(matrix.layout());
    rows = matrix.rows();
    x = new double[rows];
    r = new double[rows];
    p = new double[matrix.layout().lengthWithGhosts()];
    ap = new double[rows];
    residuals = new double[maxIterations];
  }

  /**
   * Protects all that a pass needs of the one before: with it (and k, the version's number) a resumed run repeats the
   * undisturbed one bit for bit, the residuals before the failure included. The matrix, b and the ghosts are made anew.
   */
  void protect(Checkpoint checkpoint) {
    checkpoint.protect("x", x);
    checkpoint.protect("r", r);
    checkpoint.protect("p", p);
    checkpoint.protect("residuals", () -> Arrays.copyOf(residuals, made), restored -> {
      made = restored.length;
      System.arraycopy(restored, 0, residuals, 0, made);
    });
    checkpoint.protect("rtrans", () -> rtrans, value -> rtrans = value);
    checkpoint.protect("normr", () -> normr, value -> normr = value);
  }

  /** Starts from x = 0. */
  void begin() {
    Arrays.fill(x, 0.0);
    System.arraycopy(x, 0, p, 0, rows);
    ghosts.fill(p);
    matrix.multiply(p, ap);
    Vectors.add(rows, matrix.rightHandSide(), -1.0, ap, r);
    rtrans = dot(r, r);
    normr = Math.sqrt(rtrans);
    residuals[0] = normr;
    made = 1;
  }

  /** Pass k. */
  void pass(int k) {
    if (k == 1) {
      System.arraycopy(r, 0, p, 0, rows);
    } else {
      double old = rtrans;
      rtrans = dot(r, r);
      Vectors.add(rows, r, rtrans / old, p, p);
    }
    normr = Math.sqrt(rtrans);
    residuals[k] = normr;
    made = k + 1;
    if (rtrans == 0.0) {
      return; // x is exact; the original divides by 0 here, and x is no number any more
    }
    ghosts.fill(p);
    matrix.multiply(p, ap);
    double alpha = rtrans / dot(p, ap);
    Vectors.add(rows, x, alpha, p, x);
    Vectors.add(rows, r, -alpha, ap, r);
  }

  private double dot(double[] a, double[] b) {
    return ranks.sum(Vectors.dot(rows, a, b));
  }

  /** The residual of the last pass. */
  double residual() {
    return normr;
  }

  /** The residual before the first pass, then those of {@code passes} passes. */
  double[] residuals(int passes) {
    return Arrays.copyOf(residuals, passes + 1);
  }

  /** The solution at this rank's first row. */
  double firstOfX() {
    return x[0];
  }

  /** The largest difference from the exact solution, all ones. Collective. */
  double maxError() {
    double largest = 0.0;
    for (double value : x) {
      largest = Math.max(largest, Math.abs(value - 1.0));
    }
    return ranks.max(largest);
  }

  /** The sum of the solution. Collective. */
  double sumX() {
    double sum = 0.0;
    for (double value : x) {
      sum += value;
    }
    return ranks.sum(sum);
  }
}
