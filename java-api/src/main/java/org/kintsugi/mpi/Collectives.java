// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Scratch;

/**
 * Operations of all processes of a communicator, blocking: MPI 4.1, chapter 6. Every process must call the same operation
 * with matching arguments. If a process fails, some callers may get the result and others a {@link MpiFaultException}.
 *
 * <p>Passing the same buffer as {@code send} and {@code receive}, or using the form with one buffer, works in place
 * ({@code MPI_IN_PLACE}); two buffers must not overlap otherwise.
 */
abstract class Collectives extends CollectiveChecks {
  Collectives(long handle, Scope scope) {
    super(handle, scope);
  }

  /** Waits until all processes have called it. {@code MPI_Barrier}. */
  public void barrier() {
    check(MPI.MPI_Barrier(handle()), "MPI_Barrier");
  }

  /**
   * Sends the root's buffer to all. {@code MPI_Bcast}.
   *
   * @param buf what the root sends and the others receive; the same count and datatype everywhere
   * @param root the sender's rank
   */
  public void bcast(Buf buf, int root) {
    long comm = handle();
    int count = count(require(buf, "buf"));
    checkRoot(root);
    long to = addressOf(buf);
    int code = MPI.MPI_Bcast(to, count, buf.datatype().handle(), root, comm);
    finish(code, "MPI_Bcast", null, 0, buf, to);
  }

  /**
   * Combines every process's buffer element by element; the root gets the result. {@code MPI_Reduce}.
   *
   * @param send this process's contribution
   * @param receive where the root gets the result; may be null elsewhere
   * @param op the operation
   * @param root the receiver's rank
   */
  public void reduce(Buf send, Buf receive, Op op, int root) {
    long comm = handle();
    Buf shape = requireReduce(send, receive, root);
    Buf part = part(send, root);
    Buf whole = atRoot(receive, root);
    long operation = operation(op, shape);
    long from = addressOf(part, whole);
    long to = addressOf(whole);
    int code = MPI.MPI_Reduce(from, to, count(shape), shape.datatype().handle(), operation, root, comm);
    finish(op, code, "MPI_Reduce", part, from, whole, to);
  }

  /** {@link #reduce(Buf, Buf, Op, int)} in place: at the root, where {@code buf} is contribution and result. */
  public void reduce(Buf buf, Op op, int root) {
    reduce(buf, buf, op, root);
  }

  /**
   * Combines every process's buffer element by element; all get the result. {@code MPI_Allreduce}.
   *
   * @param send this process's contribution
   * @param receive the result, as long and of the same datatype
   * @param op the operation
   */
  public void allReduce(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(send, receive, 1);
    long operation = operation(op, send);
    long from = addressOf(send, receive);
    long to = addressOf(receive);
    int code = MPI.MPI_Allreduce(from, to, count, send.datatype().handle(), operation, comm);
    finish(op, code, "MPI_Allreduce", send, from, receive, to);
  }

  /** {@link #allReduce(Buf, Buf, Op)} in place: the result replaces the contribution. */
  public void allReduce(Buf buf, Op op) {
    allReduce(buf, buf, op);
  }

  /**
   * Combines the buffers of ranks 0 to this one, inclusive. {@code MPI_Scan}.
   *
   * @param send this process's contribution
   * @param receive the result
   * @param op the operation
   */
  public void scan(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(send, receive, 1);
    long operation = operation(op, send);
    long from = addressOf(send, receive);
    long to = addressOf(receive);
    int code = MPI.MPI_Scan(from, to, count, send.datatype().handle(), operation, comm);
    finish(op, code, "MPI_Scan", send, from, receive, to);
  }

  /** {@link #scan(Buf, Buf, Op)} in place: the result replaces the contribution. */
  public void scan(Buf buf, Op op) {
    scan(buf, buf, op);
  }

  /**
   * Combines the buffers of the ranks before this one; rank 0's result is undefined. {@code MPI_Exscan}.
   *
   * @param send this process's contribution
   * @param receive the result
   * @param op the operation
   */
  public void exScan(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(send, receive, 1);
    long operation = operation(op, send);
    long from = addressOf(send, receive);
    long to = addressOf(receive);
    int code = MPI.MPI_Exscan(from, to, count, send.datatype().handle(), operation, comm);
    finish(op, code, "MPI_Exscan", send, from, receive, to);
  }

  /** {@link #exScan(Buf, Buf, Op)} in place: the result replaces the contribution. */
  public void exScan(Buf buf, Op op) {
    exScan(buf, buf, op);
  }

  /**
   * Combines every process's buffer, and rank i gets the i-th part of the result. {@code MPI_Reduce_scatter_block}.
   *
   * @param send as many parts as there are ranks
   * @param receive one part
   * @param op the operation
   */
  public void reduceScatterBlock(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(receive, send, size());
    long operation = operation(op, send);
    long from = addressOf(send, receive);
    long to = addressOf(receive);
    int code = MPI.MPI_Reduce_scatter_block(from, to, count, send.datatype().handle(), operation, comm);
    finish(op, code, "MPI_Reduce_scatter_block", send, from, receive, to);
  }

