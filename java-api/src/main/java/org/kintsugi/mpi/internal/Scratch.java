// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

/**
 * A thread's own small block for what MPI returns through pointers: flags, handles, statuses. Never freed before the
 * thread ends, so that a call allocates nothing; never kept across calls.
 */
public final class Scratch {
  /** Bytes of an {@code MPI_Status}: three public ints, an int and a size_t of Open MPI's own. */
  public static final int STATUS_BYTES = 24;

  private static final int BYTES = 4096;
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
