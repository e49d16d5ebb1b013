// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.image;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.Access;

/** Off-heap memory for one image at a time, used again and again: it only grows. */
public final class ImageMemory implements AutoCloseable {
  private static final long MOST_MORE_BYTES = 1L << 30;

  private Buf memory = Buf.allocateBytes(0);
  private long bytes;

  /**
   * Makes room for {@code size} bytes. Their content is undefined, and the old content is lost:
   * every byte has to be written.
   *
   * @return a buffer of these bytes, owned by this object until the next {@code open}
   */
  public Buf open(long size) {
    if (memory.count() < size) {
      // Twice as much for an image that has grown: if it grows with every save, not every save
      // needs new memory.
      // What is not written to takes no memory; to write to it for the first time is what costs time.
      long more = Math.min(memory.count(), MOST_MORE_BYTES);
      long grown = Math.max(size, memory.count() + more);
      memory.close();
      memory = Buf.allocateBytes(0);
      memory = room(size, grown);
    }
    bytes = size;
    return image();
  }

  private static Buf room(long size, long wanted) {
    try {
      return Access.bufs().uncleared(wanted);
    } catch (OutOfMemoryError e) {
      // As where memory counts when it is asked for (ulimit -v, vm.overcommit_memory=2).
      return Access.bufs().uncleared(size);
    }
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
  public void abandon() {
    memory = Buf.allocateBytes(0);
    bytes = 0;
  }

  @Override
  public void close() {
    memory.close();
    bytes = 0;
  }
}
