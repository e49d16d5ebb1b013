// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.kintsugi.examples.sparse.CompressedRows;
import org.kintsugi.examples.sparse.GhostLayout;

/**
 * One rank's rows of the 27-point operator, in compressed rows; ranks are stacked along z.
 *
 * <p>Columns are local indices: 0 to rows - 1 are owned, then follows the ghost plane below (if
 * there is a rank below), then the one above. Entries of a row have the order of the stencil, which
 * is the order of summation.
 */
public final class StencilMatrix {
  /** All other entries are -1. */
  private static final double DIAGONAL = 27.0;

  private final int nx;
  private final int ny;
  private final int nz;
  private final int rank;
  private final int ranks;
  private final boolean hasLower;
  private final boolean hasUpper;
  private final int[] rowStart;
  private final int[] columns;
  private final double[] values;
  private final double[] rightHandSide;
  private final GhostLayout layout;

  /**
   * The rows of one rank of so many; nx, ny and nz are the size of its block.
   *
   * @throws IllegalArgumentException if a block has more entries than an array can hold
   */
  public StencilMatrix(int nx, int ny, int nz, int rank, int ranks) {
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
    this.rank = rank;
    this.ranks = ranks;
    hasLower = rank > 0;
    hasUpper = rank < ranks - 1;
    String objection = objection(nx, ny, nz, ranks);
    if (objection != null) {
      throw new IllegalArgumentException(objection);
    }
    int entries = entries();
    int rows = ownedRows();
    rowStart = new int[rows + 1];
    columns = new int[entries];
    values = new double[entries];
    rightHandSide = new double[rows];
    layout = makeLayout(rows);
    int[] offsets = offsets();
    int next = 0;
    for (int iz = 0; iz < nz; iz++) {
      for (int iy = 0; iy < ny; iy++) {
        next = addLine(iy, iz, offsets, next);
      }
    }
  }

  private int addLine(int iy, int iz, int[] offsets, int start) {
    boolean inner = iz > 0 && iz < nz - 1 && iy > 0 && iy < ny - 1;
    int row = localIndex(0, iy, iz);
    int next = start;
    for (int ix = 0; ix < nx; ix++, row++) {
      if (inner && ix > 0 && ix < nx - 1) {
        next = addInnerRow(row, offsets, next);
      } else {
        next = addRow(ix, iy, iz, next);
      }
    }
    return next;
  }

  /** Why ranks with such blocks cannot be, by name; null: they can. */
  static String objection(int nx, int ny, int nz, int ranks) {
    double most = mostEntries(nx, ny, 3.0 * nz - (ranks == 1 ? 2 : ranks == 2 ? 1 : 0));
    return most <= CompressedRows.MOST_ENTRIES ? null
        : "a block of " + nx + " x " + ny + " x " + nz + " points has more than " + CompressedRows.MOST_ENTRIES
            + " matrix entries: use more ranks with smaller blocks";
  }

  private static double mostEntries(int nx, int ny, double inZ) {
    return (3.0 * nx - 2) * (3.0 * ny - 2) * inZ;
  }

  /** Along an axis a point sees itself and two neighbours; the first and the last see one less unless a rank is there. */
  private int entries() {
    double inZ = 3.0 * nz - (hasLower ? 0 : 1) - (hasUpper ? 0 : 1);
    return (int) mostEntries(nx, ny, inZ);
  }

  /** A neighbour gets the plane next to it, and gives one. */
  private GhostLayout makeLayout(int rows) {
    int plane = nx * ny;
    IntStream neighbours = IntStream.of(rank - 1, rank + 1).filter(other -> other >= 0 && other < ranks);
    List<int[]> sends = new ArrayList<>();
    if (hasLower) {
      sends.add(IntStream.range(0, plane).toArray());
    }
    if (hasUpper) {
      sends.add(IntStream.range(rows - plane, rows).toArray());
    }
    int[] ghosts = new int[sends.size()];
    Arrays.fill(ghosts, plane);
    return new GhostLayout(rows, neighbours.toArray(), sends.toArray(int[][]::new), ghosts);
  }

  /** A row whose 27 columns are all owned: a replacement's way into the loop leads through here, so it is the quick way. */
  private int addInnerRow(int row, int[] offsets, int start) {
    for (int i = 0; i < offsets.length; i++) {
      columns[start + i] = row + offsets[i];
      values[start + i] = -1.0;
    }
    values[start + offsets.length / 2] = DIAGONAL;
    rightHandSide[row] = DIAGONAL - (offsets.length - 1);
    rowStart[row + 1] = start + offsets.length;
    return start + offsets.length;
  }

  /** The distances of a point to its 27 neighbours, itself included, in the order of the stencil. */
  private int[] offsets() {
    int[] offsets = new int[CompressedRows.STENCIL];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = (i / 9 - 1) * nx * ny + (i / 3 % 3 - 1) * nx + i % 3 - 1;
    }
    return offsets;
  }

  private int addRow(int ix, int iy, int iz, int start) {
    int row = localIndex(ix, iy, iz);
    int next = start;
    for (int sz = -1; sz <= 1; sz++) {
      int plane = iz + sz;
      if (plane < 0 && !hasLower || plane >= nz && !hasUpper) {
        continue;
      }
      for (int y = Math.max(iy - 1, 0); y <= Math.min(iy + 1, ny - 1); y++) {
        for (int x = Math.max(ix - 1, 0); x <= Math.min(ix + 1, nx - 1); x++) {
          int column = localIndex(x, y, plane);
          columns[next] = column;
          values[next] = column == row ? DIAGONAL : -1.0;
          next++;
        }
      }
    }
    rightHandSide[row] = DIAGONAL - (next - start - 1);
    rowStart[row + 1] = next;
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

  /** Whether these are the rows of a rank of so many. */
  boolean isOf(int rank, int ranks) {
    return this.rank == rank && this.ranks == ranks;
  }

  /** Rows of this rank. */
  public int rows() {
    return rightHandSide.length;
  }

  /** What neighbours exchange of a vector, and how long it is with that. */
  GhostLayout layout() {
    return layout;
  }

  /** Entries that are stored. */
  public long nonzeros() {
    return values.length;
  }

  /** b, such that the solution is all ones. */
  public double[] rightHandSide() {
    return rightHandSide;
  }

  /** The index of a row's first entry; row {@link #rows()}: the end of the last one. */
  int rowStart(int row) {
    return rowStart[row];
  }

  /** The column of an entry. */
  int column(int entry) {
    return columns[entry];
  }

  /** The value of an entry. */
  double value(int entry) {
    return values[entry];
  }

  /** y = A x; x with its ghosts. Each row is summed from left to right. */
  public void multiply(double[] x, double[] y) {
    CompressedRows.multiply(rowStart, columns, values, x, y);
  }
}
