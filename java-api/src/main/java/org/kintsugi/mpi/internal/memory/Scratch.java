// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

/**
 * A small block of each thread for values that MPI returns through pointers. These are flags,
 * handles and statuses. The block lives until the thread ends, so that a call allocates nothing.
 * Its contents are not kept across calls.
 *
 * <p>Most calls return a handle or a number in the block's first 8 bytes, and need nothing else.
 * Other fields have names here, and do not overlap; they are offsets in bytes from
 * {@link #address}.
 */
public final class Scratch {
  /**
   * A second number or handle of at most 8 bytes. For instance a matched message, after the request
   * that receives it.
   */
  public static final int SECOND = 8;
  /** An int: the flag of a test or probe. */
  public static final int FLAG = 16;
  /** An int: the length of {@link #TEXT}. */
  public static final int LENGTH = 20;
  /** An {@code MPI_Status}. */
  public static final int STATUS = 24;
  /** Bytes of an {@code MPI_Status}: three public ints, an int and a size_t of Open MPI's own. */
  public static final int STATUS_BYTES = 24;
  /** 8 bytes for values read from a status, while the fields before are in use. */
  public static final int OF_STATUS = STATUS + STATUS_BYTES;
  /** An int: the class of an error, also while the fields before are in use. */
  public static final int ERROR_CLASS = OF_STATUS + 8;
  /** Text, up to the block's end. */
  public static final int TEXT = 64;

  private static final int BYTES = 4096;

  /** The number of ints that fit the block. A longer array needs memory of its own. */
  public static final int INTS = BYTES / Integer.BYTES;

  private static final ThreadLocal<Scratch> LOCAL = ThreadLocal.withInitial(Scratch::new);

  private final long address = Memory.allocate(BYTES);

  private Scratch() {
    Cleaners.CLEANER.register(this, new Cleaners.Free(address));
  }

  /** The address of this thread's block of {@value #BYTES} bytes. */
  public static long address() {
    return LOCAL.get().address;
  }
}
