// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the program's runs: the ordinal distinguishes a run's versions from those of other runs.
 *
 * <p>The program's first Reinit run, or first {@code Checkpoint.on}, has ordinal 1, the next one 2,
 * and so on. A job that is started again counts from 1 again: each of its runs finds the versions
 * that the run of the same ordinal has left. A run that an exception has ended counts as well: the
 * next one may compute something else, as in a sweep that goes on after a failed case. Processes
 * that were started later may have counted fewer, so {@link Lineage} uses the highest count of all
 * ranks.
 */
public final class RunOrdinal {
  /** The ordinal of the program's first run. */
  public static final long FIRST = 1;

  /** For a checkpoint whose versions end with the process; it does not count as a run. */
  public static final long NONE = 0;

  private static final AtomicLong NEWEST = new AtomicLong(NONE);

  private RunOrdinal() {}

  /** Counts a run that begins. Local. */
  public static long next() {
    return NEWEST.incrementAndGet();
  }

  /** Raises the count to what the other ranks have counted. Local. */
  static void raise(long ordinal) {
    NEWEST.accumulateAndGet(ordinal, Math::max);
  }
}
