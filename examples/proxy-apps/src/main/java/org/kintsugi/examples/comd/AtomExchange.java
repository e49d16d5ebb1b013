// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import org.kintsugi.mpi.Comm;

/**
 * Sends atoms to the ranks around: those that have moved there, and copies of those near the border. Axis by axis, so that what
 * goes to an edge or a corner takes two or three steps.
 */
final class AtomExchange implements AutoCloseable {
  /** Number, position, momentum. */
  private static final int NUMBERS = 7;

  private final CellGrid grid;
  private final SideExchange exchange;
  private final int[][][] cells = new int[CellGrid.AXES][2][];

  /** @param world null: one rank */
  AtomExchange(CellGrid grid, Comm world) {
    this.grid = grid;
    int most = 0;
    for (int axis = 0; axis < CellGrid.AXES; axis++) {
      for (int side = 0; side < 2; side++) {
        cells[axis][side] = twoLayers(axis, side);
      }
      most = Math.max(most, cells[axis][0].length);
    }
    exchange = new SideExchange(world, Math.multiplyExact(NUMBERS * Atoms.ROOM, most));
  }

  /** The halo layer and the first local one, over the whole cross section, halo included. */
  private int[] twoLayers(int axis, int side) {
    int[] first = {-1, -1, -1};
    int[] last = grid.cells.clone();
    if (side == 0) {
      last[axis] = 0;
    } else {
      first[axis] = grid.cells[axis] - 1;
    }
    return grid.block(first[0], last[0], first[1], last[1], first[2], last[2]);
  }

  /** Fills the halo, and adds the atoms that have moved to this rank. Collective. */
  void exchange(Atoms atoms) {
    for (int axis = 0; axis < CellGrid.AXES; axis++) {
      for (int side = 0; side < 2; side++) {
        int[] layers = cells[axis][side];
        double[] message = exchange.room(side, NUMBERS * atoms.in(layers));
        exchange.length[side] = load(atoms, layers, message, axis, grid.shift(axis, side == 0 ? -1 : 1));
      }
      exchange.exchange(grid.neighbour(axis, -1), grid.neighbour(axis, 1));
      for (int side = 0; side < 2; side++) {
        unload(atoms, exchange.side[side], exchange.length[side]);
      }
    }
  }

  private static int load(Atoms atoms, int[] cells, double[] message, int axis, double shift) {
    double shiftX = axis == 0 ? shift : 0.0;
    double shiftY = axis == 1 ? shift : 0.0;
    double shiftZ = axis == 2 ? shift : 0.0;
    int next = 0;
    for (int cell : cells) {
      int first = cell * Atoms.ROOM;
      for (int slot = first; slot < first + atoms.count[cell]; slot++) {
        message[next] = atoms.id[slot];
        message[next + 1] = atoms.x[slot] + shiftX;
        message[next + 2] = atoms.y[slot] + shiftY;
        message[next + 3] = atoms.z[slot] + shiftZ;
        message[next + 4] = atoms.px[slot];
        message[next + 5] = atoms.py[slot];
        message[next + 6] = atoms.pz[slot];
        next += NUMBERS;
      }
    }
    return next;
  }

  private static void unload(Atoms atoms, double[] message, int length) {
    for (int i = 0; i < length; i += NUMBERS) {
      atoms.add((int) message[i], message[i + 1], message[i + 2], message[i + 3], message[i + 4], message[i + 5], message[i + 6]);
    }
  }

  @Override
  public void close() {
    exchange.close();
  }
}
