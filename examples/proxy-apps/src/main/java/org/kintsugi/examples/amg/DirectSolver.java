// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.Arrays;
import org.kintsugi.examples.sparse.Ranks;

/** Gaussian elimination of the last level, which every rank has in full. */
final class DirectSolver {
  private static final int NUMBERS = 3;

  private final Ranks ranks;
  private final Ranges ranges;
  private final int size;
  private final double[] matrix;
  private final double[] right;
  private final double[] factors;

  /** Collective. */
  DirectSolver(Rows rows, Ranges ranges, Ranks ranks) {
    this.ranks = ranks;
    this.ranges = ranges;
    size = ranges.total();
    matrix = new double[size * size];
    factors = new double[size * size];
    right = new double[size];
    LongList entries = new LongList();
    for (int rank = 0; rank < ranks.size(); rank++) {
      for (int row = 0; row < rows.count(); row++) {
        for (int k = rows.start(row); k < rows.end(row); k++) {
          entries.add((long) (ranges.first() + row));
          entries.add((long) rows.column(k));
          entries.add(rows.value(k));
        }
      }
    }
    int[] sent = new int[ranks.size()];
    Arrays.fill(sent, NUMBERS * rows.entries());
    long[] all = ranks.exchange(entries.array(), sent, new int[ranks.size()]);
    for (int i = 0; i < all.length; i += NUMBERS) {
      matrix[(int) all[i] * size + (int) all[i + 1]] = Double.longBitsToDouble(all[i + 2]);
    }
  }

  /** Solves for this rank's part. Collective. */
  void solve(double[] mine, double[] solution) {
    Arrays.fill(right, 0);
    System.arraycopy(mine, 0, right, ranges.first(), ranges.count());
    ranks.sum(right);
    System.arraycopy(matrix, 0, factors, 0, factors.length);
    for (int k = 0; k < size - 1; k++) {
      for (int row = k + 1; factors[k * size + k] != 0 && row < size; row++) {
        if (factors[row * size + k] != 0) {
          double factor = factors[row * size + k] / factors[k * size + k];
          for (int column = k + 1; column < size; column++) {
            factors[row * size + column] -= factor * factors[k * size + column];
          }
          right[row] -= factor * right[k];
        }
      }
    }
    for (int k = size - 1; k >= 0; k--) {
      right[k] /= factors[k * size + k];
      for (int row = 0; row < k; row++) {
        right[row] -= right[k] * factors[row * size + k];
      }
    }
    System.arraycopy(right, ranges.first(), solution, 0, ranges.count());
  }
}
