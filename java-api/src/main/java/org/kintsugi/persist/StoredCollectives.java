// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Parts;

/**
 * Blocking collectives of a persistent communicator. Each stores this process's contribution, or, while there are some to be
 * replayed, puts the stored one back into the buffer that it came from and performs the operation; see {@link PersistentComm}.
 */
abstract class StoredCollectives extends Comm {
  /** Which operation; the order is a part of the format of files. */
  enum Collective {
    BCAST,
    REDUCE,
    ALL_REDUCE,
    SCAN,
    EX_SCAN,
    REDUCE_SCATTER_BLOCK,
    REDUCE_SCATTER,
    GATHER,
    SCATTER,
    ALL_GATHER,
    ALL_TO_ALL,
    GATHER_V,
    SCATTER_V,
    ALL_GATHER_V,
    ALL_TO_ALL_V,
    ALL_TO_ALL_W;

    /** Whether only the root has something to contribute. */
    boolean isOfTheRoot() {
      return this == BCAST || this == SCATTER || this == SCATTER_V;
    }
  }

  StoredCollectives(Comm taken) {
    super(taken);
  }

  /**
   * Stores a contribution, or replays a stored one into the buffer.
   *
   * @param root the root's rank, or {@link Entry#ALL}
   * @param buf this process's contribution; null: none
   * @return whether the operation is to be performed
   */
  abstract boolean contribute(Collective collective, int root, Buf buf);

  @Override
  public void bcast(Buf buf, int root) {
    if (contribute(Collective.BCAST, root, root == rank() ? buf : null)) {
      super.bcast(buf, root);
    }
  }

  @Override
  public void reduce(Buf send, Buf receive, Op op, int root) {
    if (contribute(Collective.REDUCE, root, send)) {
      super.reduce(send, receive, op, root);
    }
  }

  @Override
  public void allReduce(Buf send, Buf receive, Op op) {
    if (contribute(Collective.ALL_REDUCE, Entry.ALL, send)) {
      super.allReduce(send, receive, op);
    }
  }

  @Override
  public void scan(Buf send, Buf receive, Op op) {
    if (contribute(Collective.SCAN, Entry.ALL, send)) {
      super.scan(send, receive, op);
    }
  }

  @Override
  public void exScan(Buf send, Buf receive, Op op) {
    if (contribute(Collective.EX_SCAN, Entry.ALL, send)) {
      super.exScan(send, receive, op);
    }
  }

  @Override
  public void reduceScatterBlock(Buf send, Buf receive, Op op) {
    if (contribute(Collective.REDUCE_SCATTER_BLOCK, Entry.ALL, send)) {
      super.reduceScatterBlock(send, receive, op);
    }
  }

  @Override
  public void reduceScatter(Buf send, Buf receive, int[] counts, Op op) {
    if (contribute(Collective.REDUCE_SCATTER, Entry.ALL, send)) {
      super.reduceScatter(send, receive, counts, op);
    }
  }

  @Override
  public void gather(Buf send, Buf receive, int root) {
    if (contribute(Collective.GATHER, root, send)) {
      super.gather(send, receive, root);
    }
  }

  @Override
  public void scatter(Buf send, Buf receive, int root) {
    if (contribute(Collective.SCATTER, root, root == rank() ? send : null)) {
      super.scatter(send, receive, root);
    }
  }

  @Override
  public void allGather(Buf send, Buf receive) {
    if (contribute(Collective.ALL_GATHER, Entry.ALL, send)) {
      super.allGather(send, receive);
    }
  }

  @Override
  public void allToAll(Buf send, Buf receive) {
    if (contribute(Collective.ALL_TO_ALL, Entry.ALL, send)) {
      super.allToAll(send, receive);
    }
  }

  @Override
  public void gatherV(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    if (contribute(Collective.GATHER_V, root, send)) {
      super.gatherV(send, receive, counts, displacements, root);
    }
  }