  /** {@link #reduceScatterBlock(Buf, Buf, Op)} in place: the result takes the first part's place. */
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
   */
  public void reduceScatter(Buf send, Buf receive, int[] counts, Op op) {
    long comm = handle();
    requireReduceScatter(send, receive, counts);
    long operation = operation(op, send);
    long arrays = intArrays(counts);
    long from = addressOf(send, receive);
    long to = addressOf(receive);
    int code = MPI.MPI_Reduce_scatter(from, to, arrays, send.datatype().handle(), operation, comm);
    Memory.free(arrays);
    finish(op, code, "MPI_Reduce_scatter", send, from, receive, to);
  }

  /** {@link #reduceScatter(Buf, Buf, int[], Op)} in place: the result takes the buffer's beginning. */
  public void reduceScatter(Buf buf, int[] counts, Op op) {
    reduceScatter(buf, buf, counts, op);
  }

  /**
   * Puts every process's buffer behind one another at the root, in the order of ranks. {@code MPI_Gather}.
   *
   * @param send this process's part
   * @param receive at the root: as many parts as there are ranks; may be null elsewhere
   * @param root the receiver's rank
   */
  public void gather(Buf send, Buf receive, int root) {
    long comm = handle();
    int count = requireRooted(send, receive, root);
    Buf part = part(send, root);
    Buf whole = atRoot(receive, root);
    long type = type(part, whole);
    long from = addressOf(part, whole);
    long to = addressOf(whole);
    int code = MPI.MPI_Gather(from, count, type, to, count, type, root, comm);
    finish(code, "MPI_Gather", part, from, whole, to);
  }

  /**
   * {@link #gather(Buf, Buf, int)} in place: at the root, where {@code buf} is the whole and its own part stands where it
   * belongs; elsewhere it is the part.
   */
  public void gather(Buf buf, int root) {
    gather(buf, buf, root);
  }

  /**
   * Hands out the root's buffer in equal parts, in the order of ranks. {@code MPI_Scatter}.
   *
   * @param send at the root: as many parts as there are ranks; may be null elsewhere
   * @param receive this process's part
   * @param root the sender's rank
   */
  public void scatter(Buf send, Buf receive, int root) {
    long comm = handle();
    int count = requireRooted(receive, send, root);
    Buf part = part(receive, root);
    Buf whole = atRoot(send, root);
    long type = type(part, whole);
    long from = addressOf(whole);
    long to = addressOf(part, whole);
    int code = MPI.MPI_Scatter(from, count, type, to, count, type, root, comm);
    finish(code, "MPI_Scatter", whole, from, part == whole ? null : part, to);
  }

  /**
   * {@link #scatter(Buf, Buf, int)} in place: at the root, where {@code buf} is the whole and its own part stays where it
   * is; elsewhere it is the part.
   */
  public void scatter(Buf buf, int root) {
    scatter(buf, buf, root);
  }

  /**
   * Puts every process's buffer behind one another at all, in the order of ranks. {@code MPI_Allgather}.
   *
   * @param send this process's part
   * @param receive as many parts as there are ranks
   */
  public void allGather(Buf send, Buf receive) {
    long comm = handle();
    int part = requireParts(send, receive, peers());
    long type = send.datatype().handle();
    long from = addressOf(send, receive);
    long to = addressOf(receive);
    int code = MPI.MPI_Allgather(from, part, type, to, part, type, comm);
    finish(code, "MPI_Allgather", send, from, receive, to);
  }

  /** {@link #allGather(Buf, Buf)} in place: this process's part already stands where it belongs. */
  public void allGather(Buf buf) {
    allGather(buf, buf);
  }

  /**
   * Sends the i-th part of each process's buffer to rank i. {@code MPI_Alltoall}.
   *
   * @param send as many parts as there are ranks
   * @param receive as many parts as there are ranks
   */
  public void allToAll(Buf send, Buf receive) {
    long comm = handle();
    requireParts(send, receive, 1);
    int part = requireWholeParts(send, peers());
    long type = send.datatype().handle();
    long from = addressOf(send, receive);
    long to = addressOf(receive);
    int code = MPI.MPI_Alltoall(from, part, type, to, part, type, comm);
    finish(code, "MPI_Alltoall", send, from, receive, to);
  }

