// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scope;

/** The arguments of collectives: what is wrong is found in Java, on the process that got it wrong, before MPI is called. */
abstract class CollectiveChecks extends PointToPoint {
  CollectiveChecks(long handle, Scope scope) {
    super(handle, scope);
  }

  /** The two buffers fit: same datatype, and {@code second} holds {@code parts} times what {@code first} holds. */
  final void requireMatch(Buf first, Buf second, int parts) {
    require(first, "send");
    require(second, "receive");
    requireSameType(first, second);
    if (second.count() < first.count() * parts) { // asked here first: the text would cost more than the reduction
      requireCount(second, first.count() * parts, "the longer buffer", parts + " x " + first.count() + " elements");
    }
  }

  final void requireWholeParts(Buf buf) {
    require(buf, "buf");
    if (buf.count() % peers() != 0) {
      throw new IllegalArgumentException(
          "buffer of " + buf.count() + " elements cannot be divided into " + peers() + " equal parts");
    }
  }

  /** A buffer that only the root needs. */
  final void requireRootBuffer(Buf buf, int root, long needed) {
    if (isRoot(root)) {
      requireCount(require(buf, "the root's buffer"), needed, "the root's buffer", "this operation");
    }
  }

  final void requireRootParts(Buf buf, int[] counts, int[] displacements, int root) {
    if (isRoot(root)) {
      requireParts(buf, "the root's buffer", counts, displacements);
    }
  }

  private boolean isRoot(int root) {
    return this instanceof Intercomm ? root == Intercomm.ROOT : root == rank();
  }

  final void requireParts(Buf buf, String argument, int[] counts, int[] displacements) {
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

  final void requireReduceScatter(Buf send, Buf receive, int[] counts) {
    requireSameType(require(send, "send"), require(receive, "receive"));
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
