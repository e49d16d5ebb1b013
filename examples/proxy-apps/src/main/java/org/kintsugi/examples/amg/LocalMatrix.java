// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.Arrays;
import org.kintsugi.examples.sparse.CompressedRows;
import org.kintsugi.examples.sparse.Ghosts;

/** A rank's rows for products: flat arrays, local columns. Nothing is allocated after the constructor. */
final class LocalMatrix {
  final int rows;
  private final int[] starts;
  private final int[] columns;
  private final double[] values;
  private final Ghosts ghosts;
  private final int length;

  /** @param around of the columns */
  LocalMatrix(Rows matrix, Neighbourhood around) {
    rows = matrix.count();
    ghosts = around.ghosts;
    length = around.layout.lengthWithGhosts();
    starts = new int[rows + 1];
    columns = new int[matrix.entries()];
    values = new double[matrix.entries()];
    for (int row = 0; row < rows; row++) {
      starts[row + 1] = matrix.end(row);
    }
    for (int k = 0; k < columns.length; k++) {
      columns[k] = around.local(matrix.column(k));
      values[k] = matrix.value(k);
    }
  }

  /** y = A x; the ghosts of x are filled. Collective. */
  void multiply(double[] x, double[] y) {
    ghosts.fill(x);
    CompressedRows.multiply(starts, columns, values, x, y);
  }

  /** y = A^T x; y has room for ghosts, which hold what other ranks were given. Collective. */
  void multiplyTransposed(double[] x, double[] y) {
    Arrays.fill(y, 0);
    for (int row = 0; row < rows; row++) {
      double value = x[row];
      for (int k = starts[row]; k < starts[row + 1]; k++) {
        y[columns[k]] += values[k] * value;
      }
    }
    ghosts.addBack(y);
  }

  /** Length of a vector that it is multiplied by, ghosts included. */
  int lengthOfColumns() {
    return length;
  }

  /** The sums of a row's absolute values. */
  double[] absoluteRowSums() {
    double[] sums = new double[rows];
    for (int row = 0; row < rows; row++) {
      for (int k = starts[row]; k < starts[row + 1]; k++) {
        sums[row] += Math.abs(values[k]);
      }
    }
    return sums;
  }

  /** Sets each entry of the diagonal, of a square matrix. */
  void setDiagonal(double value) {
    for (int row = 0; row < rows; row++) {
      for (int k = starts[row]; k < starts[row + 1]; k++) {
        if (columns[k] == row) {
          values[k] = value;
        }
      }
    }
  }
}
