// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.lang.ref.Reference;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Scratch;

/**
 * Operations of all processes of a communicator, blocking: MPI 4.1, chapter 6. Every process must call the same operation
 * with matching arguments. If a process fails, some callers may get the result and others a {@link MpiFaultException}.
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
    require(buf, "buf");
    checkRoot(root);
    long address = Transfer.stageIn(buf);
    boolean done = false;
    try {
      check(MPI.MPI_Bcast(address, count(buf), buf.datatype().handle(), root, comm), "MPI_Bcast");
      done = true;
    } finally {
      Transfer.stageOut(buf, address, done);
    }
    Reference.reachabilityFence(buf);
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
    require(send, "send");
    checkRoot(root);
    requireRootBuffer(receive, root, send.count());
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    boolean done = false;
    try {
      check(MPI.MPI_Reduce(from, to, count(send), send.datatype().handle(), op.handle(), root, comm), "MPI_Reduce");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
    }
    Transfer.rethrow();
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
  }

  /**
   * Combines every process's buffer element by element; all get the result. {@code MPI_Allreduce}.
   *
   * @param send this process's contribution
   * @param receive the result; other memory than {@code send}, as long and of the same datatype
   * @param op the operation
   */
  public void allReduce(Buf send, Buf receive, Op op) {
    long comm = handle();
    requireMatch(send, receive, 1);
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    boolean done = false;
    try {
      check(MPI.MPI_Allreduce(from, to, count(send), send.datatype().handle(), op.handle(), comm), "MPI_Allreduce");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
    }
    Transfer.rethrow();
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
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
    requireMatch(send, receive, 1);
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    boolean done = false;
    try {
      check(MPI.MPI_Scan(from, to, count(send), send.datatype().handle(), op.handle(), comm), "MPI_Scan");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
    }
    Transfer.rethrow();
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
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
    requireMatch(send, receive, 1);
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    boolean done = false;
    try {
      check(MPI.MPI_Exscan(from, to, count(send), send.datatype().handle(), op.handle(), comm), "MPI_Exscan");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
    }
    Transfer.rethrow();
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
  }

  /**
   * Combines every process's buffer, and rank i gets the i-th block of the result. {@code MPI_Reduce_scatter_block}.
   *
   * @param send as many blocks as there are ranks
   * @param receive one block
   * @param op the operation
   */
  public void reduceScatterBlock(Buf send, Buf receive, Op op) {
    long comm = handle();
    requireMatch(receive, send, size());
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    boolean done = false;
    try {
      check(MPI.MPI_Reduce_scatter_block(from, to, count(receive), receive.datatype().handle(), op.handle(), comm),
          "MPI_Reduce_scatter_block");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
    }
    Transfer.rethrow();
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
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
    require(send, "send");
    checkRoot(root);
    requireRootBuffer(receive, root, send.count() * peers());
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    boolean done = false;
    try {
      check(MPI.MPI_Gather(from, count(send), send.datatype().handle(), to, count(send), send.datatype().handle(),
          root, comm), "MPI_Gather");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
    }
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
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
    require(receive, "receive");
    checkRoot(root);
    requireRootBuffer(send, root, receive.count() * peers());
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    boolean done = false;
    try {
      check(MPI.MPI_Scatter(from, count(receive), receive.datatype().handle(), to, count(receive),
          receive.datatype().handle(), root, comm), "MPI_Scatter");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
    }
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
  }

  /**
   * Puts every process's buffer behind one another at all, in the order of ranks. {@code MPI_Allgather}.
   *
   * @param send this process's part
   * @param receive as many parts as there are ranks
   */
  public void allGather(Buf send, Buf receive) {
    long comm = handle();
    requireMatch(send, receive, peers());
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    boolean done = false;
    try {
      check(MPI.MPI_Allgather(from, count(send), send.datatype().handle(), to, count(send),
          receive.datatype().handle(), comm), "MPI_Allgather");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
    }
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
  }

  /**
   * Sends the i-th part of each process's buffer to rank i. {@code MPI_Alltoall}.
   *
   * @param send as many parts as there are ranks
   * @param receive as many parts as there are ranks
   */
  public void allToAll(Buf send, Buf receive) {
    long comm = handle();
    requireMatch(send, receive, 1);
    requireWholeParts(send);
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    boolean done = false;
    try {
      check(MPI.MPI_Alltoall(from, count(send) / peers(), send.datatype().handle(), to, count(send) / peers(),
          receive.datatype().handle(), comm), "MPI_Alltoall");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
    }
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
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
    require(send, "send");
    checkRoot(root);
    requireRootParts(receive, counts, displacements, root);
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    long arrays = intArrays(counts, displacements);
    boolean done = false;
    try {
      check(MPI.MPI_Gatherv(from, count(send), send.datatype().handle(), to, arrays, arrays + 4L * (lengthOf(counts)),
          send.datatype().handle(), root, comm), "MPI_Gatherv");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
      Memory.free(arrays);
    }
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
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
    require(receive, "receive");
    checkRoot(root);
    requireRootParts(send, counts, displacements, root);
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    long arrays = intArrays(counts, displacements);
    boolean done = false;
    try {
      check(MPI.MPI_Scatterv(from, arrays, arrays + 4L * (lengthOf(counts)), receive.datatype().handle(), to,
          count(receive), receive.datatype().handle(), root, comm), "MPI_Scatterv");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
      Memory.free(arrays);
    }
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
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
    require(send, "send");
    requireParts(receive, "receive", counts, displacements);
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    long arrays = intArrays(counts, displacements);
    boolean done = false;
    try {
      check(MPI.MPI_Allgatherv(from, count(send), send.datatype().handle(), to, arrays,
          arrays + 4L * (lengthOf(counts)), receive.datatype().handle(), comm), "MPI_Allgatherv");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
      Memory.free(arrays);
    }
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
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
    requireParts(send, "send", sendCounts, sendDisplacements);
    requireParts(receive, "receive", receiveCounts, receiveDisplacements);
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    long arrays = intArrays(sendCounts, sendDisplacements, receiveCounts, receiveDisplacements);
    boolean done = false;
    try {
      check(MPI.MPI_Alltoallv(from, arrays, arrays + 4L * (lengthOf(sendCounts)), send.datatype().handle(), to,
          arrays + 4L * (lengthOf(sendCounts) + lengthOf(sendDisplacements)),
          arrays + 4L * (lengthOf(sendCounts) + lengthOf(sendDisplacements) + lengthOf(receiveCounts)),
          receive.datatype().handle(), comm), "MPI_Alltoallv");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
      Memory.free(arrays);
    }
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
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
    long from = send == null ? 0 : Transfer.stageIn(send);
    long to = receive == null ? 0 : Transfer.stageIn(receive);
    long arrays = intArrays(counts);
    boolean done = false;
    try {
      check(MPI.MPI_Reduce_scatter(from, to, arrays, send.datatype().handle(), op.handle(), comm),
          "MPI_Reduce_scatter");
      done = true;
    } finally {
      if (send != null) {
        Transfer.stageOut(send, from, false);
      }
      if (receive != null) {
        Transfer.stageOut(receive, to, done);
      }
      Memory.free(arrays);
    }
    Transfer.rethrow();
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
  }

  /** {@link #allReduce(Buf, Buf, Op)} in place: the result replaces the contribution. {@code MPI_IN_PLACE}. */
  public void allReduce(Buf buf, Op op) {
    long comm = handle();
    require(buf, "buf");
    long address = Transfer.stageIn(buf);
    boolean done = false;
    try {
      check(MPI.MPI_Allreduce(MPI.MPI_IN_PLACE, address, count(buf), buf.datatype().handle(), op.handle(), comm),
          "MPI_Allreduce");
      done = true;
    } finally {
      Transfer.stageOut(buf, address, done);
    }
    Transfer.rethrow();
    Reference.reachabilityFence(buf);
  }

  /** {@link #allGather} in place: this process's part already stands where it belongs. {@code MPI_IN_PLACE}. */
  public void allGather(Buf buf) {
    long comm = handle();
    requireWholeParts(buf);
    int part = count(buf) / size();
    long address = Transfer.stageIn(buf);
    boolean done = false;
    try {
      check(MPI.MPI_Allgather(MPI.MPI_IN_PLACE, part, buf.datatype().handle(), address, part,
          buf.datatype().handle(), comm), "MPI_Allgather");
      done = true;
    } finally {
      Transfer.stageOut(buf, address, done);
    }
    Reference.reachabilityFence(buf);
  }

  /** {@link #reduce} in place at the root, where {@code buf} is contribution and result. {@code MPI_IN_PLACE}. */
  public void reduce(Buf buf, Op op, int root) {
    long comm = handle();
    require(buf, "buf");
    checkRoot(root);
    boolean here = rank() == root;
    long address = Transfer.stageIn(buf);
    boolean done = false;
    try {
      check(MPI.MPI_Reduce(here ? MPI.MPI_IN_PLACE : address, here ? address : 0, count(buf),
          buf.datatype().handle(), op.handle(), root, comm), "MPI_Reduce");
      done = here;
    } finally {
      Transfer.stageOut(buf, address, done);
    }
    Transfer.rethrow();
    Reference.reachabilityFence(buf);
  }

  /** Combines one number of every process; all get the result. {@code MPI_Allreduce}. */
  public double allReduce(double value, Op op) {
    long comm = handle();
    long scratch = Scratch.address();
    Memory.putDouble(scratch, value);
    check(MPI.MPI_Allreduce(scratch, scratch + 8, 1, Datatype.DOUBLE.handle(), op.handle(), comm), "MPI_Allreduce");
    Transfer.rethrow();
    return Memory.getDouble(scratch + 8);
  }

  /** Combines one number of every process; all get the result. {@code MPI_Allreduce}. */
  public long allReduce(long value, Op op) {
    long comm = handle();
    long scratch = Scratch.address();
    Memory.putLong(scratch, value);
    check(MPI.MPI_Allreduce(scratch, scratch + 8, 1, Datatype.LONG.handle(), op.handle(), comm), "MPI_Allreduce");
    Transfer.rethrow();
    return Memory.getLong(scratch + 8);
  }
}
