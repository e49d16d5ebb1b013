// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.Scope;

/**
 * Operations of all processes of a communicator, set up once and started many times: MPI 4.1, chapter 6.13. Every process
 * must set them up, and start them, in the same order. The parameters are those of the blocking methods of the same name;
 * arrays are read at every start. The caller closes the request.
 */
abstract class CollectiveInits extends NonblockingCollectives {
  CollectiveInits(long handle, Scope scope) {
    super(handle, scope);
  }

  /** Sets up a {@link #barrier}. {@code MPI_Barrier_init}. */
  public PersistentRequest barrierInit() {
    return (PersistentRequest) barrier(Form.PERSISTENT);
  }

  /** Sets up a {@link #bcast(Buf, int)}. {@code MPI_Bcast_init}. */
  public PersistentRequest bcastInit(Buf buf, int root) {
    return (PersistentRequest) bcast(Form.PERSISTENT, buf, root);
  }

  /** Sets up a {@link #reduce(Buf, Buf, Op, int)}. {@code MPI_Reduce_init}. */
  public PersistentRequest reduceInit(Buf send, Buf receive, Op op, int root) {
    return (PersistentRequest) reduce(Form.PERSISTENT, send, receive, op, root);
  }

  /** Sets up a {@link #reduce(Buf, Op, int)}, in place. {@code MPI_Reduce_init}. */
  public PersistentRequest reduceInit(Buf buf, Op op, int root) {
    return reduceInit(buf, buf, op, root);
  }

