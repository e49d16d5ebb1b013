// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.lang.ref.Reference;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scope;

/** The arguments of collectives: what is wrong is found in Java, on the process that got it wrong, before MPI is called. */
abstract class CollectiveChecks extends PointToPoint {
  /** Stands for the buffer of a process that takes no part. */
  private static final Buf NOTHING = Buf.ofBytes(0);

  CollectiveChecks(long handle, Scope scope) {
    super(handle, scope);
  }

  /**
   * The two buffers fit: same datatype, and {@code whole} holds {@code parts} times what {@code part} holds. The same
   * buffer for both stands for an operation in place.
   *
   * @return the elements of a part
   */
  final int requireParts(Buf part, Buf whole, int parts) {
    require(part, "send");
    require(whole, "receive");
    if (part == whole) {
      return requireWholeParts(whole, parts);
    }
    requireSameType(part, whole);
    if (whole.count() < part.count() * parts) { // asked here first: the text would cost more than the reduction
      requireCount(whole, part.count() * parts, "the longer buffer", parts + " x " + part.count() + " elements");
    }
    return count(part);
  }

  /** @return the elements of each part */
  final int requireWholeParts(Buf buf, int parts) {
    if (buf.count() % parts != 0) {
      throw new IllegalArgumentException(
          "buffer of " + buf.count() + " elements cannot be divided into " + parts + " equal parts");
    }
    return count(buf.count() / parts);
  }

  /** A buffer that only the root needs, of as many parts as there are ranks. @return the elements of a part */
  final int requireRooted(Buf part, Buf whole, int root) {
    checkRoot(root);
    if (!isRoot(root)) {
      return part == null && isIdle(root) ? 0 : count(require(part, "this process's buffer"));
    }
    require(whole, "the root's buffer");
    if (part == whole || part(part, root) == null && this instanceof Intercomm) {
      return requireWholeParts(whole, peers());
    }
    require(part, "this process's buffer");
    requireSameType(part, whole);
    requireCount(whole, part.count() * peers(), "the root's buffer", "this operation");
    return count(part);
  }

  /** The buffers of a reduction to a root. @return the one that tells count and type */
  final Buf requireReduce(Buf send, Buf receive, int root) {
    checkRoot(root);
    if (!isRoot(root)) {
      return send == null && isIdle(root) ? NOTHING : require(send, "send");
    }
    require(receive, "the root's buffer");
    if (part(send, root) == null && this instanceof Intercomm) {
      return receive;
    }
    requireParts(send, receive, 1);
    return send;
  }

  /** The buffers of a gather or scatter with different lengths. @return the one that tells this process's part */
  final Buf requireRootedParts(Buf part, Buf whole, int[] counts, int[] displacements, int root) {
    checkRoot(root);
    if (isRoot(root)) {
      requireDivision(whole, "the root's buffer", counts, displacements);
    }
    if (part(part, root) == null && this instanceof Intercomm && (isRoot(root) || isIdle(root))) {
      return isRoot(root) ? whole : NOTHING;
    }
    require(part, "this process's buffer");
    if (isRoot(root)) {
      requireSameType(part, whole);
    }
    return part;
  }

  /** On an intercommunicator: a process of the root's group that is not the root. */
  private boolean isIdle(int root) {
    return this instanceof Intercomm && root == Comm.PROC_NULL;
  }

  /** The handle of an operation, on elements of a buffer. */
  static long operation(Op op, Buf shape) {
    return shape == NOTHING && op != null ? op.handle() : operation(op, shape.datatype());
  }

  static long operation(Op op, Datatype elements) {
    if (op == null) {
      throw new NullPointerException("op is null");
    }
    return op.handleFor(elements);
  }

  /** The element type that a buffer has, or the other if there is none. */
  static long type(Buf buf, Buf other) {
    Buf shape = buf != null ? buf : other != null ? other : NOTHING;
    return shape.datatype().handle();
  }

  /** Bytes that an array of ints takes in a block of {@link #intArrays}. */
  static long after(int[] array) {
    return 4L * lengthOf(array);
  }

  /** What MPI is told of a buffer, which may be null. */
  static long addressOf(Buf buf) {
    return buf == null ? 0 : Transfer.stageIn(buf);
  }

