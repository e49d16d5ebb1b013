// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/** The ranks of a communicator. */
final class MpiRanks implements Ranks, AutoCloseable {
  private final Comm world;
  private final int[] sentStarts;
  private final int[] receivedStarts;
  private final Buf two = Buf.ofDoubles(2);

  MpiRanks(Comm world) {
    this.world = world;
    sentStarts = new int[world.size()];
    receivedStarts = new int[world.size()];
  }

  @Override
  public int rank() {
    return world.rank();
  }

  @Override
  public int size() {
    return world.size();
  }

  @Override
  public void exchangeCounts(int[] sent, int[] received) {
    world.allToAll(Buf.wrap(sent), Buf.wrap(received));
  }

  @Override
  public void exchange(long[] sent, int[] sentCounts, long[] received, int[] receivedCounts) {
    int toSend = starts(sentCounts, sentStarts);
    int toReceive = starts(receivedCounts, receivedStarts);
    world.allToAllV(Buf.wrap(sent, 0, toSend), sentCounts, sentStarts, Buf.wrap(received, 0, toReceive), receivedCounts,
        receivedStarts);
  }

  private static int starts(int[] counts, int[] starts) {
    int next = 0;
    for (int rank = 0; rank < counts.length; rank++) {
      starts[rank] = next;
      next += counts[rank];
    }
    return next;
  }

  @Override
  public void sum(double[] numbers) {
    two.put(0, numbers, 0, 2);
    world.allReduce(two, Op.SUM);
    two.get(0, numbers, 0, 2);
  }

  @Override
  public void close() {
    two.close();
  }
}
