// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

/**
 * A rank's part of the periodic box, and the cells in it: at least as wide as the cutoff, with a layer of halo cells around.
 * Local cells are numbered first, x fastest, then the halo face by face; sums are made in the order of these numbers.
 */
final class CellGrid {
  static final int AXES = 3;

  final int[] ranks;
  final int[] place;
  /** Edges of the whole box. */
  final double[] extent;
  final double[] low;
  final double[] high;
  /** Local cells along each axis. */
  final int[] cells;
  final int localCells;
  final int allCells;
  private final double[] cellsPerLength;
  /** By axis: the ranks on its lower and its upper side. */
  private final int[][] neighbours = new int[AXES][];

  /**
   * @param ranks along each axis
   * @param extent edges of the whole box
   */
  CellGrid(int[] ranks, int rank, double[] extent, double cutoff) {
    this.ranks = ranks.clone();
    this.extent = extent.clone();
    place = new int[] {rank % ranks[0], rank / ranks[0] % ranks[1], rank / ranks[0] / ranks[1]};
    low = new double[AXES];
    high = new double[AXES];
    cells = new int[AXES];
    cellsPerLength = new double[AXES];
    for (int axis = 0; axis < AXES; axis++) {
      low[axis] = place[axis] * extent[axis] / ranks[axis];
      high[axis] = (place[axis] + 1) * extent[axis] / ranks[axis];
      cells[axis] = (int) (extent[axis] / ranks[axis] / cutoff);
      cellsPerLength[axis] = 1.0 / width(extent[axis], ranks[axis], cutoff);
    }
    for (int axis = 0; axis < AXES; axis++) {
      neighbours[axis] = new int[] {rankBeside(axis, -1), rankBeside(axis, 1)};
    }
    localCells = cells[0] * cells[1] * cells[2];
    allCells = (cells[0] + 2) * (cells[1] + 2) * (cells[2] + 2);
  }

  /** The rank one step (-1 or 1) away along an axis; the box is periodic. */
  int neighbour(int axis, int step) {
    return neighbours[axis][step < 0 ? 0 : 1];
  }

  private int rankBeside(int axis, int step) {
    int[] there = place.clone();
    there[axis] = Math.floorMod(place[axis] + step, ranks[axis]);
    return there[0] + ranks[0] * (there[1] + ranks[1] * there[2]);
  }

  /** The change of a coordinate on the way over the box's end; 0 inside of it. */
  double shift(int axis, int step) {
    if (step < 0) {
      return place[axis] == 0 ? extent[axis] : 0.0;
    }
    return place[axis] == ranks[axis] - 1 ? -extent[axis] : 0.0;
  }

  /** The number of a cell; coordinates from -1 to the count are the halo. */
  int cell(int ix, int iy, int iz) {
    int gx = cells[0];
    int gy = cells[1];
    int gz = cells[2];
    int yFaces = localCells + 2 * gy * gz;
    int zFaces = yFaces + 2 * gz * (gx + 2);
    if (iz < 0 || iz == gz) {
      return zFaces + (iz < 0 ? 0 : (gx + 2) * (gy + 2)) + (iy + 1) * (gx + 2) + ix + 1;
    }
    if (iy < 0 || iy == gy) {
      return yFaces + (iy < 0 ? 0 : gz * (gx + 2)) + iz * (gx + 2) + ix + 1;
    }
    if (ix < 0 || ix == gx) {
      return localCells + (ix < 0 ? 0 : gy * gz) + iz * gy + iy;
    }
    return ix + gx * (iy + gy * iz);
  }

  /** The cell of a position that is inside of this part or within a cell's width of it. */
  int cellOf(double x, double y, double z) {
    return cell(index(0, x), index(1, y), index(2, z));
  }

  private int index(int axis, double coordinate) {
    double offset = (coordinate - low[axis]) * cellsPerLength[axis];
    // The halo is a cell wide; half a cell more is for rounding. Fails for what is not a number, too.
    if (!(offset >= -1.5 && offset <= cells[axis] + 1.5)) {
      throw new IllegalStateException(
          "an atom has moved to " + coordinate + " Angstrom along axis " + axis + ", beyond the cells from "
              + low[axis] + " to " + high[axis]
              + " and next to them: the crystal has collapsed, or -D is too long a time step, or -T "
              + "too hot");
    }
    if (coordinate >= high[axis]) {
      return cells[axis];
    }
    // Rounding may take what is just inside of an end over it.
    return Math.max(-1, Math.min((int) Math.floor(offset), cells[axis] - 1));
  }

  /** The width of a cell along an axis. */
  static double width(double extent, int ranks, double cutoff) {
    double local = extent / ranks;
    return local / (int) (local / cutoff);
  }

  /** The cells next to each local cell: its own number and those of its neighbours, x outermost. */
  int[][] neighbourCells() {
    int[][] neighbours = new int[localCells][];
    for (int iz = 0; iz < cells[2]; iz++) {
      for (int iy = 0; iy < cells[1]; iy++) {
        for (int ix = 0; ix < cells[0]; ix++) {
          neighbours[cell(ix, iy, iz)] = block(ix - 1, ix + 1, iy - 1, iy + 1, iz - 1, iz + 1);
        }
      }
    }
    return neighbours;
  }

  /** The cells of a block, bounds included, x outermost. */
  int[] block(int x0, int x1, int y0, int y1, int z0, int z1) {
    int[] block = new int[(x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1)];
    int next = 0;
    for (int ix = x0; ix <= x1; ix++) {
      for (int iy = y0; iy <= y1; iy++) {
        for (int iz = z0; iz <= z1; iz++) {
          block[next++] = cell(ix, iy, iz);
        }
      }
    }
    return block;
  }
}