  /** As {@link #addressOf(Buf)}; in place if it is the same as another. */
  static long addressOf(Buf buf, Buf other) {
    return buf != null && buf == other ? MPI.MPI_IN_PLACE : addressOf(buf);
  }

  /** After a blocking collective: hands arrays their contents, then reports what went wrong. */
  final void finish(int code, String function, Buf send, long from, Buf receive, long to) {
    if (send != null && send != receive) {
      Transfer.stageOut(send, from, false);
    }
    if (receive != null) {
      Transfer.stageOut(receive, to, code == MPI.MPI_SUCCESS);
    }
    check(code, function);
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
  }

  /** The same for a reduction. */
  final void finish(Op op, int code, String function, Buf send, long from, Buf receive, long to) {
    Throwable thrown = op.takeThrown();
    finish(code, function, send, from, receive, to);
    Op.rethrow(thrown);
  }

  /** A buffer that means something at the root only: null elsewhere, whatever was passed there. */
  final Buf atRoot(Buf buf, int root) {
    return isRoot(root) ? buf : null;
  }

  /** A process's own part: null at the root of an intercommunicator, whose group has no part in it. */
  final Buf part(Buf buf, int root) {
    return isRoot(root) && this instanceof Intercomm ? null : buf;
  }

  private boolean isRoot(int root) {
    return this instanceof Intercomm ? root == Intercomm.ROOT : root == rank();
  }

  /** A buffer holds a part for each rank where the arrays say. */
  final void requireDivision(Buf buf, String argument, int[] counts, int[] displacements) {
    require(buf, argument);
    if (counts == null || displacements == null) {
      throw new NullPointerException(counts == null ? "counts is null" : "displacements is null");
    }
    if (counts.length != peers() || displacements.length != peers()) {
      throw new IllegalArgumentException("counts and displacements have " + counts.length + " and "
          + displacements.length + " elements, and there are " + peers() + " ranks");
    }
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < 0 || displacements[i] < 0 || (long) displacements[i] + counts[i] > buf.count()) {
        throw new IllegalArgumentException("part " + i + " (count " + counts[i] + ", displacement "
            + displacements[i] + ") does not fit " + argument + " of " + buf.count() + " elements");
      }
    }
  }

  /** Two buffers are there, each with a part for each rank. */
  final void requireParts(Buf send, Parts sendParts, Buf receive, Parts receiveParts) {
    requireParts(send, "send", sendParts);
    requireParts(receive, "receive", receiveParts);
    if (send == receive) {
      throw new IllegalArgumentException("send and receive are the same buffer, and allToAllW does not work in place");
    }
  }

  private void requireParts(Buf buf, String argument, Parts parts) {
    require(buf, argument);
    if (parts == null) {
      throw new NullPointerException("the parts of " + argument + " are null");
    }
    if (parts.length() != peers()) {
      throw new IllegalArgumentException(
          "the parts of " + argument + " are " + parts.length() + ", and there are " + peers() + " ranks");
    }
    parts.requireInside(buf, argument);
  }

  final void requireReduceScatter(Buf send, Buf receive, int[] counts) {
    requireSameType(require(send, "send"), require(receive, "receive"));
    if (counts == null) {
      throw new NullPointerException("counts is null");
    }
    if (counts.length != size()) {
      throw new IllegalArgumentException("counts has " + counts.length + " elements, and there are " + size() + " ranks");
    }
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < 0) {
        throw new IllegalArgumentException("counts[" + i + "] = " + counts[i] + " is negative");
      }
      sum += counts[i];
    }
    requireCount(send, sum, "send", "the sum of counts");
    requireCount(receive, counts[rank()], "receive", "counts[" + rank() + "]");
  }

  /** Count arrays one behind the other as C ints; null stands for none. The caller frees the block. */
  static long intArrays(int[]... arrays) {
    int length = 0;
    for (int[] array : arrays) {
      length += lengthOf(array);
    }
    long block = Memory.allocate(4L * length);
    long at = block;
    for (int[] array : arrays) {
      if (array != null) {
        Memory.copyIn(array, Memory.arrayBase(int[].class), at, 4L * array.length);
        at += 4L * array.length;
      }
    }
    return block;
  }

  static int lengthOf(int[] array) {
    return array == null ? 0 : array.length;
  }
}
