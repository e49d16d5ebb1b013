// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import java.nio.ByteBuffer;
import org.kintsugi.bindings.Kintsugi;

/**
 * Off-heap memory as a buffer for channels and checksums, piece by piece. There is one buffer,
 * which is moved along, because making a buffer costs as much as the checksum of 64 KiB. The caller
 * keeps the memory's owner alive. Not synchronized.
 */
public final class MemoryView {
  /** A buffer's length is an int. This one may reach beyond the viewed memory: it only computes addresses. */
  private static final int REACH = 1 << 30;

  static {
    try {
      // With it comes libkintsugi.
      Class.forName(Kintsugi.class.getName());
    } catch (ClassNotFoundException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private ByteBuffer buffer;
  private long bufferAt;

  /** The memory from an address on, at most 1 GiB; to be read or written before the next call. */
  public ByteBuffer view(long address, int count) {
    if (buffer == null || address < bufferAt || address + count > bufferAt + REACH) {
      buffer = at(address, REACH);
      bufferAt = address;
    }
    int from = (int) (address - bufferAt);
    return buffer.limit(from + count).position(from);
  }

  /** A buffer of any memory, as only JNI can make one (native/src/memory.c). */
  private static native ByteBuffer at(long address, long bytes);
}
