// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Scratch;

/**
 * Operations of all processes of a communicator, set up once and started many times: MPI 4.1, chapter 6.13. Every process
 * must set them up, and start them, in the same order. The parameters are those of the blocking methods of the same name;
 * arrays are read at every start. The caller closes the request.
 */
abstract class PersistentCollectives extends NonblockingCollectives {
  PersistentCollectives(long handle, Scope scope) {
    super(handle, scope);
  }

  /** Sets up a {@link #barrier}. {@code MPI_Barrier_init}. */
  public PersistentRequest barrierInit() {
    long comm = handle();
    return initialised(MPI.MPI_Barrier_init(comm, MPI.MPI_INFO_NULL, Scratch.address()), "MPI_Barrier_init",
        new Transfer(null, null));
  }

  /** Sets up a {@link #bcast(Buf, int)}. {@code MPI_Bcast_init}. */
  public PersistentRequest bcastInit(Buf buf, int root) {
    long comm = handle();
    int count = count(require(buf, "buf"));
    checkRoot(root);
    Transfer transfer = new Transfer(null, buf);
    int code = MPI.MPI_Bcast_init(transfer.receiveAddress(), count, buf.datatype().handle(), root, comm,
        MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Bcast_init", transfer);
  }

  /** Sets up a {@link #reduce(Buf, Buf, Op, int)}. {@code MPI_Reduce_init}. */
  public PersistentRequest reduceInit(Buf send, Buf receive, Op op, int root) {
    long comm = handle();
    Buf shape = requireReduce(send, receive, root);
    Buf part = part(send, root);
    Buf whole = atRoot(receive, root);
    long operation = operation(op, shape);
    Transfer transfer = new Transfer(part, whole).using(op);
    int code = MPI.MPI_Reduce_init(transfer.sendAddress(), transfer.receiveAddress(), count(shape),
        shape.datatype().handle(), operation, root, comm, MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Reduce_init", transfer);
  }

  /** Sets up a {@link #reduce(Buf, Op, int)}, in place. {@code MPI_Reduce_init}. */
  public PersistentRequest reduceInit(Buf buf, Op op, int root) {
    return reduceInit(buf, buf, op, root);
  }

  /** Sets up an {@link #allReduce(Buf, Buf, Op)}. {@code MPI_Allreduce_init}. */
  public PersistentRequest allReduceInit(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(send, receive, 1);
    long operation = operation(op, send);
    Transfer transfer = new Transfer(send, receive).using(op);
    int code = MPI.MPI_Allreduce_init(transfer.sendAddress(), transfer.receiveAddress(), count,
        send.datatype().handle(), operation, comm, MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Allreduce_init", transfer);
  }

  /** Sets up an {@link #allReduce(Buf, Op)}, in place. {@code MPI_Allreduce_init}. */
  public PersistentRequest allReduceInit(Buf buf, Op op) {
    return allReduceInit(buf, buf, op);
  }

  /** Sets up a {@link #scan(Buf, Buf, Op)}. {@code MPI_Scan_init}. */
  public PersistentRequest scanInit(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(send, receive, 1);
    long operation = operation(op, send);
    Transfer transfer = new Transfer(send, receive).using(op);
    int code = MPI.MPI_Scan_init(transfer.sendAddress(), transfer.receiveAddress(), count, send.datatype().handle(),
        operation, comm, MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Scan_init", transfer);
  }

  /** Sets up a {@link #scan(Buf, Op)}, in place. {@code MPI_Scan_init}. */
  public PersistentRequest scanInit(Buf buf, Op op) {
    return scanInit(buf, buf, op);
  }

  /** Sets up an {@link #exScan(Buf, Buf, Op)}. {@code MPI_Exscan_init}. */
  public PersistentRequest exScanInit(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(send, receive, 1);
    long operation = operation(op, send);
    Transfer transfer = new Transfer(send, receive).using(op);
    int code = MPI.MPI_Exscan_init(transfer.sendAddress(), transfer.receiveAddress(), count, send.datatype().handle(),
        operation, comm, MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Exscan_init", transfer);
  }

  /** Sets up an {@link #exScan(Buf, Op)}, in place. {@code MPI_Exscan_init}. */
  public PersistentRequest exScanInit(Buf buf, Op op) {
    return exScanInit(buf, buf, op);
  }

  /** Sets up a {@link #reduceScatterBlock(Buf, Buf, Op)}. {@code MPI_Reduce_scatter_block_init}. */
  public PersistentRequest reduceScatterBlockInit(Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireParts(receive, send, size());
    long operation = operation(op, send);
    Transfer transfer = new Transfer(send, receive).using(op);
    int code = MPI.MPI_Reduce_scatter_block_init(transfer.sendAddress(), transfer.receiveAddress(), count,
        send.datatype().handle(), operation, comm, MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Reduce_scatter_block_init", transfer);
  }

  /** Sets up a {@link #reduceScatterBlock(Buf, Op)}, in place. {@code MPI_Reduce_scatter_block_init}. */
  public PersistentRequest reduceScatterBlockInit(Buf buf, Op op) {
    return reduceScatterBlockInit(buf, buf, op);
  }

  /** Sets up a {@link #reduceScatter(Buf, Buf, int[], Op)}. {@code MPI_Reduce_scatter_init}. */
  public PersistentRequest reduceScatterInit(Buf send, Buf receive, int[] counts, Op op) {
    long comm = handle();
    requireReduceScatter(send, receive, counts);
    long operation = operation(op, send);
    Transfer transfer = new Transfer(send, receive).using(op);
    long arrays = transfer.owning(intArrays(counts));
    int code = MPI.MPI_Reduce_scatter_init(transfer.sendAddress(), transfer.receiveAddress(), arrays,
        send.datatype().handle(), operation, comm, MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Reduce_scatter_init", transfer);
  }

  /** Sets up a {@link #reduceScatter(Buf, int[], Op)}, in place. {@code MPI_Reduce_scatter_init}. */
  public PersistentRequest reduceScatterInit(Buf buf, int[] counts, Op op) {
    return reduceScatterInit(buf, buf, counts, op);
  }

  /** Sets up a {@link #gather(Buf, Buf, int)}. {@code MPI_Gather_init}. */
  public PersistentRequest gatherInit(Buf send, Buf receive, int root) {
    long comm = handle();
    int count = requireRooted(send, receive, root);
    Buf part = part(send, root);
    Buf whole = atRoot(receive, root);
    long type = type(part, whole);
    Transfer transfer = new Transfer(part, whole);
    int code = MPI.MPI_Gather_init(transfer.sendAddress(), count, type, transfer.receiveAddress(), count, type, root,
        comm, MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Gather_init", transfer);
  }

  /** Sets up a {@link #gather(Buf, int)}, in place. {@code MPI_Gather_init}. */
  public PersistentRequest gatherInit(Buf buf, int root) {
    return gatherInit(buf, buf, root);
  }

  /** Sets up a {@link #scatter(Buf, Buf, int)}. {@code MPI_Scatter_init}. */
  public PersistentRequest scatterInit(Buf send, Buf receive, int root) {
    long comm = handle();
    int count = requireRooted(receive, send, root);
    Buf part = part(receive, root);
    Buf whole = atRoot(send, root);
    long type = type(part, whole);
    Transfer transfer = Transfer.scatter(whole, part);
    int code = MPI.MPI_Scatter_init(transfer.sendAddress(), count, type, transfer.receiveAddress(), count, type, root,
        comm, MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Scatter_init", transfer);
  }

  /** Sets up a {@link #scatter(Buf, int)}, in place. {@code MPI_Scatter_init}. */
  public PersistentRequest scatterInit(Buf buf, int root) {
    return scatterInit(buf, buf, root);
  }

  /** Sets up an {@link #allGather(Buf, Buf)}. {@code MPI_Allgather_init}. */
  public PersistentRequest allGatherInit(Buf send, Buf receive) {
    long comm = handle();
    int part = requireParts(send, receive, peers());
    long type = send.datatype().handle();
    Transfer transfer = new Transfer(send, receive);
    int code = MPI.MPI_Allgather_init(transfer.sendAddress(), part, type, transfer.receiveAddress(), part, type, comm,
        MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Allgather_init", transfer);
  }

  /** Sets up an {@link #allGather(Buf)}, in place. {@code MPI_Allgather_init}. */
  public PersistentRequest allGatherInit(Buf buf) {
    return allGatherInit(buf, buf);
  }

  /** Sets up an {@link #allToAll(Buf, Buf)}. {@code MPI_Alltoall_init}. */
  public PersistentRequest allToAllInit(Buf send, Buf receive) {
    long comm = handle();
    requireParts(send, receive, 1);
    int part = requireWholeParts(send, peers());
    long type = send.datatype().handle();
    Transfer transfer = new Transfer(send, receive);
    int code = MPI.MPI_Alltoall_init(transfer.sendAddress(), part, type, transfer.receiveAddress(), part, type, comm,
        MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Alltoall_init", transfer);
  }

  /** Sets up an {@link #allToAll(Buf)}, in place. {@code MPI_Alltoall_init}. */
  public PersistentRequest allToAllInit(Buf buf) {
    return allToAllInit(buf, buf);
  }

  /** Sets up a {@link #gatherV(Buf, Buf, int[], int[], int)}. {@code MPI_Gatherv_init}. */
  public PersistentRequest gatherVInit(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    long comm = handle();
    Buf shape = requireRootedParts(send, receive, counts, displacements, root);
    Buf part = part(send, root);
    Buf whole = atRoot(receive, root);
    int count = count(shape);
    long type = shape.datatype().handle();
    Transfer transfer = new Transfer(part, whole);
    long arrays = transfer.owning(intArrays(counts, displacements));
    int code = MPI.MPI_Gatherv_init(transfer.sendAddress(), count, type, transfer.receiveAddress(), arrays, arrays +
        after(counts), type, root, comm, MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Gatherv_init", transfer);
  }

  /** Sets up a {@link #gatherV(Buf, int[], int[], int)}, in place. {@code MPI_Gatherv_init}. */
  public PersistentRequest gatherVInit(Buf buf, int[] counts, int[] displacements, int root) {
    return gatherVInit(buf, buf, counts, displacements, root);
  }

  /** Sets up a {@link #scatterV(Buf, int[], int[], Buf, int)}. {@code MPI_Scatterv_init}. */
  public PersistentRequest scatterVInit(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    long comm = handle();
    Buf shape = requireRootedParts(receive, send, counts, displacements, root);
    Buf part = part(receive, root);
    Buf whole = atRoot(send, root);
    int count = count(shape);
    long type = shape.datatype().handle();
    Transfer transfer = Transfer.scatter(whole, part);
    long arrays = transfer.owning(intArrays(counts, displacements));
    int code = MPI.MPI_Scatterv_init(transfer.sendAddress(), arrays, arrays + after(counts), type,
        transfer.receiveAddress(), count, type, root, comm, MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Scatterv_init", transfer);
  }

  /** Sets up a {@link #scatterV(Buf, int[], int[], int)}, in place. {@code MPI_Scatterv_init}. */
  public PersistentRequest scatterVInit(Buf buf, int[] counts, int[] displacements, int root) {
    return scatterVInit(buf, counts, displacements, buf, root);
  }

  /** Sets up an {@link #allGatherV(Buf, Buf, int[], int[])}. {@code MPI_Allgatherv_init}. */
  public PersistentRequest allGatherVInit(Buf send, Buf receive, int[] counts, int[] displacements) {
    long comm = handle();
    requireSameType(require(send, "send"), require(receive, "receive"));
    requireDivision(receive, "receive", counts, displacements);
    int count = count(send);
    long type = send.datatype().handle();
    Transfer transfer = new Transfer(send, receive);
    long arrays = transfer.owning(intArrays(counts, displacements));
    int code = MPI.MPI_Allgatherv_init(transfer.sendAddress(), count, type, transfer.receiveAddress(), arrays, arrays +
        after(counts), type, comm, MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Allgatherv_init", transfer);
  }

  /** Sets up an {@link #allGatherV(Buf, int[], int[])}, in place. {@code MPI_Allgatherv_init}. */
  public PersistentRequest allGatherVInit(Buf buf, int[] counts, int[] displacements) {
    return allGatherVInit(buf, buf, counts, displacements);
  }

  /** Sets up an {@link #allToAllV(Buf, int[], int[], Buf, int[], int[])}. {@code MPI_Alltoallv_init}. */
  public PersistentRequest allToAllVInit(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    long comm = handle();
    requireSameType(require(send, "send"), require(receive, "receive"));
    requireDivision(send, "send", sendCounts, sendDisplacements);
    requireDivision(receive, "receive", receiveCounts, receiveDisplacements);
    long type = send.datatype().handle();
    Transfer transfer = new Transfer(send, receive);
    long arrays = transfer.owning(intArrays(sendCounts, sendDisplacements, receiveCounts, receiveDisplacements));
    int code = MPI.MPI_Alltoallv_init(transfer.sendAddress(), arrays, arrays + after(sendCounts), type,
        transfer.receiveAddress(), arrays + 2 * after(sendCounts), arrays + 3 * after(sendCounts), type, comm,
        MPI.MPI_INFO_NULL, Scratch.address());
    return initialised(code, "MPI_Alltoallv_init", transfer);
  }

  /** Sets up an {@link #allToAllV(Buf, int[], int[])}, in place. {@code MPI_Alltoallv_init}. */
  public PersistentRequest allToAllVInit(Buf buf, int[] counts, int[] displacements) {
    return allToAllVInit(buf, counts, displacements, buf, counts, displacements);
  }
}
