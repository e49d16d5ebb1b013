// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
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
    Transfer transfer = new Transfer(null, null);
    long scratch = Scratch.address();
    started(MPI.MPI_Ibarrier(comm, scratch), "MPI_Ibarrier", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #bcast}. {@code MPI_Ibcast}. */
  public Request iBcast(Buf buf, int root) {
    long comm = handle();
    require(buf, "buf");
    checkRoot(root);
    Transfer transfer = new Transfer(null, buf);
    long scratch = Scratch.address();
    started(MPI.MPI_Ibcast(transfer.receiveAddress(), count(buf), buf.datatype().handle(), root, comm, scratch),
        "MPI_Ibcast", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #reduce}. {@code MPI_Ireduce}. */
  public Request iReduce(Buf send, Buf receive, Op op, int root) {
    long comm = handle();
    require(send, "send");
    checkRoot(root);
    requireRootBuffer(receive, root, send.count());
    Transfer transfer = new Transfer(send, receive);
    long scratch = Scratch.address();
    started(MPI.MPI_Ireduce(transfer.sendAddress(), transfer.receiveAddress(), count(send), send.datatype().handle(),
        op.handle(), root, comm, scratch), "MPI_Ireduce", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #allReduce}. {@code MPI_Iallreduce}. */
  public Request iAllReduce(Buf send, Buf receive, Op op) {
    long comm = handle();
    requireMatch(send, receive, 1);
    Transfer transfer = new Transfer(send, receive);
    long scratch = Scratch.address();
    started(MPI.MPI_Iallreduce(transfer.sendAddress(), transfer.receiveAddress(), count(send),
        send.datatype().handle(), op.handle(), comm, scratch), "MPI_Iallreduce", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #scan}. {@code MPI_Iscan}. */
  public Request iScan(Buf send, Buf receive, Op op) {
    long comm = handle();
    requireMatch(send, receive, 1);
    Transfer transfer = new Transfer(send, receive);
    long scratch = Scratch.address();
    started(MPI.MPI_Iscan(transfer.sendAddress(), transfer.receiveAddress(), count(send), send.datatype().handle(),
        op.handle(), comm, scratch), "MPI_Iscan", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #exScan}. {@code MPI_Iexscan}. */
  public Request iExScan(Buf send, Buf receive, Op op) {
    long comm = handle();
    requireMatch(send, receive, 1);
    Transfer transfer = new Transfer(send, receive);
    long scratch = Scratch.address();
    started(MPI.MPI_Iexscan(transfer.sendAddress(), transfer.receiveAddress(), count(send), send.datatype().handle(),
        op.handle(), comm, scratch), "MPI_Iexscan", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #reduceScatterBlock}. {@code MPI_Ireduce_scatter_block}. */
  public Request iReduceScatterBlock(Buf send, Buf receive, Op op) {
    long comm = handle();
    requireMatch(receive, send, size());
    Transfer transfer = new Transfer(send, receive);
    long scratch = Scratch.address();
    started(MPI.MPI_Ireduce_scatter_block(transfer.sendAddress(), transfer.receiveAddress(), count(receive),
        receive.datatype().handle(), op.handle(), comm, scratch), "MPI_Ireduce_scatter_block", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #gather}. {@code MPI_Igather}. */
  public Request iGather(Buf send, Buf receive, int root) {
    long comm = handle();
    require(send, "send");
    checkRoot(root);
    requireRootBuffer(receive, root, send.count() * peers());
    Transfer transfer = new Transfer(send, receive);
    long scratch = Scratch.address();
    started(MPI.MPI_Igather(transfer.sendAddress(), count(send), send.datatype().handle(), transfer.receiveAddress(),
        count(send), send.datatype().handle(), root, comm, scratch), "MPI_Igather", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #scatter}. {@code MPI_Iscatter}. */
  public Request iScatter(Buf send, Buf receive, int root) {
    long comm = handle();
    require(receive, "receive");
    checkRoot(root);
    requireRootBuffer(send, root, receive.count() * peers());
    Transfer transfer = new Transfer(send, receive);
    long scratch = Scratch.address();
    started(MPI.MPI_Iscatter(transfer.sendAddress(), count(receive), receive.datatype().handle(),
        transfer.receiveAddress(), count(receive), receive.datatype().handle(), root, comm, scratch), "MPI_Iscatter",
        transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #allGather}. {@code MPI_Iallgather}. */
  public Request iAllGather(Buf send, Buf receive) {
    long comm = handle();
    requireMatch(send, receive, peers());
    Transfer transfer = new Transfer(send, receive);
    long scratch = Scratch.address();
    started(MPI.MPI_Iallgather(transfer.sendAddress(), count(send), send.datatype().handle(),
        transfer.receiveAddress(), count(send), receive.datatype().handle(), comm, scratch), "MPI_Iallgather",
        transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #allToAll}. {@code MPI_Ialltoall}. */
  public Request iAllToAll(Buf send, Buf receive) {
    long comm = handle();
    requireMatch(send, receive, 1);
    requireWholeParts(send);
    Transfer transfer = new Transfer(send, receive);
    long scratch = Scratch.address();
    started(MPI.MPI_Ialltoall(transfer.sendAddress(), count(send) / peers(), send.datatype().handle(),
        transfer.receiveAddress(), count(send) / peers(), receive.datatype().handle(), comm, scratch),
        "MPI_Ialltoall", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #gatherV}. {@code MPI_Igatherv}. */
  public Request iGatherV(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    long comm = handle();
    require(send, "send");
    checkRoot(root);
    requireRootParts(receive, counts, displacements, root);
    Transfer transfer = new Transfer(send, receive);
    long arrays = intArrays(counts, displacements);
    transfer.owning(arrays);
    long scratch = Scratch.address();
    started(MPI.MPI_Igatherv(transfer.sendAddress(), count(send), send.datatype().handle(), transfer.receiveAddress(),
        arrays, arrays + 4L * (lengthOf(counts)), send.datatype().handle(), root, comm, scratch), "MPI_Igatherv",
        transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #scatterV}. {@code MPI_Iscatterv}. */
  public Request iScatterV(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    long comm = handle();
    require(receive, "receive");
    checkRoot(root);
    requireRootParts(send, counts, displacements, root);
    Transfer transfer = new Transfer(send, receive);
    long arrays = intArrays(counts, displacements);
    transfer.owning(arrays);
    long scratch = Scratch.address();
    started(MPI.MPI_Iscatterv(transfer.sendAddress(), arrays, arrays + 4L * (lengthOf(counts)),
        receive.datatype().handle(), transfer.receiveAddress(), count(receive), receive.datatype().handle(), root,
        comm, scratch), "MPI_Iscatterv", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #allGatherV}. {@code MPI_Iallgatherv}. */
  public Request iAllGatherV(Buf send, Buf receive, int[] counts, int[] displacements) {
    long comm = handle();
    require(send, "send");
    requireParts(receive, "receive", counts, displacements);
    Transfer transfer = new Transfer(send, receive);
    long arrays = intArrays(counts, displacements);
    transfer.owning(arrays);
    long scratch = Scratch.address();
    started(MPI.MPI_Iallgatherv(transfer.sendAddress(), count(send), send.datatype().handle(),
        transfer.receiveAddress(), arrays, arrays + 4L * (lengthOf(counts)), receive.datatype().handle(), comm,
        scratch), "MPI_Iallgatherv", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #allToAllV}. {@code MPI_Ialltoallv}. */
  public Request iAllToAllV(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    long comm = handle();
    requireParts(send, "send", sendCounts, sendDisplacements);
    requireParts(receive, "receive", receiveCounts, receiveDisplacements);
    Transfer transfer = new Transfer(send, receive);
    long arrays = intArrays(sendCounts, sendDisplacements, receiveCounts, receiveDisplacements);
    transfer.owning(arrays);
    long scratch = Scratch.address();
    started(MPI.MPI_Ialltoallv(transfer.sendAddress(), arrays, arrays + 4L * (lengthOf(sendCounts)),
        send.datatype().handle(), transfer.receiveAddress(),
        arrays + 4L * (lengthOf(sendCounts) + lengthOf(sendDisplacements)),
        arrays + 4L * (lengthOf(sendCounts) + lengthOf(sendDisplacements) + lengthOf(receiveCounts)),
        receive.datatype().handle(), comm, scratch), "MPI_Ialltoallv", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Starts a {@link #reduceScatter}. {@code MPI_Ireduce_scatter}. */
  public Request iReduceScatter(Buf send, Buf receive, int[] counts, Op op) {
    long comm = handle();
    requireReduceScatter(send, receive, counts);
    Transfer transfer = new Transfer(send, receive);
    long arrays = intArrays(counts);
    transfer.owning(arrays);
    long scratch = Scratch.address();
    started(MPI.MPI_Ireduce_scatter(transfer.sendAddress(), transfer.receiveAddress(), arrays,
        send.datatype().handle(), op.handle(), comm, scratch), "MPI_Ireduce_scatter", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }
}
