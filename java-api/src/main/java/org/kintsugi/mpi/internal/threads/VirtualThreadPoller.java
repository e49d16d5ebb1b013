// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.kintsugi.mpi.internal.memory.Errors;

/**
 * Lets virtual threads wait for MPI. One of them tests the requests of all in a loop; the others
 * sleep until it wakes them. When its own wait is over, it wakes the next thread to test.
 *
 * <p>If each thread tested its own request, ten thousand threads would keep their one carrier busy
 * with waking and sleeping, and it would hardly run the threads that send the awaited messages.
 */
final class VirtualThreadPoller {
  /** For this number of tests the thread only yields; then it sleeps between two tests. */
  private static final int YIELDS = 20;
  private static final long PAUSE_NANOS = 100_000;

  private static final AtomicReference<Waiting> LOOKING = new AtomicReference<>();
  private static final Queue<Waiting> NEW = new ConcurrentLinkedQueue<>();
  /** Used only by the thread that tests. */
  private static final List<Waiting> ALL = new ArrayList<>();

  private VirtualThreadPoller() {}

  /** A thread that waits, and its test. */
  private static final class Waiting {
    private final Thread thread = Thread.currentThread();
    private final BooleanSupplier look;
    private Throwable thrown;
    private volatile boolean over;

    Waiting(BooleanSupplier look) {
      this.look = look;
    }

    /** @return whether it is over now */
    private boolean isOverNow() {
      try {
        over = look.getAsBoolean();
      } catch (Throwable failed) {
        thrown = failed;
        over = true;
      }
      if (over && thread != Thread.currentThread()) {
        LockSupport.unpark(thread);
      }
      return over;
    }
  }

  /** See {@link VirtualThreads#await}. */
  static void await(BooleanSupplier look) {
    Waiting own = new Waiting(look);
    boolean interrupted = false;
    NEW.add(own);
    while (!own.over) {
      if (LOOKING.compareAndSet(null, own)) {
        interrupted |= lookUntilOver(own);
        handOver();
      } else {
        LockSupport.park(own);
        // An interrupted thread does not park: it would keep its carrier.
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (own.thrown != null) {
      // The stack trace must show where this thread waits, not the thread that tested its request.
      own.thrown.setStackTrace(new Throwable().getStackTrace());
      Errors.rethrow(own.thrown);
    }
  }

  /** @return whether this thread was interrupted */
  private static boolean lookUntilOver(Waiting own) {
    boolean interrupted = false;
    int inVain = 0;
    while (!own.over) {
      for (Waiting next = NEW.poll(); next != null; next = NEW.poll()) {
        ALL.add(next);
      }
      long begin = System.nanoTime();
      inVain = ALL.removeIf(Waiting::isOverNow) ? 0 : inVain + 1;
      if (!own.over && inVain < YIELDS) {
        Thread.yield();
      } else if (!own.over) {
        interrupted |= Thread.interrupted();
        // Half of the time is for threads that do not wait.
        LockSupport.parkNanos(Math.max(PAUSE_NANOS, System.nanoTime() - begin));
      }
    }
    return interrupted;
  }

  /** A thread that comes later tests by itself. */
  private static void handOver() {
    Waiting next = ALL.isEmpty() ? null : ALL.get(0);
    LOOKING.set(null);
    if (next == null) {
      next = NEW.peek();
    }
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
  }
}
