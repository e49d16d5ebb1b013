// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.concurrent.TimeUnit;
import org.kintsugi.mpi.Request;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * The wait of a spare, or of a process whose body has ended, for the end of a meeting, while the others compute. A meeting is the
 * agreement of all processes that ends each epoch: that the run is finished, or that all repair (step 1 of {@link UlfmProvider}).
 * The waiting process sleeps, tests the agreement now and then, and wakes as soon as the launcher reports a failed process.
 */
@InRecovery
final class MeetingWait {
  /** Open MPI handles the launcher's notices of failures only in every eighth turn of its progress engine. */
  private static final int PROGRESS_TURNS = 8;

  /** How long a woken process does not sleep: the survivors may be slow to detect the failure. */
  private static final long SPIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long a process does not sleep after its body has ended: the others may be about to end. */
  private static final long SOON_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** The first sleep; each later one is a part of the time waited so far. */
  private static final long FIRST_SLEEP_MICROS = 20;
  private static final long SLEEP_PART = 8;
  private static final long LONGEST_SLEEP_MICROS = 1000;

  private final long sparePollMicros = ReinitConfig.SPARE_POLL_MICROS.longValue();
  private ProcessFailureWatch failureWatch; // null before the first sleep

  /** Returns, or throws, as {@link Request#waitFor()} does. */
  void await(Request agreement, boolean isSpare) {
    long began = System.nanoTime();
    long spinUntil = isSpare ? began : began + SOON_NANOS;
    int looks = 0;
    while (!agreement.test()) {
      long now = System.nanoTime();
      if (now - spinUntil < 0) {
        // The end of a run must not wait for this process. After a failure the agreement is under
        // way, and every step of it waits for this process.
        Thread.yield();
      } else if (++looks % PROGRESS_TURNS == 0 && isWokenByFailure(isSpare ? sparePollMicros : sleepAfter(now - began))) {
        spinUntil = System.nanoTime() + SPIN_NANOS;
      }
    }
  }

  private static long sleepAfter(long waitedNanos) {
    long micros = TimeUnit.NANOSECONDS.toMicros(waitedNanos) / SLEEP_PART;
    return Math.min(Math.max(micros, FIRST_SLEEP_MICROS), LONGEST_SLEEP_MICROS);
  }

  private boolean isWokenByFailure(long sleepMicros) {
    if (failureWatch == null) {
      failureWatch = new ProcessFailureWatch();
    }
    return failureWatch.await(sleepMicros);
  }
}