  /** {@link #allToAll(Buf, Buf)} in place: what is received replaces what was sent. */
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
   */
  public void gatherV(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    long comm = handle();
    Buf shape = requireRootedParts(send, receive, counts, displacements, root);
    Buf part = part(send, root);
    Buf whole = atRoot(receive, root);
    int count = count(shape);
    long type = shape.datatype().handle();
    long arrays = intArrays(counts, displacements);
    long from = addressOf(part, whole);
    long to = addressOf(whole);
    int code = MPI.MPI_Gatherv(from, count, type, to, arrays, arrays + after(counts), type, root, comm);
    Memory.free(arrays);
    finish(code, "MPI_Gatherv", part, from, whole, to);
  }

  /**
   * {@link #gatherV(Buf, Buf, int[], int[], int)} in place: at the root, where {@code buf} is the whole and its own part
   * stands where it belongs; elsewhere it is the part.
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
   */
  public void scatterV(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    long comm = handle();
    Buf shape = requireRootedParts(receive, send, counts, displacements, root);
    Buf part = part(receive, root);
    Buf whole = atRoot(send, root);
    int count = count(shape);
    long type = shape.datatype().handle();
    long arrays = intArrays(counts, displacements);
    long from = addressOf(whole);
    long to = addressOf(part, whole);
    int code = MPI.MPI_Scatterv(from, arrays, arrays + after(counts), type, to, count, type, root, comm);
    Memory.free(arrays);
    finish(code, "MPI_Scatterv", whole, from, part == whole ? null : part, to);
  }

  /**
   * {@link #scatterV(Buf, int[], int[], Buf, int)} in place: at the root, where {@code buf} is the whole and its own part
   * stays where it is; elsewhere it is the part.
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
   */
  public void allGatherV(Buf send, Buf receive, int[] counts, int[] displacements) {
    long comm = handle();
    requireSameType(require(send, "send"), require(receive, "receive"));
    requireDivision(receive, "receive", counts, displacements);
    int count = count(send);
    long type = send.datatype().handle();
    long arrays = intArrays(counts, displacements);
    long from = addressOf(send, receive);
    long to = addressOf(receive);
    int code = MPI.MPI_Allgatherv(from, count, type, to, arrays, arrays + after(counts), type, comm);
    Memory.free(arrays);
    finish(code, "MPI_Allgatherv", send, from, receive, to);
  }

  /** {@link #allGatherV(Buf, Buf, int[], int[])} in place: this process's part already stands where it belongs. */
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
   */
  public void allToAllV(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    long comm = handle();
    requireSameType(require(send, "send"), require(receive, "receive"));
    requireDivision(send, "send", sendCounts, sendDisplacements);
    requireDivision(receive, "receive", receiveCounts, receiveDisplacements);
    long type = send.datatype().handle();
    long arrays = intArrays(sendCounts, sendDisplacements, receiveCounts, receiveDisplacements);
    long from = addressOf(send, receive);
    long to = addressOf(receive);
    int code = MPI.MPI_Alltoallv(from, arrays, arrays + after(sendCounts), type, to, arrays + 2 * after(sendCounts),
        arrays + 3 * after(sendCounts), type, comm);
    Memory.free(arrays);
    finish(code, "MPI_Alltoallv", send, from, receive, to);
  }

  /** {@link #allToAllV(Buf, int[], int[], Buf, int[], int[])} in place: what is received replaces what was sent. */
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
   */
  public void allToAllW(Buf send, Parts sendParts, Buf receive, Parts receiveParts) {
    long comm = handle();
    requireParts(send, sendParts, receive, receiveParts);
    long arrays = Parts.allocate(sendParts, receiveParts);
    long second = arrays + sendParts.blockBytes();
    long from = addressOf(send);
    long to = addressOf(receive);
    int code = MPI.MPI_Alltoallw(from, sendParts.counts(arrays), sendParts.displacements(arrays), sendParts.types(arrays), to,
        receiveParts.counts(second), receiveParts.displacements(second), receiveParts.types(second), comm);
    Memory.free(arrays);
    finish(code, "MPI_Alltoallw", send, from, receive, to);
  }

  /** Combines one number of every process; all get the result. {@code MPI_Allreduce}. */
  public double allReduce(double value, Op op) {
    long comm = handle();
    long scratch = Scratch.address();
    Memory.putDouble(scratch, value);
    int code = MPI.MPI_Allreduce(scratch, scratch + 8, 1, Datatype.DOUBLE.handle(), operation(op, Datatype.DOUBLE), comm);
    finish(op, code, "MPI_Allreduce", null, 0, null, 0);
    return Memory.getDouble(scratch + 8);
  }

  /** Combines one number of every process; all get the result. {@code MPI_Allreduce}. */
  public long allReduce(long value, Op op) {
    long comm = handle();
    long scratch = Scratch.address();
    Memory.putLong(scratch, value);
    int code = MPI.MPI_Allreduce(scratch, scratch + 8, 1, Datatype.LONG.handle(), operation(op, Datatype.LONG), comm);
    finish(op, code, "MPI_Allreduce", null, 0, null, 0);
    return Memory.getLong(scratch + 8);
  }
}
