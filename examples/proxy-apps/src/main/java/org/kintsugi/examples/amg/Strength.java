// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

/** The strong dependencies of each row: entries that are large beside its largest one. */
final class Strength {
  private static final double THRESHOLD = 0.25;
  /** Rows whose sum is a greater part of the diagonal depend on none. */
  private static final double MOST_ROW_SUM = 0.9;

  /** The dependencies as a graph. */
  final Rows graph = new Rows();
  /** Whether an entry of the matrix is one of them. */
  final boolean[] strong;

  /** @param first the number of row 0 */
  Strength(Rows matrix, int first) {
    strong = new boolean[matrix.entries()];
    for (int row = 0; row < matrix.count(); row++) {
      double sum = 0;
      double diagonal = 0;
      double largest = 0;
      for (int k = matrix.start(row); k < matrix.end(row); k++) {
        double value = matrix.value(k);
        sum += value;
        if (matrix.column(k) == first + row) {
          diagonal = value;
        } else {
          largest = Math.max(largest, -value);
        }
      }
      if (Math.abs(sum) <= MOST_ROW_SUM * Math.abs(diagonal)) {
        for (int k = matrix.start(row); k < matrix.end(row); k++) {
          strong[k] = matrix.column(k) != first + row && -matrix.value(k) > THRESHOLD * largest;
          if (strong[k]) {
            graph.add(matrix.column(k), 1);
          }
        }
      }
      graph.endRow();
    }
  }
}
