// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import org.kintsugi.runtime.JobConfig;

/**
 * Native blocks for the data of Java arrays during operations of MPI.
 *
 * <p>A JNI critical region around a call that may block is not used: it would delay the garbage
 * collector until the message arrives. ({@code ArrayReceive} uses one where the call does not
 * block.) A block has the size of the whole message: MPI may read any byte of it at any time until
 * the message is delivered.
 *
 * <p>Block sizes are powers of two, and blocks are reused; idle ones hold at most
 * {@link JobConfig#STAGING_BYTES}. A few larger blocks are kept, too, but the kernel may reclaim
 * their pages. So a loop of large messages does not need new pages each time (on a virtual machine
 * 2.3 GB of new pages took 14 s, and the message itself 1 s), and idle blocks take no memory from
 * processes that need it.
 */
public final class Staging {
  private static final int SMALLEST = 8; // 256 bytes
  private static final int LARGEST = 62;
  private static final long LIMIT = JobConfig.STAGING_BYTES.longValue();

  /**
   * The first idle block of each size, or 0. Its first eight bytes are the address of the next one.
   * Guarded by itself.
   */
  private static final long[] IDLE = new long[LARGEST + 1];

  private static final long LEAST_STEP = 4096;

  private static long idleBytes;

  /** Idle blocks beyond the limit, 0 for none, and their sizes. Guarded by {@link #IDLE}. */
  private static final long[] LARGE_IDLE = new long[4];
  private static final long[] LARGE_BYTES = new long[LARGE_IDLE.length];

  private Staging() {}

  private static int sizeClass(long bytes) {
    return Math.max(SMALLEST, 64 - Long.numberOfLeadingZeros(Math.max(bytes, 1) - 1));
  }

  /** The size of a block beyond the limit. At most an eighth of it is wasted, not a half. */
  private static long largeBytes(long bytes) {
    long step = Math.max(LEAST_STEP, Long.highestOneBit(bytes) / 8);
    return (bytes + step - 1) / step * step;
  }

  /** A block of at least {@code bytes} bytes, with undefined contents. */
  public static long acquire(long bytes) {
    if (bytes > LIMIT) {
      return acquireLarge(largeBytes(bytes));
    }
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

  private static long acquireLarge(long blockBytes) {
    synchronized (IDLE) {
      for (int i = 0; i < LARGE_IDLE.length; i++) {
        if (LARGE_IDLE[i] != 0 && LARGE_BYTES[i] == blockBytes) {
          long block = LARGE_IDLE[i];
          LARGE_IDLE[i] = 0;
          return block;
        }
      }
    }
    return Memory.allocate(blockBytes);
  }

  private static void releaseLarge(long address, long blockBytes) {
    long surplus = address;
    if (Memory.letReclaim(address, blockBytes)) {
      synchronized (IDLE) {
        int place = 0;
        for (int i = 0; i < LARGE_IDLE.length; i++) {
          if (LARGE_IDLE[i] == 0 || LARGE_IDLE[place] != 0 && LARGE_BYTES[i] < LARGE_BYTES[place]) {
            place = i; // a free one, or the smallest
          }
        }
        surplus = LARGE_IDLE[place];
        LARGE_IDLE[place] = address;
        LARGE_BYTES[place] = blockBytes;
      }
    }
    if (surplus != 0) {
      Memory.free(surplus);
    }
  }

  /**
   * Returns a block to the pool, or frees it.
   *
   * @param bytes the size that was passed to {@link #acquire}
   */
  public static void release(long address, long bytes) {
    if (bytes > LIMIT) {
      releaseLarge(address, largeBytes(bytes));
      return;
    }
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

  /** The number of idle bytes in the pool, for tests. */
  public static long idleBytes() {
    synchronized (IDLE) {
      return idleBytes;
    }
  }
}
