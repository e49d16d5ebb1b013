// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;

/**
 * A block of off-heap memory whose owner may close it while MPI is still working on it.
 *
 * <p>When a rollback passes the program's {@code finally} blocks, these close memory that
 * interrupted operations still use: MPI would write to freed memory. And another thread may close
 * the memory of a blocking call. So every operation pins its memory. The memory is freed when it is
 * closed and no operation pins it.
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
  private volatile int state; // the number of pins, and CLOSED
  private int byOne; // operations of the one thread that calls MPI: together they hold one pin

  /** Becomes the owner of the caller's block. */
  public Allocation(long address) {
    cleanable = Cleaners.CLEANER.register(this, new Cleaners.Free(address));
  }

  public boolean isClosed() {
    return (state & CLOSED) != 0;
  }

  /** Keeps the memory for an operation of MPI. @return false if it is closed, and may be freed */
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
   * As {@link #pin}, for the only thread that calls MPI. Another thread may close the memory at any
   * time, so a pin is an atomic operation, which costs as much as a JNI call. Here all operations
   * under way on one block share a single pin.
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

  /** Frees the memory when no operation pins it. Idempotent. */
  public void close() {
    if ((int) STATE.getAndBitwiseOr(this, CLOSED) == 0) {
      cleanable.clean();
    }
  }
}
