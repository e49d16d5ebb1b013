// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Parts;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.internal.Comms;

/** Nonblocking collectives of a persistent communicator: what is stored only has ended when it was started. */
abstract class StoredNonblocking extends StoredCollectives {
  StoredNonblocking(Comm taken) {
    super(taken);
  }

  final Request completed() {
    return Comms.get().completed(this, null);
  }

  /** Not on a persistent communicator, whose barrier closes a round before it returns. */
  @Override
  public Request iBarrier() {
    throw new UnsupportedOperationException("iBarrier on a persistent communicator: use barrier(), which closes a round");
  }

  @Override
  public Request iBcast(Buf buf, int root) {
    return contribute(Collective.BCAST, root, root == rank() ? buf : null)
        ? super.iBcast(buf, root) : completed();
  }

  @Override
  public Request iReduce(Buf send, Buf receive, Op op, int root) {
    return contribute(Collective.REDUCE, root, send)
        ? super.iReduce(send, receive, op, root) : completed();
  }

  @Override
  public Request iAllReduce(Buf send, Buf receive, Op op) {
    return contribute(Collective.ALL_REDUCE, Entry.ALL, send)
        ? super.iAllReduce(send, receive, op) : completed();
  }

  @Override
  public Request iScan(Buf send, Buf receive, Op op) {
    return contribute(Collective.SCAN, Entry.ALL, send)
        ? super.iScan(send, receive, op) : completed();
  }

  @Override
  public Request iExScan(Buf send, Buf receive, Op op) {
    return contribute(Collective.EX_SCAN, Entry.ALL, send)
        ? super.iExScan(send, receive, op) : completed();
  }

  @Override
  public Request iReduceScatterBlock(Buf send, Buf receive, Op op) {
    return contribute(Collective.REDUCE_SCATTER_BLOCK, Entry.ALL, send)
        ? super.iReduceScatterBlock(send, receive, op) : completed();
  }

  @Override
  public Request iReduceScatter(Buf send, Buf receive, int[] counts, Op op) {
    return contribute(Collective.REDUCE_SCATTER, Entry.ALL, send)
        ? super.iReduceScatter(send, receive, counts, op) : completed();
  }

  @Override
  public Request iGather(Buf send, Buf receive, int root) {
    return contribute(Collective.GATHER, root, send)
        ? super.iGather(send, receive, root) : completed();
  }

  @Override
  public Request iScatter(Buf send, Buf receive, int root) {
    return contribute(Collective.SCATTER, root, root == rank() ? send : null)
        ? super.iScatter(send, receive, root) : completed();
  }

  @Override
  public Request iAllGather(Buf send, Buf receive) {
    return contribute(Collective.ALL_GATHER, Entry.ALL, send)
        ? super.iAllGather(send, receive) : completed();
  }

  @Override
  public Request iAllToAll(Buf send, Buf receive) {
    return contribute(Collective.ALL_TO_ALL, Entry.ALL, send)
        ? super.iAllToAll(send, receive) : completed();
  }

  @Override
  public Request iGatherV(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    return contribute(Collective.GATHER_V, root, send)
        ? super.iGatherV(send, receive, counts, displacements, root) : completed();
  }

  @Override
  public Request iScatterV(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    return contribute(Collective.SCATTER_V, root, root == rank() ? send : null)
        ? super.iScatterV(send, counts, displacements, receive, root) : completed();
  }

  @Override
  public Request iAllGatherV(Buf send, Buf receive, int[] counts, int[] displacements) {
    return contribute(Collective.ALL_GATHER_V, Entry.ALL, send)
        ? super.iAllGatherV(send, receive, counts, displacements) : completed();
  }

  @Override
  public Request iAllToAllV(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    return contribute(Collective.ALL_TO_ALL_V, Entry.ALL, send)
        ? super.iAllToAllV(send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements) : completed();
  }

  @Override
  public Request iAllToAllW(Buf send, Parts sendParts, Buf receive, Parts receiveParts) {
    return contribute(Collective.ALL_TO_ALL_W, Entry.ALL, send)
        ? super.iAllToAllW(send, sendParts, receive, receiveParts) : completed();
  }
}
