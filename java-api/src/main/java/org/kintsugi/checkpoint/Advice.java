// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

/**
 * Decides when the next save is due, by {@link Interval#daly}. It needs no communication of its own: at each save the ranks
 * agree on the number of iterations until the next one, and each rank counts them.
 */
final class Advice {
  private final double mtbfSeconds;
  private long saves;
  private long saveNanos;
  private long turns;
  private long turnsUntilSave;
  private long sinceNanos;

  Advice(double mtbfSeconds) {
    this.mtbfSeconds = mtbfSeconds;
  }

  /** In a new world the old measurements are void: a replacement does not have them. */
  void forget() {
    saves = 0;
    saveNanos = 0;
    turns = 0;
    turnsUntilSave = 0;
    sinceNanos = System.nanoTime();
  }

  boolean isDue() {
    turns++;
    return turns >= turnsUntilSave;
  }

  /** The mean time of one turn of the loop since the last save on this rank; zero if there was none. */
  long nanosPerTurn() {
    return turns == 0 ? 0 : (System.nanoTime() - sinceNanos) / turns;
  }

  /** A save is done; the same arguments on all ranks. */
  void saved(long nanos, long nanosPerTurn) {
    turns = 0;
    saves++;
    saveNanos += nanos;
    // The mean: with levels the next save may be a cheap one after a dear one.
    double saveSeconds = saveNanos / 1e9 / saves;
    turnsUntilSave = nanosPerTurn <= 0 ? 1
        : Math.max(1, Math.round(Interval.daly(saveSeconds, mtbfSeconds) * 1e9 / nanosPerTurn));
    sinceNanos = System.nanoTime();
  }
}
