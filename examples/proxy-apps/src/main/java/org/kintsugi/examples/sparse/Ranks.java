// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

/** The numerics' communication with other ranks; they use nothing else of MPI. Calls are collective, but for rank and size. */
public interface Ranks {
  /** This one. */
  int rank();

  /** How many there are. */
  int size();

  /** Gives each rank its number, and takes this one's from each. */
  void exchangeCounts(int[] sent, int[] received);

  /**
   * Gives each rank its part of an array, in the order of ranks, and takes this one's from each.
   *
   * @param sent the parts, without gaps; the array may be longer
   * @param sentCounts elements for each rank
   * @param received for the parts that come; may be longer
   * @param receivedCounts elements from each rank: what {@link #exchangeCounts} has made of the others' counts
   */
  void exchange(long[] sent, int[] sentCounts, long[] received, int[] receivedCounts);

  /**
   * The same where nobody knows yet how much will come.
   *
   * @param receivedCounts filled in: elements from each rank
   * @return the parts that have come, exactly
   * @throws IllegalStateException if they are more than an array holds
   */
  default long[] exchange(long[] sent, int[] sentCounts, int[] receivedCounts) {
    exchangeCounts(sentCounts, receivedCounts);
    long total = 0;
    for (int each : receivedCounts) {
      total += each;
    }
    if (total > CompressedRows.MOST_ENTRIES) {
      throw new IllegalStateException("rank " + rank() + " is sent " + total + " numbers at once, and an array holds "
          + CompressedRows.MOST_ENTRIES + ": use more ranks or smaller parts");
    }
    long[] received = new long[(int) total];
    exchange(sent, sentCounts, received, receivedCounts);
    return received;
  }

  /** Replaces numbers by their sums over the ranks. */
  void sum(double[] numbers);

  /** The sum of one number of each rank, the same bits on all. */
  double sum(double value);

  /** The greatest of one number of each rank. */
  double max(double value);

  /** The exchange of ghosts for vectors of a layout; freed together with the ranks. */
  Ghosts ghosts(GhostLayout layout);
}
