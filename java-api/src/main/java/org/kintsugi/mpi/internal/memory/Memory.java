// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import java.nio.charset.StandardCharsets;
import org.kintsugi.runtime.internal.RawWords;

/**
 * Off-heap memory by its address, and arrays by an offset that counts from {@link #arrayBase}. Nothing here checks bounds;
 * {@link org.kintsugi.mpi.Buf} does.
 *
 * <p>The methods that access memory are inherited. There are two versions of them: the JVM loads
 * the one for its own version.
 */
public final class Memory extends RawMemory {
  /** A block of this size contains a whole huge page, wherever it begins. */
  private static final long HUGE_BYTES = 4L << 20;

  private Memory() {}

  /**
   * A block with undefined contents, which the caller frees.
   *
   * <p>For large blocks the kernel is asked for huge pages: touching 60 MiB for the first time took
   * 12 ms instead of 260 on a virtual machine, and a checkpoint's first versions are such memory.
   */
  public static long allocate(long bytes) {
    long address = block(bytes);
    if (bytes >= HUGE_BYTES) {
      try {
        preferHugePages(address, bytes);
      } catch (UnsatisfiedLinkError notLoaded) {
        return address; // the natives are not loaded: only slower
      }
    }
    return address;
  }

  /** Implemented in libkintsugi (native/src/memory.c). */
  private static native void preferHugePages(long address, long bytes);

  /**
   * Copies runs of bytes between elements and a block that has them one after the other. The
   * collector waits meanwhile.
   *
   * @param array the array with the elements, or null
   * @param offset of the first element, with the array's base offset included; or its address
   * @param step from one element to the next, in bytes
   * @param runs of each element: an offset and a length each
   * @param size the lengths together
   * @return false if the natives are not loaded
   */
  public static boolean copyElements(Object array, long offset, long step, long count, long[] runs, long block, long size,
      boolean toElements) {
    try {
      copyRuns(array, array == null ? offset : offset - arrayBase(array.getClass()), step, count, runs, block, size, toElements);
      return true;
    } catch (UnsatisfiedLinkError notLoaded) {
      return false; // without MPI
    }
  }

  private static native void copyRuns(Object array, long offset, long step, long count, long[] runs, long block, long size,
      boolean toElements);

  /**
   * Lets the kernel reclaim the pages of a block when it runs short of memory. The block stays
   * allocated, with undefined contents.
   *
   * @return false if the kernel does not support this
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
    return allocateBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * A word of a command line as a zero-terminated string, with its original bytes. The caller frees
   * it.
   */
  public static long allocateWord(String word) {
    return allocateBytes(RawWords.encode(word));
  }

  private static long allocateBytes(byte[] bytes) {
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

  /** The number of bytes before the final zero. */
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
