// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.Memory;

/** Java arrays of counts and handles as C arrays. */
final class Ints {
  private Ints() {}

  /** A copy that the caller frees. */
  static long allocate(int[] values) {
    long address = Memory.allocate(4L * values.length);
    Memory.copyIn(values, Memory.arrayBase(int[].class), address, 4L * values.length);
    return address;
  }

  static int[] read(long address, int length) {
    int[] values = new int[length];
    Memory.copyOut(address, values, Memory.arrayBase(int[].class), 4L * length);
    return values;
  }
}
