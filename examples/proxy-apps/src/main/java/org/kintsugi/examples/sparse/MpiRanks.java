// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

import java.util.ArrayList;
import java.util.List;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/** The ranks of a communicator, which stays its owner's. For one thread at a time. */
public final class MpiRanks implements Ranks, AutoCloseable {
  private static final int FIRST_TAG = 200;

  private final Comm world;
  private final int[] sentStarts;
  private final int[] receivedStarts;
  private final List<GhostExchange> exchanges = new ArrayList<>();
  private Buf room = Buf.allocateDoubles(2);

  public MpiRanks(Comm world) {
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
    if (room.count() != numbers.length) {
      room.close();
      room = Buf.allocateDoubles(numbers.length);
    }
    room.put(0, numbers, 0, numbers.length);
    world.allReduce(room, Op.SUM);
    room.get(0, numbers, 0, numbers.length);
  }

  @Override
  public double sum(double value) {
    return world.allReduce(value, Op.SUM);
  }

  @Override
  public double max(double value) {
    return world.allReduce(value, Op.MAX);
  }

  /** Messages of different layouts have different tags. */
  @Override
  public Ghosts ghosts(GhostLayout layout) {
    GhostExchange exchange = new GhostExchange(layout, world, FIRST_TAG + exchanges.size());
    exchanges.add(exchange);
    return exchange;
  }

  /** Frees all that {@link #ghosts} has given. */
  public void closeGhosts() {
    // No method reference: linking the first one takes a millisecond, which a recovery would wait for.
    for (GhostExchange exchange : exchanges) {
      exchange.close();
    }
    exchanges.clear();
  }

  @Override
  public void close() {
    closeGhosts();
    room.close();
  }
}
