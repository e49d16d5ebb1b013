// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

/**
 * A thread's own small block for what MPI returns through pointers: flags, handles, statuses. Never freed before the
 * thread ends, so that a call allocates nothing; never kept across calls.
 *
 * <p>The block's first 8 bytes are for what most calls return or exchange, a handle or a number; many calls need nothing else.
 * Fields for more have names here, and do not overlap: offsets in bytes from {@link #address}.
 */
public final class Scratch {
  /** A second number or handle of at most 8 bytes; a matched message, beside the request that receives it. */
  public static final int SECOND = 8;
  /** An int: whether something is there, or has ended. */
  public static final int FLAG = 16;
  /** An int: how long the text is. */
  public static final int LENGTH = 20;
  /** An {@code MPI_Status}. */
  public static final int STATUS = 24;
  /** Bytes of an {@code MPI_Status}: three public ints, an int and a size_t of Open MPI's own. */
  public static final int STATUS_BYTES = 24;
  /** For values read from a status, while the fields before this one are in use: 8 bytes. */
  public static final int OF_STATUS = STATUS + STATUS_BYTES;
  /** An int: the class of an error, likewise. */
  public static final int ERROR_CLASS = OF_STATUS + 8;
  /** Text, up to the block's end. */
  public static final int TEXT = 64;

  private static final int BYTES = 4096;

  /** How many ints the block has room for: a longer array needs memory of its own. */
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