  @Override
  public void scatterV(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    if (contribute(Collective.SCATTER_V, root, root == rank() ? send : null)) {
      super.scatterV(send, counts, displacements, receive, root);
    }
  }

  @Override
  public void allGatherV(Buf send, Buf receive, int[] counts, int[] displacements) {
    if (contribute(Collective.ALL_GATHER_V, Entry.ALL, send)) {
      super.allGatherV(send, receive, counts, displacements);
    }
  }

  @Override
  public void allToAllV(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    if (contribute(Collective.ALL_TO_ALL_V, Entry.ALL, send)) {
      super.allToAllV(send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements);
    }
  }

  @Override
  public void allToAllW(Buf send, Parts sendParts, Buf receive, Parts receiveParts) {
    if (contribute(Collective.ALL_TO_ALL_W, Entry.ALL, send)) {
      super.allToAllW(send, sendParts, receive, receiveParts);
    }
  }

  @Override
  public int bcast(int value, int root) {
    int[] contribution = {value};
    return contribute(Collective.BCAST, root, root == rank() ? Buf.wrap(contribution) : null) ? super.bcast(contribution[0], root)
        : contribution[0];
  }

  @Override
  public long bcast(long value, int root) {
    long[] contribution = {value};
    return contribute(Collective.BCAST, root, root == rank() ? Buf.wrap(contribution) : null) ? super.bcast(contribution[0], root)
        : contribution[0];
  }

  @Override
  public double bcast(double value, int root) {
    double[] contribution = {value};
    return contribute(Collective.BCAST, root, root == rank() ? Buf.wrap(contribution) : null) ? super.bcast(contribution[0], root)
        : contribution[0];
  }

  @Override
  public int allReduce(int value, Op op) {
    int[] contribution = {value};
    return contribute(Collective.ALL_REDUCE, Entry.ALL, Buf.wrap(contribution)) ? super.allReduce(contribution[0], op)
        : contribution[0];
  }

  @Override
  public int scan(int value, Op op) {
    int[] contribution = {value};
    return contribute(Collective.SCAN, Entry.ALL, Buf.wrap(contribution)) ? super.scan(contribution[0], op)
        : contribution[0];
  }

  @Override
  public int exScan(int value, Op op, int first) {
    int[] contribution = {value};
    return contribute(Collective.EX_SCAN, Entry.ALL, Buf.wrap(contribution)) ? super.exScan(contribution[0], op, first)
        : contribution[0];
  }

  @Override
  public long allReduce(long value, Op op) {
    long[] contribution = {value};
    return contribute(Collective.ALL_REDUCE, Entry.ALL, Buf.wrap(contribution)) ? super.allReduce(contribution[0], op)
        : contribution[0];
  }

  @Override
  public long scan(long value, Op op) {
    long[] contribution = {value};
    return contribute(Collective.SCAN, Entry.ALL, Buf.wrap(contribution)) ? super.scan(contribution[0], op)
        : contribution[0];
  }

  @Override
  public long exScan(long value, Op op, long first) {
    long[] contribution = {value};
    return contribute(Collective.EX_SCAN, Entry.ALL, Buf.wrap(contribution)) ? super.exScan(contribution[0], op, first)
        : contribution[0];
  }

  @Override
  public double allReduce(double value, Op op) {
    double[] contribution = {value};
    return contribute(Collective.ALL_REDUCE, Entry.ALL, Buf.wrap(contribution)) ? super.allReduce(contribution[0], op)
        : contribution[0];
  }

  @Override
  public double scan(double value, Op op) {
    double[] contribution = {value};
    return contribute(Collective.SCAN, Entry.ALL, Buf.wrap(contribution)) ? super.scan(contribution[0], op)
        : contribution[0];
  }

  @Override
  public double exScan(double value, Op op, double first) {
    double[] contribution = {value};
    return contribute(Collective.EX_SCAN, Entry.ALL, Buf.wrap(contribution)) ? super.exScan(contribution[0], op, first)
        : contribution[0];
  }
}
