// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Scratch;

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
    long comm = handle();
    return started(MPI.MPI_Ibarrier(comm, Scratch.address()), "MPI_Ibarrier", new Transfer(null, null));
  }

  /** Starts a {@link #bcast(Buf, int)}. {@code MPI_Ibcast}. */
  public Request iBcast(Buf buf, int root) {
    long comm = handle();
    int count = count(require(buf, "buf"));
    checkRoot(root);
    Transfer transfer = new Transfer(null, buf);
    int code = MPI.MPI_Ibcast(transfer.receiveAddress(), count, buf.datatype().handle(), root, comm, Scratch.address());
    return started(code, "MPI_Ibcast", transfer);
  }

  /** Starts a {@link #reduce(Buf, Buf, Op, int)}. {@code MPI_Ireduce}. */
  public Request iReduce(Buf send, Buf receive, Op op, int root) {
    long comm = handle();
    Buf shape = requireReduce(send, receive, root);
    long operation = operation(op, shape);
    Transfer transfer = new Transfer(send, receive).using(op);
    int code = MPI.MPI_Ireduce(transfer.sendAddress(), transfer.receiveAddress(), count(shape),
        shape.datatype().handle(), operation, root, comm, Scratch.address());
    return started(code, "MPI_Ireduce", transfer);
  }

  /** Starts a {@link #reduce(Buf, Op, int)}, in place. {@code MPI_Ireduce}. */
  public Request iReduce(Buf buf, Op op, int root) {
    return iReduce(buf, root == rank() ? buf : null, op, root);
  }

  /** Starts an {@link #allReduce(Buf, Buf, Op)}. {@code MPI_Iallreduce}. */
  public Request iAllReduce(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(send, receive, 1);
    long operation = operation(op, send);
    Transfer transfer = new Transfer(send, receive).using(op);
    int code = MPI.MPI_Iallreduce(transfer.sendAddress(), transfer.receiveAddress(), count, send.datatype().handle(),
        operation, comm, Scratch.address());
    return started(code, "MPI_Iallreduce", transfer);
  }

  /** Starts an {@link #allReduce(Buf, Op)}, in place. {@code MPI_Iallreduce}. */
  public Request iAllReduce(Buf buf, Op op) {
    return iAllReduce(buf, buf, op);
  }

  /** Starts a {@link #scan(Buf, Buf, Op)}. {@code MPI_Iscan}. */
  public Request iScan(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(send, receive, 1);
    long operation = operation(op, send);
    Transfer transfer = new Transfer(send, receive).using(op);
    int code = MPI.MPI_Iscan(transfer.sendAddress(), transfer.receiveAddress(), count, send.datatype().handle(),
        operation, comm, Scratch.address());
    return started(code, "MPI_Iscan", transfer);
  }

  /** Starts a {@link #scan(Buf, Op)}, in place. {@code MPI_Iscan}. */
  public Request iScan(Buf buf, Op op) {
    return iScan(buf, buf, op);
  }

  /** Starts an {@link #exScan(Buf, Buf, Op)}. {@code MPI_Iexscan}. */
  public Request iExScan(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(send, receive, 1);
    long operation = operation(op, send);
    Transfer transfer = new Transfer(send, receive).using(op);
    int code = MPI.MPI_Iexscan(transfer.sendAddress(), transfer.receiveAddress(), count, send.datatype().handle(),
        operation, comm, Scratch.address());
    return started(code, "MPI_Iexscan", transfer);
  }

  /** Starts an {@link #exScan(Buf, Op)}, in place. {@code MPI_Iexscan}. */
  public Request iExScan(Buf buf, Op op) {
    return iExScan(buf, buf, op);
  }

  /** Starts a {@link #reduceScatterBlock(Buf, Buf, Op)}. {@code MPI_Ireduce_scatter_block}. */
  public Request iReduceScatterBlock(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(receive, send, size());
    long operation = operation(op, send);
    Transfer transfer = new Transfer(send, receive).using(op);
    int code = MPI.MPI_Ireduce_scatter_block(transfer.sendAddress(), transfer.receiveAddress(), count,
        send.datatype().handle(), operation, comm, Scratch.address());
    return started(code, "MPI_Ireduce_scatter_block", transfer);
  }

  /** Starts a {@link #reduceScatterBlock(Buf, Op)}, in place. {@code MPI_Ireduce_scatter_block}. */
  public Request iReduceScatterBlock(Buf buf, Op op) {
    return iReduceScatterBlock(buf, buf, op);
  }

  /** Starts a {@link #reduceScatter(Buf, Buf, int[], Op)}. {@code MPI_Ireduce_scatter}. */
  public Request iReduceScatter(Buf send, Buf receive, int[] counts, Op op) {
    long comm = handle();
    requireReduceScatter(send, receive, counts);
    long operation = operation(op, send);
    Transfer transfer = new Transfer(send, receive).using(op);
    long arrays = transfer.owning(intArrays(counts));
    int code = MPI.MPI_Ireduce_scatter(transfer.sendAddress(), transfer.receiveAddress(), arrays,
        send.datatype().handle(), operation, comm, Scratch.address());
    return started(code, "MPI_Ireduce_scatter", transfer);
  }

  /** Starts a {@link #reduceScatter(Buf, int[], Op)}, in place. {@code MPI_Ireduce_scatter}. */
  public Request iReduceScatter(Buf buf, int[] counts, Op op) {
    return iReduceScatter(buf, buf, counts, op);
  }

  /** Starts a {@link #gather(Buf, Buf, int)}. {@code MPI_Igather}. */
  public Request iGather(Buf send, Buf receive, int root) {
    long comm = handle();
    int part = requireRooted(send, receive, root);
    long type = type(send, receive);
    Transfer transfer = new Transfer(send, receive);
    int code = MPI.MPI_Igather(transfer.sendAddress(), part, type, transfer.receiveAddress(), part, type, root, comm,
        Scratch.address());
    return started(code, "MPI_Igather", transfer);
  }

  /** Starts a {@link #gather(Buf, int)}, in place. {@code MPI_Igather}. */
  public Request iGather(Buf buf, int root) {
    return iGather(buf, root == rank() ? buf : null, root);
  }

  /** Starts a {@link #scatter(Buf, Buf, int)}. {@code MPI_Iscatter}. */
  public Request iScatter(Buf send, Buf receive, int root) {
    long comm = handle();
    int part = requireRooted(receive, send, root);
    long type = type(receive, send);
    Transfer transfer = Transfer.scatter(send, receive);
    int code = MPI.MPI_Iscatter(transfer.sendAddress(), part, type, transfer.receiveAddress(), part, type, root, comm,
        Scratch.address());
    return started(code, "MPI_Iscatter", transfer);
  }

  /** Starts a {@link #scatter(Buf, int)}, in place. {@code MPI_Iscatter}. */
  public Request iScatter(Buf buf, int root) {
    return iScatter(root == rank() ? buf : null, buf, root);
  }

  /** Starts an {@link #allGather(Buf, Buf)}. {@code MPI_Iallgather}. */
  public Request iAllGather(Buf send, Buf receive) {
    long comm = handle();
    int part = requireParts(send, receive, peers());
    long type = send.datatype().handle();
    Transfer transfer = new Transfer(send, receive);
    int code = MPI.MPI_Iallgather(transfer.sendAddress(), part, type, transfer.receiveAddress(), part, type, comm,
        Scratch.address());
    return started(code, "MPI_Iallgather", transfer);
  }

  /** Starts an {@link #allGather(Buf)}, in place. {@code MPI_Iallgather}. */
  public Request iAllGather(Buf buf) {
    return iAllGather(buf, buf);
  }

  /** Starts an {@link #allToAll(Buf, Buf)}. {@code MPI_Ialltoall}. */
  public Request iAllToAll(Buf send, Buf receive) {
    long comm = handle();
    requireParts(send, receive, 1);
    int part = requireWholeParts(send, peers());
    long type = send.datatype().handle();
    Transfer transfer = new Transfer(send, receive);
    int code = MPI.MPI_Ialltoall(transfer.sendAddress(), part, type, transfer.receiveAddress(), part, type, comm,
        Scratch.address());
    return started(code, "MPI_Ialltoall", transfer);
  }

  /** Starts an {@link #allToAll(Buf)}, in place. {@code MPI_Ialltoall}. */
  public Request iAllToAll(Buf buf) {
    return iAllToAll(buf, buf);
  }

  /** Starts a {@link #gatherV(Buf, Buf, int[], int[], int)}. {@code MPI_Igatherv}. */
  public Request iGatherV(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    long comm = handle();
    Buf part = requireRootedParts(send, receive, counts, displacements, root);
    int count = count(part);
    long type = part.datatype().handle();
    Transfer transfer = new Transfer(send, receive);
    long arrays = transfer.owning(intArrays(counts, displacements));
    int code = MPI.MPI_Igatherv(transfer.sendAddress(), count, type, transfer.receiveAddress(), arrays, arrays +
        after(counts), type, root, comm, Scratch.address());
    return started(code, "MPI_Igatherv", transfer);
  }

  /** Starts a {@link #gatherV(Buf, int[], int[], int)}, in place. {@code MPI_Igatherv}. */
  public Request iGatherV(Buf buf, int[] counts, int[] displacements, int root) {
    return iGatherV(buf, root == rank() ? buf : null, counts, displacements, root);
  }

  /** Starts a {@link #scatterV(Buf, int[], int[], Buf, int)}. {@code MPI_Iscatterv}. */
  public Request iScatterV(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    long comm = handle();
    Buf part = requireRootedParts(receive, send, counts, displacements, root);
    int count = count(part);
    long type = part.datatype().handle();
    Transfer transfer = Transfer.scatter(send, receive);
    long arrays = transfer.owning(intArrays(counts, displacements));
    int code = MPI.MPI_Iscatterv(transfer.sendAddress(), arrays, arrays + after(counts), type,
        transfer.receiveAddress(), count, type, root, comm, Scratch.address());
    return started(code, "MPI_Iscatterv", transfer);
  }

  /** Starts a {@link #scatterV(Buf, int[], int[], int)}, in place. {@code MPI_Iscatterv}. */
  public Request iScatterV(Buf buf, int[] counts, int[] displacements, int root) {
    return iScatterV(root == rank() ? buf : null, counts, displacements, buf, root);
  }

  /** Starts an {@link #allGatherV(Buf, Buf, int[], int[])}. {@code MPI_Iallgatherv}. */
  public Request iAllGatherV(Buf send, Buf receive, int[] counts, int[] displacements) {
    long comm = handle();
    requireSameType(require(send, "send"), require(receive, "receive"));
    requireDivision(receive, "receive", counts, displacements);
    int count = count(send);
    long type = send.datatype().handle();
    Transfer transfer = new Transfer(send, receive);
    long arrays = transfer.owning(intArrays(counts, displacements));
    int code = MPI.MPI_Iallgatherv(transfer.sendAddress(), count, type, transfer.receiveAddress(), arrays, arrays +
        after(counts), type, comm, Scratch.address());
    return started(code, "MPI_Iallgatherv", transfer);
  }

  /** Starts an {@link #allGatherV(Buf, int[], int[])}, in place. {@code MPI_Iallgatherv}. */
  public Request iAllGatherV(Buf buf, int[] counts, int[] displacements) {
    return iAllGatherV(buf, buf, counts, displacements);
  }

  /** Starts an {@link #allToAllV(Buf, int[], int[], Buf, int[], int[])}. {@code MPI_Ialltoallv}. */
  public Request iAllToAllV(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    long comm = handle();
    requireSameType(require(send, "send"), require(receive, "receive"));
    requireDivision(send, "send", sendCounts, sendDisplacements);
    requireDivision(receive, "receive", receiveCounts, receiveDisplacements);
    long type = send.datatype().handle();
    Transfer transfer = new Transfer(send, receive);
    long arrays = transfer.owning(intArrays(sendCounts, sendDisplacements, receiveCounts, receiveDisplacements));
    int code = MPI.MPI_Ialltoallv(transfer.sendAddress(), arrays, arrays + after(sendCounts), type,
        transfer.receiveAddress(), arrays + 2 * after(sendCounts), arrays + 3 * after(sendCounts), type, comm,
        Scratch.address());
    return started(code, "MPI_Ialltoallv", transfer);
  }

  /** Starts an {@link #allToAllV(Buf, int[], int[])}, in place. {@code MPI_Ialltoallv}. */
  public Request iAllToAllV(Buf buf, int[] counts, int[] displacements) {
    return iAllToAllV(buf, counts, displacements, buf, counts, displacements);
  }

  /** Starts an {@link #allToAllW(Buf, Parts, Buf, Parts)}. {@code MPI_Ialltoallw}. */
  public Request iAllToAllW(Buf send, Parts sendParts, Buf receive, Parts receiveParts) {
    long comm = handle();
    requireParts(send, sendParts, receive, receiveParts);
    Transfer transfer = new Transfer(send, receive);
    long arrays = transfer.owning(Parts.allocate(sendParts, receiveParts));
    long second = arrays + sendParts.blockBytes();
    int code = MPI.MPI_Ialltoallw(transfer.sendAddress(), sendParts.counts(arrays), sendParts.displacements(arrays),
        sendParts.types(arrays), transfer.receiveAddress(), receiveParts.counts(second), receiveParts.displacements(second),
        receiveParts.types(second), comm, Scratch.address());
    return started(code, "MPI_Ialltoallw", transfer);
  }
}
