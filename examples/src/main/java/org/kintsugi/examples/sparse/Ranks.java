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

  /** Gives each rank its part of an array, in the order of ranks, and takes this one's from each. */
  void exchange(long[] sent, int[] sentCounts, long[] received, int[] receivedCounts);

  /** Replaces numbers by their sums over the ranks. */
  void sum(double[] numbers);

  /** The sum of one number of each rank, the same bits on all. */
  double sum(double value);

  /** The exchange of ghosts for vectors of a layout; whoever gives the ranks back gives this back, too. */
  Ghosts ghosts(GhostLayout layout);
}
