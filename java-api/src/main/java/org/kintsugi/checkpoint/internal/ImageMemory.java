// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import org.kintsugi.mpi.Buf;

/** Off-heap memory for one image at a time, used again and again: it only grows. */
public final class ImageMemory implements AutoCloseable {
  /** Extra room, so that images that grow with every save do not need new memory with every save. */
  private static final int SPARE_SHARE = 8;

  private Buf memory = Buf.ofBytes(0);
  private long bytes;

  /**
   * Makes room for so many bytes; the contents before are gone.
   *
   * @return a buffer of these bytes, owned by this object until the next {@code open}
   */
  public Buf open(long size) {
    if (memory.count() < size) {
      long grown = memory.count() + memory.count() / SPARE_SHARE;
      memory.close();
      memory = Buf.ofBytes(Math.max(size, grown));
    }
    bytes = size;
    return image();
  }

  /** The buffer that {@link #open} returned last. */
  public Buf image() {
    return memory.slice(0, bytes);
  }

  /** The length of {@link #image}. */
  public long bytes() {
    return bytes;
  }

  /** The address of its first byte. */
  public long address() {
    return memory.address();
  }

  /** Leaves the memory to the requests that refer to it. */
  void abandon() {
    memory = Buf.ofBytes(0);
    bytes = 0;
  }

  @Override
  public void close() {
    memory.close();
    bytes = 0;
  }
}
