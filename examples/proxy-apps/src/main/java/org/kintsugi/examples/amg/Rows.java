// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.Arrays;
import org.kintsugi.examples.sparse.CompressedRows;

/** Rows of a matrix with columns by their numbers among all ranks; rows are added one after the other. */
final class Rows {
  private int[] starts = new int[17];
  private int[] columns = new int[128];
  private double[] values = new double[128];
  private int count;

  /** Entries of the row that is not yet ended. */
  private int open;

  void add(int column, double value) {
    int next = starts[count];
    if (next + open == columns.length) {
      columns = Arrays.copyOf(columns, CompressedRows.longer(columns.length));
      values = Arrays.copyOf(values, columns.length);
    }
    columns[next + open] = column;
    values[next + open++] = value;
  }

  void endRow() {
    if (count + 2 > starts.length) {
      starts = Arrays.copyOf(starts, CompressedRows.longer(starts.length));
    }
    starts[count + 1] = starts[count] + open;
    open = 0;
    count++;
  }

  /** Adds a row. */
  void add(RowSum row) {
    for (int i = 0; i < row.size(); i++) {
      add(row.column(i), row.value(i));
    }
    endRow();
  }

  int count() {
    return count;
  }

  int start(int row) {
    return starts[row];
  }

  int end(int row) {
    return starts[row + 1];
  }

  int column(int entry) {
    return columns[entry];
  }

  double value(int entry) {
    return values[entry];
  }

  int entries() {
    return starts[count];
  }
}
