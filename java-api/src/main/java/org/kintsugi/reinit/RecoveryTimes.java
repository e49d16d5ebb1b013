// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.concurrent.TimeUnit;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * The duration of a recovery, over all processes. The clocks of the nodes differ, so no times of
 * day are compared. Each process measures back from a moment that all share, the end of a
 * collective: how long ago it last knew that no process had failed, and how long ago it detected
 * the failure.
 */
@InRecovery
final class RecoveryTimes {
  /** The number of ints that each process contributes. */
  static final int FIELDS = 2;

  private long lastSeenNanos;
  private long learnedNanos;
  private int longestAgo;
  private int lastLearned;
  private long detectionNanos;
  private long repairBeganNanos;

  /** Notes this process's own times, as System.nanoTime has them. */
  void note(long lastSeen, long learned) {
    lastSeenNanos = lastSeen;
    learnedNanos = learned;
  }

  /** Writes this process's two ints at an index. */
  void tell(int[] mine, int at, boolean learned, long moment) {
    mine[at] = learned ? micros(moment - lastSeenNanos) : 0;
    mine[at + 1] = learned ? micros(moment - learnedNanos) : Integer.MAX_VALUE;
  }

  private static int micros(long nanos) {
    return (int) Math.max(0, Math.min(TimeUnit.NANOSECONDS.toMicros(nanos), Integer.MAX_VALUE));
  }

  /** To be called before the first {@link #hear}. */
  void begin() {
    longestAgo = 0;
    lastLearned = Integer.MAX_VALUE;
  }

  /** Adds the two ints of one process. */
  void hear(int[] told, int at) {
    longestAgo = Math.max(longestAgo, told[at]);
    lastLearned = Math.min(lastLearned, told[at + 1]);
  }

  /** As {@link #begin}, and {@link #hear} of each row of a table, without a call for each. */
  void hearAll(int[] rows, int first, int length) {
    int longest = 0;
    int last = Integer.MAX_VALUE;
    for (int at = first; at < rows.length; at += length) {
      int ago = rows[at];
      int learned = rows[at + 1];
      longest = ago > longest ? ago : longest;
      last = learned < last ? learned : last;
    }
    longestAgo = longest;
    lastLearned = last;
  }

  /** To be called after the last {@link #hear}. */
  void end(long moment) {
    // If no process rolled back (a spare died), the whole time is repair.
    lastLearned = Math.min(lastLearned, longestAgo);
    detectionNanos = TimeUnit.MICROSECONDS.toNanos(longestAgo - lastLearned);
    repairBeganNanos = moment - TimeUnit.MICROSECONDS.toNanos(lastLearned);
  }

  /** The time from the last moment when all was well to the moment when the last survivor knew of the failure. */
  long detectionNanos() {
    return detectionNanos;
  }

  /** The moment when the last survivor knew of the failure, as this process's System.nanoTime has it. */
  long repairBeganNanos() {
    return repairBeganNanos;
  }
}
