// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

/** One level's part of a cycle, and its vectors. */
final class Level {
  final LocalMatrix matrix;
  /** To this level from the next; null on the last. */
  final LocalMatrix interpolation;
  final double[] solution;
  final double[] right;
  private final double[] product;
  private final double[] weights;

  /** @param length of a vector of this level with the ghosts of the matrix and of the interpolation that leads here */
  Level(LocalMatrix matrix, LocalMatrix interpolation, int length) {
    this.matrix = matrix;
    this.interpolation = interpolation;
    solution = new double[length];
    right = new double[length];
    product = new double[matrix.rows];
    weights = matrix.absoluteRowSums();
  }

  /** The first sweep of l1-Jacobi, from zero. */
  void smoothZero() {
    for (int row = 0; row < matrix.rows; row++) {
      solution[row] = right[row] / weights[row];
    }
  }

  /** A sweep of l1-Jacobi. Collective. */
  void smooth() {
    matrix.multiply(solution, product);
    for (int row = 0; row < matrix.rows; row++) {
      solution[row] += (right[row] - product[row]) / weights[row];
    }
  }

  /** The residual goes to the next level. Collective. */
  void restrict(Level next) {
    matrix.multiply(solution, product);
    for (int row = 0; row < matrix.rows; row++) {
      product[row] = right[row] - product[row];
    }
    interpolation.multiplyTransposed(product, next.right);
  }

  /** The next level's correction comes back. Collective. */
  void correct(Level next) {
    interpolation.multiply(next.solution, product);
    for (int row = 0; row < matrix.rows; row++) {
      solution[row] += product[row];
    }
  }
}
