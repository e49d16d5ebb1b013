// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.Arrays;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.sparse.Ranks;
import org.kintsugi.examples.sparse.Vectors;

/**
 * GMRES with restarts and a preconditioner on the right, one step at a time. {@link #use} gives it the matrix and the
 * preconditioner, {@link #start} begins a solve, {@link #step} makes a step until it returns true.
 */
final class Gmres {
  static final int RESTART = 20;

  private final Ranks ranks;
  private final int rows;
  private final double[][] basis;
  private final double[][] hessenberg = new double[RESTART + 1][RESTART];
  private final double[] cosines = new double[RESTART];
  private final double[] sines = new double[RESTART];
  private final double[] rotated = new double[RESTART + 1];
  private final double[] y = new double[RESTART];
  private final double[] work;
  private final double[] product;
  private Hierarchy hierarchy;
  private LocalMatrix matrix;
  private double[] ghosted;
  private double rightNorm;
  private double initialNorm;
  private double norm;
  private double estimated;
  private long position;
  private long made;

  /** A solver. @param rows those of this rank */
  Gmres(int rows, Ranks ranks) {
    this.rows = rows;
    this.ranks = ranks;
    basis = new double[RESTART + 1][rows];
    work = new double[rows];
    product = new double[rows];
  }

  /** Solves with this hierarchy's first matrix, of which the values may change; the hierarchy is the preconditioner. */
  void use(Hierarchy newHierarchy) {
    hierarchy = newHierarchy;
    matrix = newHierarchy.finest();
    ghosted = new double[matrix.lengthOfColumns()];
  }

  /** Protects all that a step needs of the one before. */
  void protect(Checkpoint checkpoint) {
    checkpoint.protect("basis", this::basisSoFar, this::setBasis);
    checkpoint.protect("hessenberg", hessenberg);
    checkpoint.protect("cosines", cosines);
    checkpoint.protect("sines", sines);
    checkpoint.protect("rotated", rotated);
    checkpoint.protect("rightNorm", () -> rightNorm, value -> rightNorm = value);
    checkpoint.protect("norm", () -> norm, value -> norm = value);
    checkpoint.protect("position", () -> position, value -> position = value);
    checkpoint.protect("made", () -> made, value -> made = value);
  }

  /** The vectors that steps have made since the last restart; the others are made before they are read. */
  private double[][] basisSoFar() {
    return Arrays.copyOf(basis, (int) position + 1);
  }

  private void setBasis(double[][] restored) {
    for (int j = 0; j < restored.length; j++) {
      System.arraycopy(restored[j], 0, basis[j], 0, rows);
    }
  }

  /** Begins a solve from x. Collective. */
  void start(double[] b, double[] x) {
    rightNorm = norm(b);
    restart(b, x);
    initialNorm = norm;
    made = 0;
  }

  private void restart(double[] b, double[] x) {
    residual(b, x);
    for (int row = 0; row < rows; row++) {
      basis[0][row] = norm == 0 ? 0 : product[row] / norm;
    }
    rotated[0] = norm;
    position = 0;
  }

  private void residual(double[] b, double[] x) {
    System.arraycopy(x, 0, ghosted, 0, rows);
    matrix.multiply(ghosted, product);
    Vectors.add(rows, b, -1.0, product, product);
    norm = norm(product);
  }

  /**
   * Makes a step. Collective.
   *
   * @param tolerance of the residual relative to b
   * @param most steps of the solve
   * @return whether the solve is at its end
   */
  boolean step(double[] b, double[] x, double tolerance, int most) {
    int i = (int) position;
    hierarchy.cycle(basis[i], ghosted);
    matrix.multiply(ghosted, product);
    orthogonalize(i);
    rotate(i);
    position++;
    made++;
    norm = Math.abs(rotated[i + 1]);
    estimated = norm;
    boolean near = norm <= tolerance * rightNorm;
    boolean last = made >= most;
    if (!near && !last && position < RESTART) {
      return false;
    }
    update(x);
    if (near) {
      residual(b, x);
      near = norm <= tolerance * rightNorm;
    }
    if (near || last) {
      return true;
    }
    restart(b, x);
    return false;
  }

  private void orthogonalize(int i) {
    double[] next = basis[i + 1];
    System.arraycopy(product, 0, next, 0, rows);
    for (int j = 0; j <= i; j++) {
      hessenberg[j][i] = ranks.sum(Vectors.dot(rows, basis[j], next));
      Vectors.add(rows, next, -hessenberg[j][i], basis[j], next);
    }
    double length = norm(next);
    hessenberg[i + 1][i] = length;
    if (length != 0) {
      double factor = 1.0 / length;
      for (int row = 0; row < rows; row++) {
        next[row] *= factor;
      }
    }
  }

  private void rotate(int i) {
    for (int j = 0; j < i; j++) {
      double above = hessenberg[j][i];
      hessenberg[j][i] = sines[j] * hessenberg[j + 1][i] + cosines[j] * above;
      hessenberg[j + 1][i] = -sines[j] * above + cosines[j] * hessenberg[j + 1][i];
    }
    double length = Math.sqrt(hessenberg[i][i] * hessenberg[i][i] + hessenberg[i + 1][i] * hessenberg[i + 1][i]);
    length = length == 0 ? Double.MIN_NORMAL : length;
    cosines[i] = hessenberg[i][i] / length;
    sines[i] = hessenberg[i + 1][i] / length;
    rotated[i + 1] = -hessenberg[i + 1][i] / length * rotated[i];
    rotated[i] = cosines[i] * rotated[i];
    hessenberg[i][i] = sines[i] * hessenberg[i + 1][i] + cosines[i] * hessenberg[i][i];
  }

  private void update(double[] x) {
    int size = (int) position;
    for (int k = size - 1; k >= 0; k--) {
      double sum = rotated[k];
      for (int j = k + 1; j < size; j++) {
        sum -= hessenberg[k][j] * y[j];
      }
      // 0 where an earlier step has found the solution already: this one's vector has no length then, and adds nothing.
      y[k] = hessenberg[k][k] == 0 ? 0 : sum / hessenberg[k][k];
    }
    Arrays.fill(work, 0);
    for (int j = size - 1; j >= 0; j--) {
      Vectors.add(rows, work, y[j], basis[j], work);
    }
    hierarchy.cycle(work, ghosted);
    Vectors.add(rows, x, 1.0, ghosted, x);
  }

  private double norm(double[] vector) {
    return Math.sqrt(ranks.sum(Vectors.dot(rows, vector, vector)));
  }

  /** The norm of the residual, as the last step estimates it; after a solve to a tolerance, the exact one. */
  double norm() {
    return norm;
  }

  /** As {@link #start} has computed it: no version has it, as nothing reads it after a step. */
  double initialNorm() {
    return initialNorm;
  }

  double rightNorm() {
    return rightNorm;
  }

  /** As the last step has estimated it. */
  double estimated() {
    return estimated;
  }

  /** Whether nothing is left to solve: {@link #step} needs a residual. */
  boolean isExact() {
    return norm == 0;
  }
}
