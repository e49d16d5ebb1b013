// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import java.util.Arrays;

/**
 * One rank's rows of the 27-point operator, in compressed rows; ranks are stacked along z.
 *
 * <p>Columns are local indices: 0 to rows - 1 are owned, then follows the ghost plane below (if there is a rank below), then
 * the one above. Entries of a row stand in the order of the stencil, which is the order of summation.
 */
public final class StencilMatrix {
  private final int nx;
  private final int ny;
  private final int nz;
  private final boolean hasLower;
  private final boolean hasUpper;
  private final int[] rowStart;
  private final int[] columns;
  private final double[] values;
  private final double[] rightHandSide;

  /** The rows of one rank of so many; nx, ny and nz are the size of its block. */
  public StencilMatrix(int nx, int ny, int nz, int rank, int ranks) {
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
    hasLower = rank > 0;
    hasUpper = rank < ranks - 1;
    int rows = Math.multiplyExact(Math.multiplyExact(nx, ny), nz);
    rowStart = new int[rows + 1];
    rightHandSide = new double[rows];
    int[] column = new int[Math.multiplyExact(rows, 27)];
    int entries = 0;
    for (int iz = 0; iz < nz; iz++) {
      for (int iy = 0; iy < ny; iy++) {
        for (int ix = 0; ix < nx; ix++) {
          int row = (iz * ny + iy) * nx + ix;
          entries = addRow(ix, iy, iz, column, entries);
          rowStart[row + 1] = entries;
          rightHandSide[row] = 27.0 - (entries - rowStart[row] - 1);
        }
      }
    }
    columns = Arrays.copyOf(column, entries);
    values = new double[entries];
    for (int row = 0; row < rows; row++) {
      for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
        values[k] = columns[k] == row ? 27.0 : -1.0;
      }
    }
  }

  private int addRow(int ix, int iy, int iz, int[] column, int entries) {
    int next = entries;
    for (int sz = -1; sz <= 1; sz++) {
      int plane = iz + sz;
      if (plane < 0 && !hasLower || plane >= nz && !hasUpper) {
        continue;
      }
      for (int sy = -1; sy <= 1; sy++) {
        for (int sx = -1; sx <= 1; sx++) {
          int x = ix + sx;
          int y = iy + sy;
          if (x >= 0 && x < nx && y >= 0 && y < ny) {
            column[next++] = localIndex(x, y, plane);
          }
        }
      }
    }
    return next;
  }

  private int localIndex(int x, int y, int plane) {
    int inPlane = y * nx + x;
    if (plane < 0) {
      return ownedRows() + inPlane;
    }
    if (plane >= nz) {
      return ownedRows() + (hasLower ? nx * ny : 0) + inPlane;
    }
    return plane * nx * ny + inPlane;
  }

  private int ownedRows() {
    return nx * ny * nz;
  }

  /** Rows of this rank. */
  public int rows() {
    return rightHandSide.length;
  }

  /** Values of a ghost plane. */
  public int plane() {
    return nx * ny;
  }

  /** Length of a vector with its ghosts. */
  public int lengthWithGhosts() {
    return rows() + (hasLower ? plane() : 0) + (hasUpper ? plane() : 0);
  }

  /** Entries that are stored. */
  public long nonzeros() {
    return values.length;
  }

  /** b, such that the solution is all ones. */
  public double[] rightHandSide() {
    return rightHandSide;
  }

  /** y = A x; x with its ghosts. Each row is summed from left to right. */
  public void multiply(double[] x, double[] y) {
    multiply(rowStart, columns, values, x, y);
  }

  private static void multiply(int[] rowStart, int[] columns, double[] values, double[] x, double[] y) {
    int rows = y.length;
    int end = rowStart[0];
    for (int row = 0; row < rows; row++) {
      int k = end;
      end = rowStart[row + 1];
      double sum = 0.0;
      // Unrolled for the JIT; one accumulator, so the order of the sum is kept.
      for (; k + 2 < end; k += 3) {
        sum += values[k] * x[columns[k]];
        sum += values[k + 1] * x[columns[k + 1]];
        sum += values[k + 2] * x[columns[k + 2]];
      }
      for (; k < end; k++) {
        sum += values[k] * x[columns[k]];
      }
      y[row] = sum;
    }
  }
}
