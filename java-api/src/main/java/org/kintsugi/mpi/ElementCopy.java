// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.memory.Memory;

/**
 * Copies data between a Java array and a native block with the same layout.
 *
 * <p>A {@link TypeMap} names the bytes, run by run. Bytes between the runs are not touched: they
 * belong to the program, or to another operation that is under way.
 */
final class ElementCopy {
  private final Object array;
  private final long base;
  private final long block;
  private final boolean toArray;
  private long left;

  /**
   * Prepares a copy.
   *
   * @param base the array's byte that the block begins with, with the base offset of arrays included
   * @param toArray whether data go from the block to the array, or the other way
   * @param bytes how many bytes of data there are; the copy ends after them
   */
  ElementCopy(Object array, long base, long block, boolean toArray, long bytes) {
    this.array = array;
    this.base = base;
    this.block = block;
    this.toArray = toArray;
    left = bytes;
  }

  /** Copies a run of data, or less at the end of the data. */
  void run(long at, long bytes) {
    long now = Math.min(bytes, left);
    if (toArray) {
      Memory.copyOut(block + at, array, base + at, now);
    } else {
      Memory.copyIn(array, base + at, block + at, now);
    }
    left -= now;
  }

  boolean isDone() {
    return left == 0;
  }
}
