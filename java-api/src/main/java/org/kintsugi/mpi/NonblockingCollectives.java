// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.Scope;

/**
 * Operations of all processes of a communicator, in the background: MPI 4.1, chapter 6.12. Every process must start them in
 * the same order. The parameters are those of the blocking methods of the same name; buffers must not be touched before
 * the request completes.
 */
abstract class NonblockingCollectives extends Collectives {
  NonblockingCollectives(long handle, Scope scope) {
    super(handle, scope);
  }

  /** Starts a {@link #barrier}. {@code MPI_Ibarrier}. */
  public Request iBarrier() {
    return barrier(Form.NONBLOCKING);
  }

  /** Starts a {@link #bcast(Buf, int)}. {@code MPI_Ibcast}. */
  public Request iBcast(Buf buf, int root) {
    return bcast(Form.NONBLOCKING, buf, root);
  }

  /** Starts a {@link #reduce(Buf, Buf, Op, int)}. {@code MPI_Ireduce}. */
  public Request iReduce(Buf send, Buf receive, Op op, int root) {
    return reduce(Form.NONBLOCKING, send, receive, op, root);
  }

  /** Starts a {@link #reduce(Buf, Op, int)}, in place. {@code MPI_Ireduce}. */
  public Request iReduce(Buf buf, Op op, int root) {
    return iReduce(buf, buf, op, root);
  }

  /** Starts an {@link #allReduce(Buf, Buf, Op)}. {@code MPI_Iallreduce}. */
  public Request iAllReduce(Buf send, Buf receive, Op op) {
    return allReduce(Form.NONBLOCKING, send, receive, op);
  }

  /** Starts an {@link #allReduce(Buf, Op)}, in place. {@code MPI_Iallreduce}. */
  public Request iAllReduce(Buf buf, Op op) {
    return iAllReduce(buf, buf, op);
  }

  /** Starts a {@link #scan(Buf, Buf, Op)}. {@code MPI_Iscan}. */
  public Request iScan(Buf send, Buf receive, Op op) {
    return scan(Form.NONBLOCKING, send, receive, op);
  }

  /** Starts a {@link #scan(Buf, Op)}, in place. {@code MPI_Iscan}. */
  public Request iScan(Buf buf, Op op) {
    return iScan(buf, buf, op);
  }

  /** Starts an {@link #exScan(Buf, Buf, Op)}. {@code MPI_Iexscan}. */
  public Request iExScan(Buf send, Buf receive, Op op) {
    return exScan(Form.NONBLOCKING, send, receive, op);
  }

  /** Starts an {@link #exScan(Buf, Op)}, in place. {@code MPI_Iexscan}. */
  public Request iExScan(Buf buf, Op op) {
    return iExScan(buf, buf, op);
  }

  /** Starts a {@link #reduceScatterBlock(Buf, Buf, Op)}. {@code MPI_Ireduce_scatter_block}. */
  public Request iReduceScatterBlock(Buf send, Buf receive, Op op) {
    return reduceScatterBlock(Form.NONBLOCKING, send, receive, op);
  }

  /** Starts a {@link #reduceScatterBlock(Buf, Op)}, in place. {@code MPI_Ireduce_scatter_block}. */
  public Request iReduceScatterBlock(Buf buf, Op op) {
    return iReduceScatterBlock(buf, buf, op);
  }

  /** Starts a {@link #reduceScatter(Buf, Buf, int[], Op)}. {@code MPI_Ireduce_scatter}. */
  public Request iReduceScatter(Buf send, Buf receive, int[] counts, Op op) {
    return reduceScatter(Form.NONBLOCKING, send, receive, counts, op);
  }

  /** Starts a {@link #reduceScatter(Buf, int[], Op)}, in place. {@code MPI_Ireduce_scatter}. */
  public Request iReduceScatter(Buf buf, int[] counts, Op op) {
    return iReduceScatter(buf, buf, counts, op);
  }

  /** Starts a {@link #gather(Buf, Buf, int)}. {@code MPI_Igather}. */
  public Request iGather(Buf send, Buf receive, int root) {
    return gather(Form.NONBLOCKING, send, receive, root);
  }

