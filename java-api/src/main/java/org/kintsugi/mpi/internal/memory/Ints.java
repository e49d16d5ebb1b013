// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

/** Java arrays of counts and handles as C arrays. */
public final class Ints {
  private Ints() {}

  /** Copies arrays into one C block, in this order; the caller frees it. An array may be null. */
  public static long allocate(int[]... arrays) {
    long bytes = 0;
    for (int[] array : arrays) {
      bytes += bytes(array);
    }
    long block = Memory.allocate(bytes);
    long at = block;
    for (int[] array : arrays) {
      if (array != null) {
        Memory.copyIn(array, Memory.arrayBase(int[].class), at, bytes(array));
        at += bytes(array);
      }
    }
    return block;
  }

  /** The size of an array in such a block, in bytes. */
  public static long bytes(int[] array) {
    return array == null ? 0 : 4L * array.length;
  }

  public static int[] read(long address, int length) {
    int[] values = new int[length];
    Memory.copyOut(address, values, Memory.arrayBase(int[].class), 4L * length);
    return values;
  }
}
