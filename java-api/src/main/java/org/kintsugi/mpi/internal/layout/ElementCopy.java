// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.layout;

import org.kintsugi.mpi.internal.memory.Memory;

/**
 * Copies the data of elements to a block of native memory, or back.
 *
 * <p>A {@link TypeMap} names the bytes, run by run. In the block the runs follow one another, as in
 * a message; or each has its place in the element there, too. Bytes of the elements between the
 * runs are not touched: they belong to the program, or to another operation that is under way.
 */
public final class ElementCopy implements TypeMap.Visitor {
  /** A call of C costs as much as some runs. */
  private static final long FEW_RUNS = 8;
  /** What C copies at once. It fits a processor's cache, and an array has a fixed address for some microseconds only. */
  private static final long PIECE_BYTES = 32 << 10;

  private final Object array;
  private final long base;
  private final boolean toElements;
  private final boolean isPacked;
  private long block;
  private long left;

  /**
   * Prepares a copy.
   *
   * @param array the array with the elements; null: they are at an address
   * @param base the array's byte that the elements begin with, with the base offset of arrays
   *     included; or the address
   * @param toElements whether data go from the block to the elements, or the other way
   * @param isPacked whether the block has the data only, and not the gaps
   * @param bytes how many bytes of data there are; the copy ends after them
   */
  public ElementCopy(Object array, long base, long block, boolean toElements, boolean isPacked, long bytes) {
    this.array = array;
    this.base = base;
    this.block = block;
    this.toElements = toElements;
    this.isPacked = isPacked;
    left = bytes;
  }

  @Override
  public boolean isDone() {
    return left == 0;
  }

  /** Copies a run of data, or less at the end of the data. */
  @Override
  public void run(long at, long bytes) {
    long now = Math.min(bytes, left);
    long inBlock = isPacked ? block : block + at;
    if (toElements) {
      Memory.copyAny(null, inBlock, array, base + at, now);
    } else {
      Memory.copyAny(array, base + at, null, inBlock, now);
    }
    left -= now;
    block += isPacked ? now : 0;
  }

  /** Copies elements, or less at the end of the data. */
  @Override
  public void elements(long at, long count, long step, long[] runs, long size) {
    long whole = Math.min(count, left / size);
    long done = 0;
    if (isPacked && whole * runs.length >= 2 * FEW_RUNS) {
      long together = Math.max(1, PIECE_BYTES / size);
      for (long n; done < whole; done += n) {
        n = Math.min(whole - done, together);
        if (!Memory.copyElements(array, base + at + done * step, step, n, runs, block, size, toElements)) {
          break;
        }
        block += n * size;
        left -= n * size;
      }
    }
    for (; done < count && left > 0; done++) {
      for (int run = 0; run < runs.length && left > 0; run += 2) {
        run(at + done * step + runs[run], runs[run + 1]);
      }
    }
  }
}
