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

  /**
   * By side: the numbers to send, in an array of {@link #room}; after the exchange, those received.
   */
  final double[][] side = new double[2][0];
  final int[] length = new int[2];

  private final Status status = new Status();
  private double[] spare = new double[0];

  /**
   * @param world null: one rank, whose neighbours are all itself
   * @param capacity the most numbers of a message: the length of the buffers for MPI. The arrays
   *     grow to the length of the longest message so far
   */
  SideExchange(Comm world, int capacity) {
    this.world = world;
    rank = world == null ? 0 : world.rank();
    sending = world == null ? null : Buf.allocateDoubles(capacity);
    receiving = world == null ? null : Buf.allocateDoubles(capacity);
  }

  /** An array for what goes to a side, at least this long. */
  double[] room(int to, int numbers) {
    side[to] = atLeast(numbers, side[to]);
    return side[to];
  }

  /** A tenth is for messages that come to be a little longer than those before. */
  private static double[] atLeast(int numbers, double[] array) {
    return array.length >= numbers ? array : new double[numbers + numbers / 10];
  }

  /** Exchanges what is in {@link #side}. */
  void exchange(int minus, int plus) {
    int toMinus = length[0];
    int toPlus = length[1];
    length[1] = send(side[0], toMinus, minus, plus);
    double[] fromPlus = spare;
    spare = side[0];
    length[0] = send(side[1], toPlus, plus, minus);
    double[] fromMinus = spare;
    spare = side[1];
    side[0] = fromMinus;
    side[1] = fromPlus;
  }

  /** The answer is in {@link #spare} then. */
  private int send(double[] message, int count, int to, int from) {
    if (to == rank) {
      spare = atLeast(count, spare);
      System.arraycopy(message, 0, spare, 0, count);
      return count;
    }
    sending.put(0, message, 0, count);
    world.sendRecv(sending.slice(0, count), to, TAG, receiving, from, TAG, status);
    int received = (int) status.count(Datatype.DOUBLE);
    spare = atLeast(received, spare);
    receiving.get(0, spare, 0, received);
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