  /** Sets up an {@link #allReduce(Buf, Buf, Op)}. {@code MPI_Allreduce_init}. */
  public PersistentRequest allReduceInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) allReduce(Form.PERSISTENT, send, receive, op);
  }

  /** Sets up an {@link #allReduce(Buf, Op)}, in place. {@code MPI_Allreduce_init}. */
  public PersistentRequest allReduceInit(Buf buf, Op op) {
    return allReduceInit(buf, buf, op);
  }

  /** Sets up a {@link #scan(Buf, Buf, Op)}. {@code MPI_Scan_init}. */
  public PersistentRequest scanInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) scan(Form.PERSISTENT, send, receive, op);
  }

  /** Sets up a {@link #scan(Buf, Op)}, in place. {@code MPI_Scan_init}. */
  public PersistentRequest scanInit(Buf buf, Op op) {
    return scanInit(buf, buf, op);
  }

  /** Sets up an {@link #exScan(Buf, Buf, Op)}. {@code MPI_Exscan_init}. */
  public PersistentRequest exScanInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) exScan(Form.PERSISTENT, send, receive, op);
  }

  /** Sets up an {@link #exScan(Buf, Op)}, in place. {@code MPI_Exscan_init}. */
  public PersistentRequest exScanInit(Buf buf, Op op) {
    return exScanInit(buf, buf, op);
  }

  /** Sets up a {@link #reduceScatterBlock(Buf, Buf, Op)}. {@code MPI_Reduce_scatter_block_init}. */
  public PersistentRequest reduceScatterBlockInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) reduceScatterBlock(Form.PERSISTENT, send, receive, op);
  }

  /** Sets up a {@link #reduceScatterBlock(Buf, Op)}, in place. {@code MPI_Reduce_scatter_block_init}. */
  public PersistentRequest reduceScatterBlockInit(Buf buf, Op op) {
    return reduceScatterBlockInit(buf, buf, op);
  }

  /** Sets up a {@link #reduceScatter(Buf, Buf, int[], Op)}. {@code MPI_Reduce_scatter_init}. */
  public PersistentRequest reduceScatterInit(Buf send, Buf receive, int[] counts, Op op) {
    return (PersistentRequest) reduceScatter(Form.PERSISTENT, send, receive, counts, op);
  }

  /** Sets up a {@link #reduceScatter(Buf, int[], Op)}, in place. {@code MPI_Reduce_scatter_init}. */
  public PersistentRequest reduceScatterInit(Buf buf, int[] counts, Op op) {
    return reduceScatterInit(buf, buf, counts, op);
  }

  /** Sets up a {@link #gather(Buf, Buf, int)}. {@code MPI_Gather_init}. */
  public PersistentRequest gatherInit(Buf send, Buf receive, int root) {
    return (PersistentRequest) gather(Form.PERSISTENT, send, receive, root);
  }

  /** Sets up a {@link #gather(Buf, int)}, in place. {@code MPI_Gather_init}. */
  public PersistentRequest gatherInit(Buf buf, int root) {
    return gatherInit(buf, buf, root);
  }

  /** Sets up a {@link #scatter(Buf, Buf, int)}. {@code MPI_Scatter_init}. */
  public PersistentRequest scatterInit(Buf send, Buf receive, int root) {
    return (PersistentRequest) scatter(Form.PERSISTENT, send, receive, root);
  }

  /** Sets up a {@link #scatter(Buf, int)}, in place. {@code MPI_Scatter_init}. */
  public PersistentRequest scatterInit(Buf buf, int root) {
    return scatterInit(buf, buf, root);
  }

  /** Sets up an {@link #allGather(Buf, Buf)}. {@code MPI_Allgather_init}. */
  public PersistentRequest allGatherInit(Buf send, Buf receive) {
    return (PersistentRequest) allGather(Form.PERSISTENT, send, receive);
  }

  /** Sets up an {@link #allGather(Buf)}, in place. {@code MPI_Allgather_init}. */
  public PersistentRequest allGatherInit(Buf buf) {
    return allGatherInit(buf, buf);
  }

  /** Sets up an {@link #allToAll(Buf, Buf)}. {@code MPI_Alltoall_init}. */
  public PersistentRequest allToAllInit(Buf send, Buf receive) {
    return (PersistentRequest) allToAll(Form.PERSISTENT, send, receive);
  }

  /** Sets up an {@link #allToAll(Buf)}, in place. {@code MPI_Alltoall_init}. */
  public PersistentRequest allToAllInit(Buf buf) {
    return allToAllInit(buf, buf);
  }

  /** Sets up a {@link #gatherV(Buf, Buf, int[], int[], int)}. {@code MPI_Gatherv_init}. */
  public PersistentRequest gatherVInit(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    return (PersistentRequest) gatherV(Form.PERSISTENT, send, receive, counts, displacements, root);
  }

  /** Sets up a {@link #gatherV(Buf, int[], int[], int)}, in place. {@code MPI_Gatherv_init}. */
  public PersistentRequest gatherVInit(Buf buf, int[] counts, int[] displacements, int root) {
    return gatherVInit(buf, buf, counts, displacements, root);
  }

  /** Sets up a {@link #scatterV(Buf, int[], int[], Buf, int)}. {@code MPI_Scatterv_init}. */
  public PersistentRequest scatterVInit(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    return (PersistentRequest) scatterV(Form.PERSISTENT, send, counts, displacements, receive, root);
  }

  /** Sets up a {@link #scatterV(Buf, int[], int[], int)}, in place. {@code MPI_Scatterv_init}. */
  public PersistentRequest scatterVInit(Buf buf, int[] counts, int[] displacements, int root) {
    return scatterVInit(buf, counts, displacements, buf, root);
  }

  /** Sets up an {@link #allGatherV(Buf, Buf, int[], int[])}. {@code MPI_Allgatherv_init}. */
  public PersistentRequest allGatherVInit(Buf send, Buf receive, int[] counts, int[] displacements) {
    return (PersistentRequest) allGatherV(Form.PERSISTENT, send, receive, counts, displacements);
  }

  /** Sets up an {@link #allGatherV(Buf, int[], int[])}, in place. {@code MPI_Allgatherv_init}. */
  public PersistentRequest allGatherVInit(Buf buf, int[] counts, int[] displacements) {
    return allGatherVInit(buf, buf, counts, displacements);
  }

  /** Sets up an {@link #allToAllV(Buf, int[], int[], Buf, int[], int[])}. {@code MPI_Alltoallv_init}. */
  public PersistentRequest allToAllVInit(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    return (PersistentRequest) allToAllV(Form.PERSISTENT, send, sendCounts, sendDisplacements, receive, receiveCounts,
        receiveDisplacements);
  }

  /** Sets up an {@link #allToAllV(Buf, int[], int[])}, in place. {@code MPI_Alltoallv_init}. */
  public PersistentRequest allToAllVInit(Buf buf, int[] counts, int[] displacements) {
    return allToAllVInit(buf, counts, displacements, buf, counts, displacements);
  }
}
