// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.memory;

import org.kintsugi.mpi.Comm;

/** A world of another size has other ranks: versions in memory belong to none of them. */
final class WorldChange {
  private WorldChange() {}

  /**
   * Whether that is so; its rank 0 says it.
   *
   * @param size of the world before
   * @param rank of this process in the world before
   * @param anythingKept whether anything is lost by that
   */
  static boolean isOfOtherRanks(Comm newWorld, int size, int rank, boolean anythingKept) {
    boolean isChanged = newWorld.size() != size || newWorld.rank() != rank;
    if (isChanged && anythingKept && newWorld.rank() == 0) {
      System.err.println("kintsugi: the world has " + newWorld.size() + " ranks now, and had " + size
          + ": the versions that are kept in memory are of other ranks, and forgotten");
    }
    return isChanged;
  }
}
