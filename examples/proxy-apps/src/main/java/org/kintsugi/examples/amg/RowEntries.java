// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.Arrays;

/** A copy of one row's entries, with what interpolation asks of their columns; the row may be another rank's. */
final class RowEntries {
  /** In place of a number on the next level. */
  static final int NOT_COARSE = -1;

  private int[] columns = new int[64];
  private double[] values = new double[64];
  private int[] coarse = new int[64];
  private boolean[] strong = new boolean[64];
  private int size;

  void clear() {
    size = 0;
  }

  /**
   * Adds an entry.
   *
   * @param coarseNumber the column's number on the next level, or {@link #NOT_COARSE}
   * @param isStrong whether the row depends on the column strongly
   */
  void add(int column, double value, int coarseNumber, boolean isStrong) {
    if (size == columns.length) {
      columns = Arrays.copyOf(columns, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
      coarse = Arrays.copyOf(coarse, 2 * size);
      strong = Arrays.copyOf(strong, 2 * size);
    }
    columns[size] = column;
    values[size] = value;
    coarse[size] = coarseNumber;
    strong[size++] = isStrong;
  }

  int size() {
    return size;
  }

  int column(int entry) {
    return columns[entry];
  }

  double value(int entry) {
    return values[entry];
  }

  /** The number of the column on the next level. */
  int coarse(int entry) {
    return coarse[entry];
  }

  boolean isCoarse(int entry) {
    return coarse[entry] != NOT_COARSE;
  }

  boolean isStrong(int entry) {
    return strong[entry];
  }

  /** The value in a column; 0 if there is none. */
  double valueAt(int column) {
    for (int i = 0; i < size; i++) {
      if (columns[i] == column) {
        return values[i];
      }
    }
    return 0;
  }
}
