// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

/** What the graph and the method ask of the other ranks. Every call but {@link #rank} and {@link #size} is collective. */
interface Ranks {
  /** This one. */
  int rank();

  /** How many there are. */
  int size();

  /** Gives each rank its number, and takes this one's from each. */
  void exchangeCounts(int[] sent, int[] received);

  /** Gives each rank its part of an array, in the order of ranks, and takes this one's from each. */
  void exchange(long[] sent, int[] sentCounts, long[] received, int[] receivedCounts);

  /** Replaces two numbers by their sums over the ranks. */
  void sum(double[] two);
}
