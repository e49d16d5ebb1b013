// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

/**
 * The communication of a problem that has only one rank, without MPI.
 *
 * <p>Warm-ups run the numerics with it before there is a world, and unit tests without any MPI.
 */
public class OneRank implements Ranks {
  @Override
  public int rank() {
    return 0;
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public void exchangeCounts(int[] sent, int[] received) {
    received[0] = sent[0];
  }

  @Override
  public void exchange(long[] sent, int[] sentCounts, long[] received, int[] receivedCounts) {
    System.arraycopy(sent, 0, received, 0, sentCounts[0]);
  }

  @Override
  public void sum(double[] numbers) {
    // One rank: they are the sums.
  }

  @Override
  public double sum(double value) {
    return value;
  }

  @Override
  public double max(double value) {
    return value;
  }

  @Override
  public Ghosts ghosts(GhostLayout layout) {
    return Ghosts.NONE;
  }
}
