// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.lifetime.Scope;

/**
 * Nonblocking operations of all processes of a communicator: MPI 4.1, chapter 6.12. Every process
 * must start them in the same order. The parameters are those of the blocking methods of the same
 * name; buffers must not be touched before the request completes.
 */
abstract class NonblockingCollectives extends Collectives {
  NonblockingCollectives(long handle, Scope scope) {
    super(handle, scope);
  }

  /**
   * Starts a {@link #barrier}. {@code MPI_Ibarrier}.
   *
   * @return the request, to be waited for or tested until it completes
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iBarrier() {
    return collectives().barrier(CallForm.NONBLOCKING);
  }

  /**
   * Starts a {@link #bcast(Buf, int)}. {@code MPI_Ibcast}.
   *
   * @param buf what the root sends and the others receive; the same number of elements everywhere;
   *     not to be touched before the request completes
   * @param root the sender's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iBcast(Buf buf, int root) {
    return collectives().bcast(CallForm.NONBLOCKING, buf, root);
  }

  /**
   * Starts a {@link #reduce(Buf, Buf, Op, int)}. {@code MPI_Ireduce}.
   *
   * @param send this process's contribution; not to be changed before the request completes
   * @param receive where the root gets the result; may be null elsewhere; not to be touched before the request completes
   * @param op the operation
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid,
   *     or the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduce(Buf send, Buf receive, Op op, int root) {
    return collectives().reduce(CallForm.NONBLOCKING, send, receive, op, root);
  }

  /**
   * Starts a {@link #reduce(Buf, Op, int)}, in place. {@code MPI_Ireduce}.
   *
   * @param buf this process's contribution; at the root the result takes its place; not to be touched before the request
   *     completes
   * @param op the operation
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the root is invalid, or the operation is for elements of
   *     another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduce(Buf buf, Op op, int root) {
    return iReduce(buf, buf, op, root);
  }

  /**
   * Starts an {@link #allReduce(Buf, Buf, Op)}. {@code MPI_Iallreduce}.
   *
   * @param send this process's contribution; not to be changed before the request completes
   * @param receive the result, of the same length and layout; not to be touched before the request
   *     completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllReduce(Buf send, Buf receive, Op op) {
    return collectives().allReduce(CallForm.NONBLOCKING, send, receive, op);
  }

  /**
   * Starts an {@link #allReduce(Buf, Op)}, in place. {@code MPI_Iallreduce}.
   *
   * @param buf this process's contribution, which the result replaces; not to be touched before the
   *     request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllReduce(Buf buf, Op op) {
    return iAllReduce(buf, buf, op);
  }

  /**
   * Starts a {@link #scan(Buf, Buf, Op)}. {@code MPI_Iscan}.
   *
   * @param send this process's contribution; not to be changed before the request completes
   * @param receive the result of ranks 0 to this one; not to be touched before the request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScan(Buf send, Buf receive, Op op) {
    return collectives().scan(CallForm.NONBLOCKING, send, receive, op);
  }

  /**
   * Starts a {@link #scan(Buf, Op)}, in place. {@code MPI_Iscan}.
   *
   * @param buf this process's contribution, which the result replaces; not to be touched before the
   *     request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScan(Buf buf, Op op) {
    return iScan(buf, buf, op);
  }

  /**
   * Starts an {@link #exScan(Buf, Buf, Op)}. {@code MPI_Iexscan}.
   *
   * @param send this process's contribution; not to be changed before the request completes
   * @param receive the result of the ranks before this one; on rank 0 undefined; not to be touched before the request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iExScan(Buf send, Buf receive, Op op) {
    return collectives().exScan(CallForm.NONBLOCKING, send, receive, op);
  }

  /**
   * Starts an {@link #exScan(Buf, Op)}, in place. {@code MPI_Iexscan}.
   *
   * @param buf this process's contribution, which the result replaces; undefined on rank 0; not to
   *     be touched before the request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iExScan(Buf buf, Op op) {
    return iExScan(buf, buf, op);
  }

  /**
   * Starts a {@link #reduceScatterBlock(Buf, Buf, Op)}. {@code MPI_Ireduce_scatter_block}.
   *
   * @param send as many parts as there are ranks; not to be changed before the request completes
   * @param receive one part: this rank's of the result; not to be touched before the request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduceScatterBlock(Buf send, Buf receive, Op op) {
    return collectives().reduceScatterBlock(CallForm.NONBLOCKING, send, receive, op);
  }

  /**
   * Starts a {@link #reduceScatterBlock(Buf, Op)}, in place. {@code MPI_Ireduce_scatter_block}.
   *
   * @param buf as many parts as there are ranks; the result takes the place of the first; not to be touched before the request
   *     completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it, or the operation is for elements
   *     of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduceScatterBlock(Buf buf, Op op) {
    return iReduceScatterBlock(buf, buf, op);
  }

  /**
   * Starts a {@link #reduceScatter(Buf, Buf, int[], Op)}. {@code MPI_Ireduce_scatter}.
   *
   * @param send as many elements as all counts together; not to be changed before the request completes
   * @param receive this rank's part of the result, {@code counts[rank]} elements; not to be touched before the request completes
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduceScatter(Buf send, Buf receive, int[] counts, Op op) {
    return collectives().reduceScatter(CallForm.NONBLOCKING, send, receive, counts, op);
  }

  /**
   * Starts a {@link #reduceScatter(Buf, int[], Op)}, in place. {@code MPI_Ireduce_scatter}.
   *
   * @param buf as many elements as all counts together; the result replaces its beginning; not to
   *     be touched before the request completes
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduceScatter(Buf buf, int[] counts, Op op) {
    return iReduceScatter(buf, buf, counts, op);
  }

  /**
   * Starts a {@link #gather(Buf, Buf, int)}. {@code MPI_Igather}.
   *
   * @param send this process's part; not to be changed before the request completes
   * @param receive at the root: as many parts as there are ranks, in their order; may be null elsewhere; not to be touched
   *     before the request completes
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iGather(Buf send, Buf receive, int root) {
    return collectives().gather(CallForm.NONBLOCKING, send, receive, root);
  }

  /**
   * Starts a {@link #gather(Buf, int)}, in place. {@code MPI_Igather}.
   *
   * @param buf at the root the whole, which already contains the root's own part; elsewhere the
   *     part; not to be touched before the request completes
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iGather(Buf buf, int root) {
    return iGather(buf, buf, root);
  }

  /**
   * Starts a {@link #scatter(Buf, Buf, int)}. {@code MPI_Iscatter}.
   *
   * @param send at the root: as many parts as there are ranks, in their order; may be null elsewhere; not to be changed before
   *     the request completes
   * @param receive this process's part; not to be touched before the request completes
   * @param root the sender's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScatter(Buf send, Buf receive, int root) {
    return collectives().scatter(CallForm.NONBLOCKING, send, receive, root);
  }

  /**
   * Starts a {@link #scatter(Buf, int)}, in place. {@code MPI_Iscatter}.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part; not to
   *     be touched before the request completes
   * @param root the sender's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScatter(Buf buf, int root) {
    return iScatter(buf, buf, root);
  }

  /**
   * Starts an {@link #allGather(Buf, Buf)}. {@code MPI_Iallgather}.
   *
   * @param send this process's part; not to be changed before the request completes
   * @param receive as many parts as there are ranks, in their order; not to be touched before the request completes
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllGather(Buf send, Buf receive) {
    return collectives().allGather(CallForm.NONBLOCKING, send, receive);
  }

  /**
   * Starts an {@link #allGather(Buf)}, in place. {@code MPI_Iallgather}.
   *
   * @param buf as many parts as there are ranks, which already contains this process's own part;
   *     not to be touched before the request completes
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllGather(Buf buf) {
    return iAllGather(buf, buf);
  }

  /**
   * Starts an {@link #allToAll(Buf, Buf)}. {@code MPI_Ialltoall}.
   *
   * @param send as many parts as there are ranks: part i goes to rank i; not to be changed before the request completes
   * @param receive as many parts as there are ranks: part i comes from rank i; not to be touched before the request completes
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllToAll(Buf send, Buf receive) {
    return collectives().allToAll(CallForm.NONBLOCKING, send, receive);
  }

  /**
   * Starts an {@link #allToAll(Buf)}, in place. {@code MPI_Ialltoall}.
   *
   * @param buf as many parts as there are ranks: part i goes to rank i, and is replaced by the part
   *     from rank i; not to be touched before the request completes
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllToAll(Buf buf) {
    return iAllToAll(buf, buf);
  }

  /**
   * Starts a {@link #gatherV(Buf, Buf, int[], int[], int)}. {@code MPI_Igatherv}.
   *
   * @param send this process's part; not to be changed before the request completes
   * @param receive at the root: room for all parts; may be null elsewhere; not to be touched before the request completes
   * @param counts at the root: elements from each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iGatherV(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    return collectives().gatherV(CallForm.NONBLOCKING, send, receive, counts, displacements, root);
  }

  /**
   * Starts a {@link #gatherV(Buf, int[], int[], int)}, in place. {@code MPI_Igatherv}.
   *
   * @param buf at the root the whole, which already contains the root's own part; elsewhere the
   *     part; not to be touched before the request completes
   * @param counts at the root: elements from each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iGatherV(Buf buf, int[] counts, int[] displacements, int root) {
    return iGatherV(buf, buf, counts, displacements, root);
  }

  /**
   * Starts a {@link #scatterV(Buf, int[], int[], Buf, int)}. {@code MPI_Iscatterv}.
   *
   * @param send at the root: all parts; may be null elsewhere; not to be changed before the request completes
   * @param counts at the root: elements for each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param receive this process's part; not to be touched before the request completes
   * @param root the sender's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScatterV(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    return collectives().scatterV(CallForm.NONBLOCKING, send, counts, displacements, receive, root);
  }

  /**
   * Starts a {@link #scatterV(Buf, int[], int[], int)}, in place. {@code MPI_Iscatterv}.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part; not to
   *     be touched before the request completes
   * @param counts at the root: elements for each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param root the sender's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScatterV(Buf buf, int[] counts, int[] displacements, int root) {
    return iScatterV(buf, counts, displacements, buf, root);
  }

  /**
   * Starts an {@link #allGatherV(Buf, Buf, int[], int[])}. {@code MPI_Iallgatherv}.
   *
   * @param send this process's part; not to be changed before the request completes
   * @param receive room for all parts; not to be touched before the request completes
   * @param counts elements from each rank, of the whole's datatype
   * @param displacements where each part goes, in elements
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllGatherV(Buf send, Buf receive, int[] counts, int[] displacements) {
    return collectives().allGatherV(CallForm.NONBLOCKING, send, receive, counts, displacements);
  }

  /**
   * Starts an {@link #allGatherV(Buf, int[], int[])}, in place. {@code MPI_Iallgatherv}.
   *
   * @param buf room for all parts, which already contains this process's own part; not to be
   *     touched before the request completes
   * @param counts elements from each rank, of the whole's datatype
   * @param displacements where each part goes, in elements
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllGatherV(Buf buf, int[] counts, int[] displacements) {
    return iAllGatherV(buf, buf, counts, displacements);
  }

  /**
   * Starts an {@link #allToAllV(Buf, int[], int[], Buf, int[], int[])}. {@code MPI_Ialltoallv}.
   *
   * @param send all parts to send; not to be changed before the request completes
   * @param sendCounts elements for each rank
   * @param sendDisplacements where each part starts, in elements
   * @param receive room for all parts; not to be touched before the request completes
   * @param receiveCounts elements from each rank
   * @param receiveDisplacements where each part goes, in elements
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllToAllV(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    return collectives().allToAllV(CallForm.NONBLOCKING, send, sendCounts, sendDisplacements, receive, receiveCounts,
        receiveDisplacements);
  }

  /**
   * Starts an {@link #allToAllV(Buf, int[], int[])}, in place. {@code MPI_Ialltoallv}.
   *
   * @param buf all parts; what comes from a rank takes the place of what goes there; not to be touched before the request
   *     completes
   * @param counts elements for and from each rank
   * @param displacements where each part starts, in elements
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllToAllV(Buf buf, int[] counts, int[] displacements) {
    return iAllToAllV(buf, counts, displacements, buf, counts, displacements);
  }

  /**
   * Starts an {@link #allToAllW(Buf, TypedParts, Buf, TypedParts)}. {@code MPI_Ialltoallw}.
   *
   * @param send all parts to send; not to be changed before the request completes
   * @param sendParts what goes to each rank
   * @param receive room for all parts; other memory than {@code send}; not to be touched before the request completes
   * @param receiveParts what comes from each rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllToAllW(Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts) {
    return collectives().allToAllW(CallForm.NONBLOCKING, send, sendParts, receive, receiveParts);
  }
}
