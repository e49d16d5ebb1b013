// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;

/**
 * A block of off-heap memory whose owner may close it while MPI is still working on it.
 *
 * <p>A rollback leaves the program's blocks by way of {@code finally}, before the interrupted operations can be driven to their
 * end: MPI would write to memory that was freed there. And another thread may close the memory of a blocking call. So every
 * operation pins its memory, and the last one frees it: the close, or the last unpin.
 */
public final class Allocation {
  private static final int CLOSED = 1 << 30;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Allocation.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Cleaner.Cleanable cleanable;
  private volatile int state; // how many pins, and CLOSED
  private int byOne; // operations of the one thread that calls MPI: together they hold one pin

  /** Takes a block over from the caller. */
  public Allocation(long address) {
    cleanable = Cleaners.CLEANER.register(this, new Cleaners.Free(address));
  }

  public boolean isClosed() {
    return (state & CLOSED) != 0;
  }

  /** Keeps the memory for an operation of MPI. @return false: it is closed, and may be gone */
  public boolean pin() {
    if (((int) STATE.getAndAdd(this, 1) & CLOSED) == 0) {
      return true;
    }
    unpin();
    return false;
  }

  /** The counterpart of {@link #pin}. */
  public void unpin() {
    if ((int) STATE.getAndAdd(this, -1) == CLOSED + 1) {
      cleanable.clean();
    }
  }

  /**
   * As {@link #pin}, where only one thread calls MPI, and by that one. As another thread may close at any time, a pin is
   * an atomic operation, which costs as much as a JNI call; a window of messages from one block takes a single one.
   */
  public boolean pinByOne() {
    if (byOne == 0 ? !pin() : isClosed()) {
      return false;
    }
    byOne++;
    return true;
  }

  /** The counterpart of {@link #pinByOne}. */
  public void unpinByOne() {
    if (--byOne == 0) {
      unpin();
    }
  }

  /** Idempotent. */
  public void close() {
    if ((int) STATE.getAndBitwiseOr(this, CLOSED) == 0) {
      cleanable.clean();
    }
  }
}
