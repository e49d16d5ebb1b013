// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.concurrent.TimeUnit;
import org.kintsugi.mpi.Request;

/**
 * How a process waits for the end of a meeting ({@link UlfmProvider}) for as long as everybody else computes: asleep, looking at
 * its agreement now and then, and awake as soon as the launcher tells of a death.
 */
final class MeetingWait {
  /** Open MPI hands on what the launcher tells (deaths) in every eighth turn of its progress engine only. */
  private static final int PROGRESS_TURNS = 8;

  /** How long a process that is woken gives up sleeping: the survivors may be slow to learn why. */
  private static final long SPIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long one whose body has ended does not sleep yet: the others may be about to end, too. */
  private static final long SOON_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** Its first sleep; the next ones are longer, a part of what it has waited by then. */
  private static final long FIRST_SLEEP_MICROS = 20;
  private static final long SLEEP_PART = 8;
  private static final long LONGEST_SLEEP_MICROS = 1000;

  private final long sparePollMicros = ReinitConfig.SPARE_POLL_MICROS.longValue();
  private DeathWatch deathWatch; // null before the first sleep

  /** Returns, or throws, as {@link Request#waitFor()} does. */
  void await(Request agreement, boolean isSpare) {
    long began = System.nanoTime();
    long spinUntil = isSpare ? began : began + SOON_NANOS;
    int looks = 0;
    while (!agreement.test()) {
      long now = System.nanoTime();
      if (now - spinUntil < 0) {
        // At the end of a run nobody is to wait for this process; after a death the agreement is under way, and waits for it
        // at every step.
        Thread.yield();
      } else if (++looks % PROGRESS_TURNS == 0 && isWokenByDeath(isSpare ? sparePollMicros : sleepAfter(now - began))) {
        spinUntil = System.nanoTime() + SPIN_NANOS;
      }
    }
  }

  private static long sleepAfter(long waitedNanos) {
    long micros = TimeUnit.NANOSECONDS.toMicros(waitedNanos) / SLEEP_PART;
    return Math.min(Math.max(micros, FIRST_SLEEP_MICROS), LONGEST_SLEEP_MICROS);
  }

  private boolean isWokenByDeath(long sleepMicros) {
    if (deathWatch == null) {
      deathWatch = new DeathWatch();
    }
    return deathWatch.await(sleepMicros);
  }
}
