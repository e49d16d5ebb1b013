// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import org.kintsugi.mpi.Comm;

/** Fills the halo of one number per atom. Both sides hold the atoms of a cell in the same order, so no atom's number travels. */
final class HaloExchange implements AutoCloseable {
  private final CellGrid grid;
  private final SideExchange exchange;
  private final int[][][] sent = new int[CellGrid.AXES][2][];
  private final int[][][] received = new int[CellGrid.AXES][2][];

  /** @param world null: one rank */
  HaloExchange(CellGrid grid, Comm world) {
    this.grid = grid;
    int most = 0;
    for (int axis = 0; axis < CellGrid.AXES; axis++) {
      int end = grid.cells[axis] - 1;
      sent[axis] = new int[][] {layer(axis, 0), layer(axis, end)};
      received[axis] = new int[][] {layer(axis, -1), layer(axis, end + 1)};
      most = Math.max(most, sent[axis][0].length);
    }
    exchange = new SideExchange(world, Atoms.ROOM * most);
  }

  /** A layer across an axis: local cells, and the halo along those axes that have been exchanged before. */
  private int[] layer(int axis, int place) {
    int[] first = new int[CellGrid.AXES];
    int[] last = new int[CellGrid.AXES];
    for (int other = 0; other < CellGrid.AXES; other++) {
      first[other] = other < axis ? -1 : 0;
      last[other] = other < axis ? grid.cells[other] : grid.cells[other] - 1;
    }
    first[axis] = place;
    last[axis] = place;
    return grid.block(first[0], last[0], first[1], last[1], first[2], last[2]);
  }

  /** Collective. */
  void exchange(Atoms atoms, double[] values) {
    for (int axis = 0; axis < CellGrid.AXES; axis++) {
      for (int side = 0; side < 2; side++) {
        double[] message = exchange.room(side, atoms.in(sent[axis][side]));
        int next = 0;
        for (int cell : sent[axis][side]) {
          System.arraycopy(values, cell * Atoms.ROOM, message, next, atoms.count[cell]);
          next += atoms.count[cell];
        }
        exchange.length[side] = next;
      }
      exchange.exchange(grid.neighbour(axis, -1), grid.neighbour(axis, 1));
      for (int side = 0; side < 2; side++) {
        int next = 0;
        for (int cell : received[axis][side]) {
          System.arraycopy(exchange.side[side], next, values, cell * Atoms.ROOM, atoms.count[cell]);
          next += atoms.count[cell];
        }
      }
    }
  }

  @Override
  public void close() {
    exchange.close();
  }
}
