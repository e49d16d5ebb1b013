// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.Arrays;
import org.kintsugi.mpi.Comm;

/**
 * A communicator, and who is in it: ranks of the world in the order of the communicator's ranks.
 *
 * @param groups one; two of an intercommunicator
 * @param dims of a grid; null: it is none
 * @param comm this process's; null where it is not a member
 */
record Team(String name, int[][] groups, int[] dims, boolean[] periodic, Comm comm) {
  boolean isInter() {
    return groups.length == 2;
  }

  boolean has(int world) {
    return side(world) >= 0;
  }

  /** The number of a rank's group; -1: it is not a member. */
  int side(int world) {
    for (int side = 0; side < groups.length; side++) {
      if (indexOf(groups[side], world) >= 0) {
        return side;
      }
    }
    return -1;
  }

  int rank(int world) {
    return indexOf(groups[side(world)], world);
  }

  /** The group of a member. */
  int[] own(int world) {
    return groups[side(world)];
  }

  /** The ranks that a member communicates with: the other group of an intercommunicator. */
  int[] peers(int world) {
    return groups[groups.length - 1 - side(world)];
  }

  int[] members() {
    return Arrays.stream(groups).flatMapToInt(Arrays::stream).toArray();
  }

  /** The coordinates of a rank of the grid: the last direction changes first. */
  int[] coords(int rank) {
    int[] coords = new int[dims.length];
    int left = rank;
    for (int i = dims.length - 1; i >= 0; i--) {
      coords[i] = left % dims[i];
      left /= dims[i];
    }
    return coords;
  }

  /** The rank some steps up in a direction of the grid; -1: there is none. */
  int neighbour(int rank, int direction, int steps) {
    int[] coords = coords(rank);
    int to = coords[direction] + steps;
    if (!periodic[direction] && (to < 0 || to >= dims[direction])) {
      return -1;
    }
    coords[direction] = Math.floorMod(to, dims[direction]);
    int found = 0;
    for (int i = 0; i < dims.length; i++) {
      found = found * dims[i] + coords[i];
    }
    return found;
  }

  private static int indexOf(int[] ranks, int rank) {
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] == rank) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public String toString() {
    return name + " " + Arrays.deepToString(groups)
        + (dims == null ? "" : " dims " + Arrays.toString(dims) + " periodic " + Arrays.toString(periodic));
  }
}