  /** Starts a {@link #gather(Buf, int)}, in place. {@code MPI_Igather}. */
  public Request iGather(Buf buf, int root) {
    return iGather(buf, buf, root);
  }

  /** Starts a {@link #scatter(Buf, Buf, int)}. {@code MPI_Iscatter}. */
  public Request iScatter(Buf send, Buf receive, int root) {
    return scatter(Form.NONBLOCKING, send, receive, root);
  }

  /** Starts a {@link #scatter(Buf, int)}, in place. {@code MPI_Iscatter}. */
  public Request iScatter(Buf buf, int root) {
    return iScatter(buf, buf, root);
  }

  /** Starts an {@link #allGather(Buf, Buf)}. {@code MPI_Iallgather}. */
  public Request iAllGather(Buf send, Buf receive) {
    return allGather(Form.NONBLOCKING, send, receive);
  }

  /** Starts an {@link #allGather(Buf)}, in place. {@code MPI_Iallgather}. */
  public Request iAllGather(Buf buf) {
    return iAllGather(buf, buf);
  }

  /** Starts an {@link #allToAll(Buf, Buf)}. {@code MPI_Ialltoall}. */
  public Request iAllToAll(Buf send, Buf receive) {
    return allToAll(Form.NONBLOCKING, send, receive);
  }

  /** Starts an {@link #allToAll(Buf)}, in place. {@code MPI_Ialltoall}. */
  public Request iAllToAll(Buf buf) {
    return iAllToAll(buf, buf);
  }

  /** Starts a {@link #gatherV(Buf, Buf, int[], int[], int)}. {@code MPI_Igatherv}. */
  public Request iGatherV(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    return gatherV(Form.NONBLOCKING, send, receive, counts, displacements, root);
  }

  /** Starts a {@link #gatherV(Buf, int[], int[], int)}, in place. {@code MPI_Igatherv}. */
  public Request iGatherV(Buf buf, int[] counts, int[] displacements, int root) {
    return iGatherV(buf, buf, counts, displacements, root);
  }

  /** Starts a {@link #scatterV(Buf, int[], int[], Buf, int)}. {@code MPI_Iscatterv}. */
  public Request iScatterV(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    return scatterV(Form.NONBLOCKING, send, counts, displacements, receive, root);
  }

  /** Starts a {@link #scatterV(Buf, int[], int[], int)}, in place. {@code MPI_Iscatterv}. */
  public Request iScatterV(Buf buf, int[] counts, int[] displacements, int root) {
    return iScatterV(buf, counts, displacements, buf, root);
  }

  /** Starts an {@link #allGatherV(Buf, Buf, int[], int[])}. {@code MPI_Iallgatherv}. */
  public Request iAllGatherV(Buf send, Buf receive, int[] counts, int[] displacements) {
    return allGatherV(Form.NONBLOCKING, send, receive, counts, displacements);
  }

  /** Starts an {@link #allGatherV(Buf, int[], int[])}, in place. {@code MPI_Iallgatherv}. */
  public Request iAllGatherV(Buf buf, int[] counts, int[] displacements) {
    return iAllGatherV(buf, buf, counts, displacements);
  }

  /** Starts an {@link #allToAllV(Buf, int[], int[], Buf, int[], int[])}. {@code MPI_Ialltoallv}. */
  public Request iAllToAllV(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    return allToAllV(Form.NONBLOCKING, send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements);
  }

  /** Starts an {@link #allToAllV(Buf, int[], int[])}, in place. {@code MPI_Ialltoallv}. */
  public Request iAllToAllV(Buf buf, int[] counts, int[] displacements) {
    return iAllToAllV(buf, counts, displacements, buf, counts, displacements);
  }

  /** Starts an {@link #allToAllW(Buf, Parts, Buf, Parts)}. {@code MPI_Ialltoallw}. */
  public Request iAllToAllW(Buf send, Parts sendParts, Buf receive, Parts receiveParts) {
    return allToAllW(Form.NONBLOCKING, send, sendParts, receive, receiveParts);
  }
}
