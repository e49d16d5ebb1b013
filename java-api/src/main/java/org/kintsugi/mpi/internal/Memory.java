// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.nio.charset.StandardCharsets;

/**
 * Off-heap memory by its address, and arrays by an offset that counts from {@link #arrayBase}. Nothing here checks bounds;
 * {@link org.kintsugi.mpi.Buf} does.
 *
 * <p>The accesses themselves are inherited: there are two forms of them, of which the JVM takes the one for its version.
 */
public final class Memory extends RawMemory {
  /** From this size on a block has a whole huge page in it, wherever it begins. */
  private static final long HUGE_BYTES = 4L << 20;

  private Memory() {}

  /**
   * A block that the caller frees; what is in it is not defined.
   *
   * <p>Large ones come in huge pages, where the kernel gives such to those who ask for them: to touch 60 MiB for the first time
   * took 12 ms instead of 260 on a virtual machine, and a checkpoint's first versions are such memory.
   */
  public static long allocate(long bytes) {
    long address = block(bytes);
    if (bytes >= HUGE_BYTES) {
      try {
        preferHugePages(address, bytes);
      } catch (UnsatisfiedLinkError notLoaded) {
        return address; // without MPI, and slower only
      }
    }
    return address;
  }

  /** In libkintsugi (native/src/memory.c). */
  private static native void preferHugePages(long address, long bytes);

  /**
   * Offers the pages of a block to the kernel, which takes them when it runs short of memory. The block stays allocated, with
   * undefined contents.
   *
   * @return false: the kernel does not know of such pages
   */
  static boolean letReclaim(long address, long bytes) {
    try {
      return reclaimable(address, bytes);
    } catch (UnsatisfiedLinkError notLoaded) {
      return false; // without MPI
    }
  }

  private static native boolean reclaimable(long address, long bytes);

  /** A zero-terminated UTF-8 string that the caller frees. */
  public static long allocateString(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    long address = allocate(bytes.length + 1L);
    copyIn(bytes, arrayBase(byte[].class), address, bytes.length);
    putByte(address + bytes.length, (byte) 0);
    return address;
  }

  /** A string of known length in bytes. */
  public static String getString(long address, int length) {
    byte[] bytes = new byte[length];
    copyOut(address, bytes, arrayBase(byte[].class), length);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Bytes up to the final zero. */
  public static int lengthOfCString(long address) {
    int length = 0;
    while (getByte(address + length) != 0) {
      length++;
    }
    return length;
  }

  /** A zero-terminated UTF-8 string. */
  public static String getCString(long address) {
    return getString(address, lengthOfCString(address));
  }
}
