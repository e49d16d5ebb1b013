// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.lifetime.Scope;

/**
 * Operations of all processes of a communicator, blocking: MPI 4.1, chapter 6. Every process must call the same operation
 * with matching arguments. If a process fails, some callers may get the result and others a {@link MpiFaultException}.
 *
 * <p>Passing the same buffer as {@code send} and {@code receive}, or using the form with one buffer, works in place
 * ({@code MPI_IN_PLACE}); so does passing two views of the same memory. Buffers that overlap otherwise are refused.
 */
abstract class Collectives extends SingleValueCollectives {
  Collectives(long handle, Scope scope) {
    super(handle, scope);
  }

  /**
   * Waits until all processes have called it. {@code MPI_Barrier}.
   *
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void barrier() {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().barrier(CallForm.BLOCKING));
    } else {
      collectives().barrier(CallForm.BLOCKING);
    }
  }

  /**
   * Sends the root's buffer to all. {@code MPI_Bcast}.
   *
   * @param buf what the root sends and the others receive; the same count and datatype everywhere
   * @param root the sender's rank
   * @throws IllegalArgumentException if the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void bcast(Buf buf, int root) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().bcast(CallForm.BLOCKING, buf, root));
    } else {
      collectives().bcast(CallForm.BLOCKING, buf, root);
    }
  }

  /**
   * Combines every process's buffer element by element; the root gets the result. {@code MPI_Reduce}.
   *
   * @param send this process's contribution
   * @param receive where the root gets the result; may be null elsewhere
   * @param op the operation
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid,
   *     or the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduce(Buf send, Buf receive, Op op, int root) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().reduce(CallForm.BLOCKING, send, receive, op, root));
    } else {
      collectives().reduce(CallForm.BLOCKING, send, receive, op, root);
    }
  }

  /**
   * {@link #reduce(Buf, Buf, Op, int)} in place: at the root, where {@code buf} is contribution and result.
   *
   * @param buf this process's contribution; at the root the result takes its place
   * @param op the operation
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the root is invalid, or the operation is for elements of
   *     another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduce(Buf buf, Op op, int root) {
    reduce(buf, buf, op, root);
  }

  /**
   * Combines every process's buffer element by element; all get the result. {@code MPI_Allreduce}.
   *
   * @param send this process's contribution
   * @param receive the result, of the same length and datatype
   * @param op the operation
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allReduce(Buf send, Buf receive, Op op) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().allReduce(CallForm.BLOCKING, send, receive, op));
    } else {
      collectives().allReduce(CallForm.BLOCKING, send, receive, op);
    }
  }

  /**
   * {@link #allReduce(Buf, Buf, Op)} in place: the result replaces the contribution.
   *
   * @param buf this process's contribution, which the result replaces
   * @param op the operation
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allReduce(Buf buf, Op op) {
    allReduce(buf, buf, op);
  }

  /**
   * Combines the buffers of ranks 0 to this one, inclusive. {@code MPI_Scan}.
   *
   * @param send this process's contribution
   * @param receive the result
   * @param op the operation
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scan(Buf send, Buf receive, Op op) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().scan(CallForm.BLOCKING, send, receive, op));
    } else {
      collectives().scan(CallForm.BLOCKING, send, receive, op);
    }
  }

  /**
   * {@link #scan(Buf, Buf, Op)} in place: the result replaces the contribution.
   *
   * @param buf this process's contribution, which the result replaces
   * @param op the operation
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scan(Buf buf, Op op) {
    scan(buf, buf, op);
  }

  /**
   * Combines the buffers of the ranks before this one; rank 0's result is undefined. {@code MPI_Exscan}.
   *
   * @param send this process's contribution
   * @param receive the result
   * @param op the operation
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void exScan(Buf send, Buf receive, Op op) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().exScan(CallForm.BLOCKING, send, receive, op));
    } else {
      collectives().exScan(CallForm.BLOCKING, send, receive, op);
    }
  }

  /**
   * {@link #exScan(Buf, Buf, Op)} in place: the result replaces the contribution.
   *
   * @param buf this process's contribution, which the result replaces; undefined on rank 0
   * @param op the operation
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void exScan(Buf buf, Op op) {
    exScan(buf, buf, op);
  }

  /**
   * Combines every process's buffer, and rank i gets the i-th part of the result. {@code MPI_Reduce_scatter_block}.
   *
   * @param send as many parts as there are ranks
   * @param receive one part
   * @param op the operation
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduceScatterBlock(Buf send, Buf receive, Op op) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().reduceScatterBlock(CallForm.BLOCKING, send, receive, op));
    } else {
      collectives().reduceScatterBlock(CallForm.BLOCKING, send, receive, op);
    }
  }

  /**
   * {@link #reduceScatterBlock(Buf, Buf, Op)} in place: the result takes the first part's place.
   *
   * @param buf as many parts as there are ranks; the result takes the place of the first
   * @param op the operation
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it, or the operation is for elements
   *     of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduceScatterBlock(Buf buf, Op op) {
    reduceScatterBlock(buf, buf, op);
  }

  /**
   * Combines every process's buffer, and rank i gets {@code counts[i]} elements of the result. {@code MPI_Reduce_scatter}.
   *
   * @param send as many elements as all counts together
   * @param receive this process's part
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduceScatter(Buf send, Buf receive, int[] counts, Op op) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().reduceScatter(CallForm.BLOCKING, send, receive, counts, op));
    } else {
      collectives().reduceScatter(CallForm.BLOCKING, send, receive, counts, op);
    }
  }

  /**
   * {@link #reduceScatter(Buf, Buf, int[], Op)} in place: the result replaces the buffer's
   * beginning.
   *
   * @param buf as many elements as all counts together; the result replaces its beginning
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduceScatter(Buf buf, int[] counts, Op op) {
    reduceScatter(buf, buf, counts, op);
  }

  /**
   * Gathers the buffers of all processes at the root, in the order of ranks. {@code MPI_Gather}.
   *
   * @param send this process's part
   * @param receive at the root: as many parts as there are ranks; may be null elsewhere
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void gather(Buf send, Buf receive, int root) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().gather(CallForm.BLOCKING, send, receive, root));
    } else {
      collectives().gather(CallForm.BLOCKING, send, receive, root);
    }
  }

  /**
   * {@link #gather(Buf, Buf, int)} in place. The root has the whole, others a part.
   *
   * @param buf at the root the whole, with the root's own part in place; elsewhere the part
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void gather(Buf buf, int root) {
    gather(buf, buf, root);
  }

  /**
   * Distributes the root's buffer in equal parts, in the order of ranks. {@code MPI_Scatter}.
   *
   * @param send at the root: as many parts as there are ranks; may be null elsewhere
   * @param receive this process's part
   * @param root the sender's rank
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scatter(Buf send, Buf receive, int root) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().scatter(CallForm.BLOCKING, send, receive, root));
    } else {
      collectives().scatter(CallForm.BLOCKING, send, receive, root);
    }
  }

  /**
   * {@link #scatter(Buf, Buf, int)} in place. The root has the whole, others a part.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part
   * @param root the sender's rank
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scatter(Buf buf, int root) {
    scatter(buf, buf, root);
  }

  /**
   * Gathers the buffers of all processes at each of them, in the order of ranks.
   * {@code MPI_Allgather}.
   *
   * @param send this process's part
   * @param receive as many parts as there are ranks; between two groups see {@link Intercomm}
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allGather(Buf send, Buf receive) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().allGather(CallForm.BLOCKING, send, receive));
    } else {
      collectives().allGather(CallForm.BLOCKING, send, receive);
    }
  }

  /**
   * {@link #allGather(Buf, Buf)} in place: this process's part is already at its place.
   *
   * @param buf as many parts as there are ranks, which already contains this process's own part
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allGather(Buf buf) {
    allGather(buf, buf);
  }

  /**
   * Sends the i-th part of each process's buffer to rank i. {@code MPI_Alltoall}.
   *
   * @param send as many parts as there are ranks
   * @param receive as many parts as there are ranks; between two groups see {@link Intercomm}
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allToAll(Buf send, Buf receive) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().allToAll(CallForm.BLOCKING, send, receive));
    } else {
      collectives().allToAll(CallForm.BLOCKING, send, receive);
    }
  }

  /**
   * {@link #allToAll(Buf, Buf)} in place: the received parts replace the sent ones.
   *
   * @param buf as many parts as there are ranks: part i goes to rank i, and is replaced by the part from rank i
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allToAll(Buf buf) {
    allToAll(buf, buf);
  }

  /**
   * As {@link #gather}, with parts of different lengths. {@code MPI_Gatherv}.
   *
   * @param send this process's part
   * @param receive at the root: room for all parts; may be null elsewhere
   * @param counts at the root: elements from each rank; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void gatherV(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().gatherV(CallForm.BLOCKING, send, receive, counts, displacements, root));
    } else {
      collectives().gatherV(CallForm.BLOCKING, send, receive, counts, displacements, root);
    }
  }

  /**
   * {@link #gatherV(Buf, Buf, int[], int[], int)} in place. The root has the whole, others a part.
   *
   * @param buf at the root the whole, with the root's own part in place; elsewhere the part
   * @param counts at the root: elements from each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void gatherV(Buf buf, int[] counts, int[] displacements, int root) {
    gatherV(buf, buf, counts, displacements, root);
  }

  /**
   * As {@link #scatter}, with parts of different lengths. {@code MPI_Scatterv}.
   *
   * @param send at the root: all parts; may be null elsewhere
   * @param counts at the root: elements for each rank; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param receive this process's part
   * @param root the sender's rank
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scatterV(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().scatterV(CallForm.BLOCKING, send, counts, displacements, receive, root));
    } else {
      collectives().scatterV(CallForm.BLOCKING, send, counts, displacements, receive, root);
    }
  }

  /**
   * {@link #scatterV(Buf, int[], int[], Buf, int)} in place. The root has the whole, others a part.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part
   * @param counts at the root: elements for each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param root the sender's rank
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scatterV(Buf buf, int[] counts, int[] displacements, int root) {
    scatterV(buf, counts, displacements, buf, root);
  }

  /**
   * As {@link #allGather}, with parts of different lengths. {@code MPI_Allgatherv}.
   *
   * @param send this process's part
   * @param receive room for all parts
   * @param counts elements from each rank
   * @param displacements where each part goes, in elements
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allGatherV(Buf send, Buf receive, int[] counts, int[] displacements) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().allGatherV(CallForm.BLOCKING, send, receive, counts, displacements));
    } else {
      collectives().allGatherV(CallForm.BLOCKING, send, receive, counts, displacements);
    }
  }

  /**
   * {@link #allGatherV(Buf, Buf, int[], int[])} in place: this process's part is already at its
   * place.
   *
   * @param buf room for all parts, which already contains this process's own part
   * @param counts elements from each rank, of the whole's datatype
   * @param displacements where each part goes, in elements
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allGatherV(Buf buf, int[] counts, int[] displacements) {
    allGatherV(buf, buf, counts, displacements);
  }

  /**
   * As {@link #allToAll}, with parts of different lengths. {@code MPI_Alltoallv}.
   *
   * @param send all parts to send
   * @param sendCounts elements for each rank
   * @param sendDisplacements where each part starts, in elements
   * @param receive room for all parts
   * @param receiveCounts elements from each rank
   * @param receiveDisplacements where each part goes, in elements
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allToAllV(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads
          .run(() -> collectives().allToAllV(CallForm.BLOCKING, send, sendCounts, sendDisplacements, receive, receiveCounts,
              receiveDisplacements));
    } else {
      collectives().allToAllV(CallForm.BLOCKING, send, sendCounts, sendDisplacements, receive, receiveCounts,
          receiveDisplacements);
    }
  }

  /**
   * {@link #allToAllV(Buf, int[], int[], Buf, int[], int[])} in place: the received parts replace the sent ones.
   *
   * @param buf all parts; the part for a rank is replaced by the part from it
   * @param counts elements for and from each rank
   * @param displacements where each part starts, in elements
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allToAllV(Buf buf, int[] counts, int[] displacements) {
    allToAllV(buf, counts, displacements, buf, counts, displacements);
  }

  /**
   * As {@link #allToAllV}, with a datatype of its own for every part. {@code MPI_Alltoallw}.
   *
   * @param send all parts to send
   * @param sendParts what goes to each rank
   * @param receive room for all parts; other memory than {@code send}
   * @param receiveParts what comes from each rank
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allToAllW(Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts) {
    if (VirtualThreads.needsPlatformThread()) {
      VirtualThreads.run(() -> collectives().allToAllW(CallForm.BLOCKING, send, sendParts, receive, receiveParts));
    } else {
      collectives().allToAllW(CallForm.BLOCKING, send, sendParts, receive, receiveParts);
    }
  }
}
