// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The processes that {@link SparePool} has had started, and that have not come to MPI yet, by their numbers. The program may wait
 * for something before that, for as long as it likes. When the others have ended, nobody needs such a process any more, and
 * mpirun waits for it.
 */
final class UnheardStarts {
  /** So long after the last process has left MPI. */
  private static final long UNNEEDED_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final Set<Integer> numbers = new HashSet<>();
  private long nobodySince;

  void add(int number) {
    numbers.add(number);
  }

  /** It has come, or was not started. */
  void remove(int number) {
    numbers.remove(number);
  }

  /** Those that are to be ended. To be asked from the beginning on. */
  Set<Integer> takeUnneeded(boolean isAnybodyInMpi, long now) {
    if (isAnybodyInMpi || numbers.isEmpty()) {
      nobodySince = now;
    }
    Set<Integer> unneeded = now - nobodySince > UNNEEDED_NANOS ? Set.copyOf(numbers) : Set.of();
    numbers.removeAll(unneeded);
    return unneeded;
  }

  /** Until some may be unneeded. */
  long millisToNextLook(boolean isAnybodyInMpi, long now) {
    return isAnybodyInMpi || numbers.isEmpty() ? Long.MAX_VALUE
        : Math.max(1, TimeUnit.NANOSECONDS.toMillis(nobodySince + UNNEEDED_NANOS - now) + 1);
  }
}
