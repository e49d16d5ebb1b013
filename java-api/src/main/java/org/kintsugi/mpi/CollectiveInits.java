// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.lifetime.Scope;

/**
 * Persistent operations of all processes of a communicator: MPI 4.1, chapter 6.13. They are set up
 * once and started many times. Every process must set them up, and start them, in the same order.
 * The parameters are those of the blocking methods of the same name; arrays are read at every
 * start. The caller closes the request.
 */
abstract class CollectiveInits extends NonblockingCollectives {
  CollectiveInits(long handle, Scope scope) {
    super(handle, scope);
  }

  /**
   * Sets up a {@link #barrier}. {@code MPI_Barrier_init}.
   *
   * @return the request, not started yet; the caller closes it
   */
  public PersistentRequest barrierInit() {
    return (PersistentRequest) collectives().barrier(CallForm.PERSISTENT);
  }

  /**
   * Sets up a {@link #bcast(Buf, int)}. {@code MPI_Bcast_init}.
   *
   * @param buf what the root sends and the others receive; the same number of elements everywhere;
   *     not to be touched while one is under way
   * @param root the sender's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the root is invalid
   */
  public PersistentRequest bcastInit(Buf buf, int root) {
    return (PersistentRequest) collectives().bcast(CallForm.PERSISTENT, buf, root);
  }

  /**
   * Sets up a {@link #reduce(Buf, Buf, Op, int)}. {@code MPI_Reduce_init}.
   *
   * @param send this process's contribution; its contents count at every start
   * @param receive where the root gets the result; may be null elsewhere; not to be touched while one is under way
   * @param op the operation
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid,
   *     or the operation is for elements of another type
   */
  public PersistentRequest reduceInit(Buf send, Buf receive, Op op, int root) {
    return (PersistentRequest) collectives().reduce(CallForm.PERSISTENT, send, receive, op, root);
  }

  /**
   * Sets up a {@link #reduce(Buf, Op, int)}, in place. {@code MPI_Reduce_init}.
   *
   * @param buf this process's contribution; at the root the result takes its place; not to be touched while one is under way
   * @param op the operation
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the root is invalid, or the operation is for elements of
   *     another type
   */
  public PersistentRequest reduceInit(Buf buf, Op op, int root) {
    return reduceInit(buf, buf, op, root);
  }

