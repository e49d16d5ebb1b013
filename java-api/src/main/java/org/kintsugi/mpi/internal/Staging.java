// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.util.ArrayDeque;
import org.kintsugi.mpi.MpiConfig;

/**
 * Native blocks through which Java arrays pass on their way to and from MPI.
 *
 * <p>Never a critical region around a call that may block: it would hold up the garbage collector for as long as a message
 * takes. Blocks come in powers of two, are reused, and what lies idle is bounded by
 * {@link MpiConfig#STAGING_BYTES}; larger or surplus blocks are given back to the system at once.
 */
public final class Staging {
  private static final int SMALLEST = 8; // 256 bytes
  private static final int LARGEST = 40;
  private static final long LIMIT = MpiConfig.STAGING_BYTES.longValue();

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static final ArrayDeque<Long>[] FREE = new ArrayDeque[LARGEST + 1];

  private static long idleBytes;

  private Staging() {}

  private static int sizeClass(long bytes) {
    return Math.max(SMALLEST, 64 - Long.numberOfLeadingZeros(Math.max(bytes, 1) - 1));
  }

  public static long acquire(long bytes) {
    int sizeClass = sizeClass(bytes);
    synchronized (FREE) {
      ArrayDeque<Long> free = sizeClass <= LARGEST ? FREE[sizeClass] : null;
      if (free != null && !free.isEmpty()) {
        idleBytes -= 1L << sizeClass;
        return free.pop();
      }
    }
    return Memory.allocate(1L << sizeClass);
  }

  public static void release(long address, long bytes) {
    int sizeClass = sizeClass(bytes);
    long blockBytes = 1L << sizeClass;
    synchronized (FREE) {
      if (sizeClass <= LARGEST && idleBytes + blockBytes <= LIMIT) {
        if (FREE[sizeClass] == null) {
          FREE[sizeClass] = new ArrayDeque<>();
        }
        FREE[sizeClass].push(address);
        idleBytes += blockBytes;
        return;
      }
    }
    Memory.free(address);
  }

  /** Bytes that lie idle in the pool, for tests. */
  public static long idleBytes() {
    synchronized (FREE) {
      return idleBytes;
    }
  }
}
