// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import org.kintsugi.runtime.JobConfig;

/**
 * Native blocks through which Java arrays pass on their way to and from MPI.
 *
 * <p>Never a critical region around a call that may block: it would hold up the garbage collector for as long as a message
 * takes. ({@code ArrayReceive} does without blocks where the call does not block.) Blocks come in powers of two, are reused, and
 * what lies idle is bounded by {@link JobConfig#STAGING_BYTES}; larger or surplus blocks are given back to the system at once.
 */
public final class Staging {
  private static final int SMALLEST = 8; // 256 bytes
  private static final int LARGEST = 40;
  private static final long LIMIT = JobConfig.STAGING_BYTES.longValue();

  /** The first idle block of each size, or 0; its first eight bytes say where the next one lies. Guarded by itself. */
  private static final long[] IDLE = new long[LARGEST + 1];

  private static long idleBytes;

  private Staging() {}

  private static int sizeClass(long bytes) {
    return Math.max(SMALLEST, 64 - Long.numberOfLeadingZeros(Math.max(bytes, 1) - 1));
  }

  public static long acquire(long bytes) {
    int sizeClass = sizeClass(bytes);
    synchronized (IDLE) {
      long block = sizeClass <= LARGEST ? IDLE[sizeClass] : 0;
      if (block != 0) {
        IDLE[sizeClass] = Memory.getLong(block);
        idleBytes -= 1L << sizeClass;
        return block;
      }
    }
    return Memory.allocate(1L << sizeClass);
  }

  public static void release(long address, long bytes) {
    int sizeClass = sizeClass(bytes);
    long blockBytes = 1L << sizeClass;
    synchronized (IDLE) {
      if (sizeClass <= LARGEST && idleBytes + blockBytes <= LIMIT) {
        Memory.putLong(address, IDLE[sizeClass]);
        IDLE[sizeClass] = address;
        idleBytes += blockBytes;
        return;
      }
    }
    Memory.free(address);
  }

  /** Bytes that lie idle in the pool, for tests. */
  public static long idleBytes() {
    synchronized (IDLE) {
      return idleBytes;
    }
  }
}