  /**
   * Sets up an {@link #allReduce(Buf, Buf, Op)}. {@code MPI_Allreduce_init}.
   *
   * @param send this process's contribution; its contents count at every start
   * @param receive the result, of the same length and layout; not to be touched while one is under
   *     way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   */
  public PersistentRequest allReduceInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) collectives().allReduce(CallForm.PERSISTENT, send, receive, op);
  }

  /**
   * Sets up an {@link #allReduce(Buf, Op)}, in place. {@code MPI_Allreduce_init}.
   *
   * @param buf this process's contribution, which the result replaces; not to be touched while one
   *     is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the operation is for elements of another type
   */
  public PersistentRequest allReduceInit(Buf buf, Op op) {
    return allReduceInit(buf, buf, op);
  }

  /**
   * Sets up a {@link #scan(Buf, Buf, Op)}. {@code MPI_Scan_init}.
   *
   * @param send this process's contribution; its contents count at every start
   * @param receive the result of ranks 0 to this one; not to be touched while one is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   */
  public PersistentRequest scanInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) collectives().scan(CallForm.PERSISTENT, send, receive, op);
  }

  /**
   * Sets up a {@link #scan(Buf, Op)}, in place. {@code MPI_Scan_init}.
   *
   * @param buf this process's contribution, which the result replaces; not to be touched while one
   *     is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the operation is for elements of another type
   */
  public PersistentRequest scanInit(Buf buf, Op op) {
    return scanInit(buf, buf, op);
  }

  /**
   * Sets up an {@link #exScan(Buf, Buf, Op)}. {@code MPI_Exscan_init}.
   *
   * @param send this process's contribution; its contents count at every start
   * @param receive the result of the ranks before this one; on rank 0 undefined; not to be touched while one is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   */
  public PersistentRequest exScanInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) collectives().exScan(CallForm.PERSISTENT, send, receive, op);
  }

  /**
   * Sets up an {@link #exScan(Buf, Op)}, in place. {@code MPI_Exscan_init}.
   *
   * @param buf this process's contribution, which the result replaces; undefined on rank 0; not to
   *     be touched while one is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the operation is for elements of another type
   */
  public PersistentRequest exScanInit(Buf buf, Op op) {
    return exScanInit(buf, buf, op);
  }

  /**
   * Sets up a {@link #reduceScatterBlock(Buf, Buf, Op)}. {@code MPI_Reduce_scatter_block_init}.
   *
   * @param send as many parts as there are ranks; its contents count at every start
   * @param receive one part: this rank's of the result; not to be touched while one is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   */
  public PersistentRequest reduceScatterBlockInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) collectives().reduceScatterBlock(CallForm.PERSISTENT, send, receive, op);
  }

  /**
   * Sets up a {@link #reduceScatterBlock(Buf, Op)}, in place. {@code MPI_Reduce_scatter_block_init}.
   *
   * @param buf as many parts as there are ranks; the result takes the place of the first; not to be touched while one is under
   *     way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it, or the operation is for elements
   *     of another type
   */
  public PersistentRequest reduceScatterBlockInit(Buf buf, Op op) {
    return reduceScatterBlockInit(buf, buf, op);
  }

  /**
   * Sets up a {@link #reduceScatter(Buf, Buf, int[], Op)}. {@code MPI_Reduce_scatter_init}.
   *
   * @param send as many elements as all counts together; its contents count at every start
   * @param receive this rank's part of the result, {@code counts[rank]} elements; not to be touched while one is under way
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   */
  public PersistentRequest reduceScatterInit(Buf send, Buf receive, int[] counts, Op op) {
    return (PersistentRequest) collectives().reduceScatter(CallForm.PERSISTENT, send, receive, counts, op);
  }

  /**
   * Sets up a {@link #reduceScatter(Buf, int[], Op)}, in place. {@code MPI_Reduce_scatter_init}.
   *
   * @param buf as many elements as all counts together; the result replaces its beginning; not to
   *     be touched while one is under way
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   */
  public PersistentRequest reduceScatterInit(Buf buf, int[] counts, Op op) {
    return reduceScatterInit(buf, buf, counts, op);
  }

  /**
   * Sets up a {@link #gather(Buf, Buf, int)}. {@code MPI_Gather_init}.
   *
   * @param send this process's part; its contents count at every start
   * @param receive at the root: as many parts as there are ranks, in their order; may be null elsewhere; not to be touched while
   *     one is under way
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   */
  public PersistentRequest gatherInit(Buf send, Buf receive, int root) {
    return (PersistentRequest) collectives().gather(CallForm.PERSISTENT, send, receive, root);
  }

  /**
   * Sets up a {@link #gather(Buf, int)}, in place. {@code MPI_Gather_init}.
   *
   * @param buf at the root the whole, which already contains the root's own part; elsewhere the
   *     part; not to be touched while one is under way
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   */
  public PersistentRequest gatherInit(Buf buf, int root) {
    return gatherInit(buf, buf, root);
  }

  /**
   * Sets up a {@link #scatter(Buf, Buf, int)}. {@code MPI_Scatter_init}.
   *
   * @param send at the root: as many parts as there are ranks, in their order; may be null elsewhere; its contents count at
   *     every start
   * @param receive this process's part; not to be touched while one is under way
   * @param root the sender's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   */
  public PersistentRequest scatterInit(Buf send, Buf receive, int root) {
    return (PersistentRequest) collectives().scatter(CallForm.PERSISTENT, send, receive, root);
  }

  /**
   * Sets up a {@link #scatter(Buf, int)}, in place. {@code MPI_Scatter_init}.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part; not to
   *     be touched while one is under way
   * @param root the sender's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   */
  public PersistentRequest scatterInit(Buf buf, int root) {
    return scatterInit(buf, buf, root);
  }

  /**
   * Sets up an {@link #allGather(Buf, Buf)}. {@code MPI_Allgather_init}.
   *
   * @param send this process's part; its contents count at every start
   * @param receive as many parts as there are ranks, in their order; not to be touched while one is under way
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other
   */
  public PersistentRequest allGatherInit(Buf send, Buf receive) {
    return (PersistentRequest) collectives().allGather(CallForm.PERSISTENT, send, receive);
  }

  /**
   * Sets up an {@link #allGather(Buf)}, in place. {@code MPI_Allgather_init}.
   *
   * @param buf as many parts as there are ranks, which already contains this process's own part;
   *     not to be touched while one is under way
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   */
  public PersistentRequest allGatherInit(Buf buf) {
    return allGatherInit(buf, buf);
  }

  /**
   * Sets up an {@link #allToAll(Buf, Buf)}. {@code MPI_Alltoall_init}.
   *
   * @param send as many parts as there are ranks: part i goes to rank i; its contents count at every start
   * @param receive as many parts as there are ranks: part i comes from rank i; not to be touched while one is under way
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other
   */
  public PersistentRequest allToAllInit(Buf send, Buf receive) {
    return (PersistentRequest) collectives().allToAll(CallForm.PERSISTENT, send, receive);
  }

  /**
   * Sets up an {@link #allToAll(Buf)}, in place. {@code MPI_Alltoall_init}.
   *
   * @param buf as many parts as there are ranks: part i goes to rank i, and is replaced by the part
   *     from rank i; not to be touched while one is under way
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   */
  public PersistentRequest allToAllInit(Buf buf) {
    return allToAllInit(buf, buf);
  }

  /**
   * Sets up a {@link #gatherV(Buf, Buf, int[], int[], int)}. {@code MPI_Gatherv_init}.
   *
   * @param send this process's part; its contents count at every start
   * @param receive at the root: room for all parts; may be null elsewhere; not to be touched while one is under way
   * @param counts at the root: elements from each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   */
  public PersistentRequest gatherVInit(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    return (PersistentRequest) collectives().gatherV(CallForm.PERSISTENT, send, receive, counts, displacements, root);
  }

  /**
   * Sets up a {@link #gatherV(Buf, int[], int[], int)}, in place. {@code MPI_Gatherv_init}.
   *
   * @param buf at the root the whole, which already contains the root's own part; elsewhere the
   *     part; not to be touched while one is under way
   * @param counts at the root: elements from each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   */
  public PersistentRequest gatherVInit(Buf buf, int[] counts, int[] displacements, int root) {
    return gatherVInit(buf, buf, counts, displacements, root);
  }

  /**
   * Sets up a {@link #scatterV(Buf, int[], int[], Buf, int)}. {@code MPI_Scatterv_init}.
   *
   * @param send at the root: all parts; may be null elsewhere; its contents count at every start
   * @param counts at the root: elements for each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param receive this process's part; not to be touched while one is under way
   * @param root the sender's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   */
  public PersistentRequest scatterVInit(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    return (PersistentRequest) collectives().scatterV(CallForm.PERSISTENT, send, counts, displacements, receive, root);
  }

  /**
   * Sets up a {@link #scatterV(Buf, int[], int[], int)}, in place. {@code MPI_Scatterv_init}.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part; not to
   *     be touched while one is under way
   * @param counts at the root: elements for each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param root the sender's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   */
  public PersistentRequest scatterVInit(Buf buf, int[] counts, int[] displacements, int root) {
    return scatterVInit(buf, counts, displacements, buf, root);
  }

  /**
   * Sets up an {@link #allGatherV(Buf, Buf, int[], int[])}. {@code MPI_Allgatherv_init}.
   *
   * @param send this process's part; its contents count at every start
   * @param receive room for all parts; not to be touched while one is under way
   * @param counts elements from each rank, of the whole's datatype
   * @param displacements where each part goes, in elements
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   */
  public PersistentRequest allGatherVInit(Buf send, Buf receive, int[] counts, int[] displacements) {
    return (PersistentRequest) collectives().allGatherV(CallForm.PERSISTENT, send, receive, counts, displacements);
  }

  /**
   * Sets up an {@link #allGatherV(Buf, int[], int[])}, in place. {@code MPI_Allgatherv_init}.
   *
   * @param buf room for all parts, which already contains this process's own part; not to be
   *     touched while one is under way
   * @param counts elements from each rank, of the whole's datatype
   * @param displacements where each part goes, in elements
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   */
  public PersistentRequest allGatherVInit(Buf buf, int[] counts, int[] displacements) {
    return allGatherVInit(buf, buf, counts, displacements);
  }

  /**
   * Sets up an {@link #allToAllV(Buf, int[], int[], Buf, int[], int[])}. {@code MPI_Alltoallv_init}.
   *
   * @param send all parts to send; its contents count at every start
   * @param sendCounts elements for each rank
   * @param sendDisplacements where each part starts, in elements
   * @param receive room for all parts; not to be touched while one is under way
   * @param receiveCounts elements from each rank
   * @param receiveDisplacements where each part goes, in elements
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   */
  public PersistentRequest allToAllVInit(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    return (PersistentRequest) collectives().allToAllV(CallForm.PERSISTENT, send, sendCounts, sendDisplacements, receive,
        receiveCounts,
        receiveDisplacements);
  }

  /**
   * Sets up an {@link #allToAllV(Buf, int[], int[])}, in place. {@code MPI_Alltoallv_init}.
   *
   * @param buf all parts; the part for a rank is replaced by the part from it; not to be touched
   *     while one is under way
   * @param counts elements for and from each rank
   * @param displacements where each part starts, in elements
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   */
  public PersistentRequest allToAllVInit(Buf buf, int[] counts, int[] displacements) {
    return allToAllVInit(buf, counts, displacements, buf, counts, displacements);
  }

  /**
   * Sets up an {@link #allToAllW(Buf, TypedParts, Buf, TypedParts)}. {@code MPI_Alltoallw_init}.
   *
   * @param send all parts to send; its contents count at every start
   * @param sendParts what goes to each rank
   * @param receive room for all parts; other memory than {@code send}; not to be touched while one is under way
   * @param receiveParts what comes from each rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other
   */
  public PersistentRequest allToAllWInit(Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts) {
    return (PersistentRequest) collectives().allToAllW(CallForm.PERSISTENT, send, sendParts, receive, receiveParts);
  }
}
