// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.Arrays;
import org.kintsugi.examples.sparse.Ranks;

/**
 * The numbers that each rank owns: a range each, in the order of ranks.
 *
 * @param starts the first number of each rank, and the end of the last range
 * @param rank this rank
 */
record Ranges(int[] starts, int rank) {
  /** Each rank owns as many as it says. Collective. */
  static Ranges of(int count, Ranks ranks) {
    int[] mine = new int[ranks.size()];
    Arrays.fill(mine, count);
    int[] counts = new int[ranks.size()];
    ranks.exchangeCounts(mine, counts);
    int[] starts = new int[ranks.size() + 1];
    for (int rank = 0; rank < counts.length; rank++) {
      starts[rank + 1] = Math.addExact(starts[rank], counts[rank]);
    }
    return new Ranges(starts, ranks.rank());
  }

  int first() {
    return starts[rank];
  }

  int count() {
    return starts[rank + 1] - starts[rank];
  }

  int total() {
    return starts[starts.length - 1];
  }

  boolean owns(int number) {
    return number >= first() && number < starts[rank + 1];
  }

  int owner(int number) {
    int at = Arrays.binarySearch(starts, number);
    if (at < 0) {
      return -at - 2;
    }
    // Ranks that own nothing begin where the next one does.
    while (starts[at + 1] == number) {
      at++;
    }
    return at;
  }
}
