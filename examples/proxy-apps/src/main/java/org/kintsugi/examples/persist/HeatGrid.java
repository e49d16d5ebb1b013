// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.persist;

import java.util.Arrays;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/**
 * One process's rows of a plate: temperatures, with a row of the neighbour's above and below and a fixed edge left and right. The
 * left edge of the plate is hot, the others are cold; a five-point stencil in space, one explicit step in time.
 */
final class HeatGrid {
  private static final double DIFFUSION = 0.2;
  private static final double HOT = 100;
  private static final int UP_TAG = 11;
  private static final int DOWN_TAG = 12;

  private final int columns;
  private final int rows;
  private double[] now;
  private double[] next;

  HeatGrid(int columns, int rows) {
    this.columns = columns;
    this.rows = rows;
    now = new double[(rows + 2) * columns];
    for (int r = 0; r < rows + 2; r++) {
      now[r * columns] = HOT;
    }
    next = now.clone();
  }

  /** The rows of this process without its neighbours': what makes the rest again. */
  Buf state() {
    return Buf.wrap(now, columns, rows * columns);
  }

  double average() {
    double sum = 0;
    for (int k = columns; k < (rows + 1) * columns; k++) {
      sum += now[k];
    }
    return sum / ((double) rows * columns);
  }

  /** The fixed edges stay as they are. */
  void fill(double temperature) {
    for (int r = 1; r <= rows; r++) {
      Arrays.fill(now, r * columns + 1, (r + 1) * columns - 1, temperature);
    }
  }

  /** From and to the processes above and below. */
  void exchangeBoundaries(Comm comm) {
    int above = comm.rank() == 0 ? Comm.PROC_NULL : comm.rank() - 1;
    int below = comm.rank() == comm.size() - 1 ? Comm.PROC_NULL : comm.rank() + 1;
    comm.sendRecv(row(1), above, UP_TAG, row(rows + 1), below, UP_TAG);
    comm.sendRecv(row(rows), below, DOWN_TAG, row(0), above, DOWN_TAG);
  }

  private Buf row(int r) {
    return Buf.wrap(now, r * columns, columns);
  }

  void step() {
    for (int r = 1; r <= rows; r++) {
      int row = r * columns;
      next[row] = now[row];
      next[row + columns - 1] = now[row + columns - 1];
      for (int k = row + 1; k < row + columns - 1; k++) {
        next[k] = now[k] + DIFFUSION * (now[k - 1] + now[k + 1] + now[k - columns] + now[k + columns] - 4 * now[k]);
      }
    }
    double[] old = now;
    now = next;
    next = old;
  }

  /** A hash of every bit of every temperature. */
  long hash() {
    long hash = 1;
    for (int k = columns; k < (rows + 1) * columns; k++) {
      hash = hash * 31 + Double.doubleToRawLongBits(now[k]);
    }
    return hash;
  }
}
