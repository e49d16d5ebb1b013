// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import java.util.Arrays;

/** The atoms of a rank, in cells: cell c has its atoms at c * {@link #ROOM} and on. */
final class Atoms {
  /** The most atoms of a cell. */
  static final int ROOM = 64;
  /** The numbers that {@link #pack} writes for each atom: number, position, momentum, force. */
  private static final int PACKED = 10;

  final CellGrid grid;
  /** How many atoms each cell has. */
  final int[] count;
  final int[] id;
  final double[] x;
  final double[] y;
  final double[] z;
  final double[] px;
  final double[] py;
  final double[] pz;
  final double[] fx;
  final double[] fy;
  final double[] fz;

  Atoms(CellGrid grid) {
    this.grid = grid;
    count = new int[grid.allCells];
    int slots = grid.allCells * ROOM;
    id = new int[slots];
    x = new double[slots];
    y = new double[slots];
    z = new double[slots];
    px = new double[slots];
    py = new double[slots];
    pz = new double[slots];
    fx = new double[slots];
    fy = new double[slots];
    fz = new double[slots];
  }

  /** Puts an atom where it belongs. */
  void add(int number, double rx, double ry, double rz, double mx, double my, double mz) {
    int slot = newSlot(grid.cellOf(rx, ry, rz));
    id[slot] = number;
    x[slot] = rx;
    y[slot] = ry;
    z[slot] = rz;
    px[slot] = mx;
    py[slot] = my;
    pz[slot] = mz;
  }

  private int newSlot(int cell) {
    if (count[cell] == ROOM) {
      throw new IllegalStateException(
          "cell " + cell + " has more than " + ROOM + " atoms: the crystal has collapsed, or -D is too"
              + " long a time step, -T too hot, or -r too small");
    }
    return cell * ROOM + count[cell]++;
  }

  int localAtoms() {
    int atoms = 0;
    for (int cell = 0; cell < grid.localCells; cell++) {
      atoms += count[cell];
    }
    return atoms;
  }

  /** How many atoms these cells have. */
  int in(int[] cells) {
    int atoms = 0;
    for (int cell : cells) {
      atoms += count[cell];
    }
    return atoms;
  }

  void emptyHalo() {
    for (int cell = grid.localCells; cell < grid.allCells; cell++) {
      count[cell] = 0;
    }
  }

  /** Moves every local atom to the cell of its position, which may be one of the halo. */
  void moveToCells() {
    for (int cell = 0; cell < grid.localCells; cell++) {
      int i = 0;
      while (i < count[cell]) {
        int slot = cell * ROOM + i;
        int target = grid.cellOf(x[slot], y[slot], z[slot]);
        if (target == cell) {
          i++;
        } else {
          copy(slot, newSlot(target));
          count[cell]--;
          // The last one fills the gap, and is looked at in its turn.
          copy(cell * ROOM + count[cell], slot);
        }
      }
    }
  }

  private void copy(int from, int to) {
    id[to] = id[from];
    x[to] = x[from];
    y[to] = y[from];
    z[to] = z[from];
    px[to] = px[from];
    py[to] = py[from];
    pz[to] = pz[from];
  }

  /** Sorts every cell, halo included, by number: then sums, and messages without numbers, have the same order everywhere. */
  void sortCells() {
    for (int cell = 0; cell < grid.allCells; cell++) {
      int first = cell * ROOM;
      for (int slot = first + 1; slot < first + count[cell]; slot++) {
        if (id[slot] < id[slot - 1]) {
          insert(first, slot);
        }
      }
    }
  }

  private void insert(int first, int slot) {
    int number = id[slot];
    double rx = x[slot];
    double ry = y[slot];
    double rz = z[slot];
    double mx = px[slot];
    double my = py[slot];
    double mz = pz[slot];
    int to = slot;
    while (to > first && id[to - 1] > number) {
      copy(to - 1, to);
      to--;
    }
    id[to] = number;
    x[to] = rx;
    y[to] = ry;
    z[to] = rz;
    px[to] = mx;
    py[to] = my;
    pz[to] = mz;
  }

  void clearForces() {
    int slots = grid.localCells * ROOM;
    Arrays.fill(fx, 0, slots, 0.0);
    Arrays.fill(fy, 0, slots, 0.0);
    Arrays.fill(fz, 0, slots, 0.0);
  }

  /**
   * The atoms of all local cells in one array. First the counts of the cells, then the numbers of
   * the atoms, then each property of all atoms. Its length depends on the number of atoms of the
   * rank.
   */
  double[] pack() {
    double[] packed = new double[grid.localCells + PACKED * localAtoms()];
    int next = 0;
    for (int cell = 0; cell < grid.localCells; cell++) {
      packed[next++] = count[cell];
    }
    for (int cell = 0; cell < grid.localCells; cell++) {
      for (int slot = cell * ROOM; slot < cell * ROOM + count[cell]; slot++) {
        packed[next++] = id[slot];
      }
    }
    for (double[] property : properties()) {
      for (int cell = 0; cell < grid.localCells; cell++) {
        System.arraycopy(property, cell * ROOM, packed, next, count[cell]);
        next += count[cell];
      }
    }
    return packed;
  }

  private double[][] properties() {
    return new double[][] {x, y, z, px, py, pz, fx, fy, fz};
  }

  /** Puts back what {@link #pack} has returned. */
  void unpack(double[] packed) {
    int next = 0;
    for (int cell = 0; cell < grid.localCells; cell++) {
      count[cell] = (int) packed[next++];
    }
    for (int cell = 0; cell < grid.localCells; cell++) {
      for (int slot = cell * ROOM; slot < cell * ROOM + count[cell]; slot++) {
        id[slot] = (int) packed[next++];
      }
    }
    for (double[] property : properties()) {
      for (int cell = 0; cell < grid.localCells; cell++) {
        System.arraycopy(packed, next, property, cell * ROOM, count[cell]);
        next += count[cell];
      }
    }
  }
}
