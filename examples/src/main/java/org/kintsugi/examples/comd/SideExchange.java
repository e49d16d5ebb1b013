// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Status;

/** Two messages along an axis: to each side, and from the other. If a rank is its own neighbour, nothing is sent. */
final class SideExchange implements AutoCloseable {
  private static final int TAG = 0;

  private final Comm world;
  private final int rank;
  private final Buf sending;
  private final Buf receiving;

  /** For each side: what goes there; behind the exchange, what has come from there. */
  final double[][] side;
  final int[] length = new int[2];

  private final Status status = new Status();
  private double[] spare;

  /**
   * @param world null: one rank, whose neighbours are all itself
   * @param capacity the most numbers of a message
   */
  SideExchange(Comm world, int capacity) {
    this.world = world;
    rank = world == null ? 0 : world.rank();
    sending = world == null ? null : Buf.ofDoubles(capacity);
    receiving = world == null ? null : Buf.ofDoubles(capacity);
    side = new double[2][capacity];
    spare = new double[capacity];
  }

  /** Exchanges what is in {@link #side}. */
  void exchange(int minus, int plus) {
    int toMinus = length[0];
    int toPlus = length[1];
    double[] fromPlus = spare;
    length[1] = send(side[0], toMinus, minus, fromPlus, plus);
    spare = side[0];
    double[] fromMinus = spare;
    length[0] = send(side[1], toPlus, plus, fromMinus, minus);
    spare = side[1];
    side[0] = fromMinus;
    side[1] = fromPlus;
  }

  private int send(double[] message, int count, int to, double[] answer, int from) {
    if (to == rank) {
      System.arraycopy(message, 0, answer, 0, count);
      return count;
    }
    sending.put(0, message, 0, count);
    world.sendRecv(sending.slice(0, count), to, TAG, receiving, from, TAG, status);
    int received = (int) status.count(Datatype.DOUBLE);
    receiving.get(0, answer, 0, received);
    return received;
  }

  @Override
  public void close() {
    if (world != null) {
      sending.close();
      receiving.close();
    }
  }
}
