// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

import java.util.Objects;

/**
 * The values of a vector that other ranks need, and the values of other ranks that follow the owned ones: grouped by neighbour,
 * in the order of {@code neighbours}. A rank sends values in the order in which the other rank keeps them.
 *
 * @param owned values that this rank owns
 * @param neighbours the ranks that it exchanges with, ascending
 * @param sends for each neighbour, the owned indices that it needs
 * @param ghosts for each neighbour, how many of its values this rank keeps
 */
public record GhostLayout(int owned, int[] neighbours, int[][] sends, int[] ghosts) {
  /** Checks that there are lists for every neighbour. */
  public GhostLayout {
    if (sends.length != neighbours.length || ghosts.length != neighbours.length) {
      throw new IllegalArgumentException(neighbours.length + " neighbours, but " + sends.length + " lists of values to send and "
          + ghosts.length + " numbers of ghosts");
    }
    for (int[] list : sends) {
      for (int index : list) {
        Objects.checkIndex(index, owned);
      }
    }
  }

  /** Ghosts of all neighbours. */
  public int ghostCount() {
    int count = 0;
    for (int each : ghosts) {
      count += each;
    }
    return count;
  }

  /** Length of a vector with its ghosts. */
  public int lengthWithGhosts() {
    return owned + ghostCount();
  }
}
