// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

/**
 * When the next save is due, by {@link Interval#daly}. No communication of its own: at each save the ranks agree after how many
 * more turns of the loop, and then every rank counts.
 */
final class Advice {
  private final double mtbfSeconds;
  private long turns;
  private long turnsUntilSave;
  private long sinceNanos;

  Advice(double mtbfSeconds) {
    this.mtbfSeconds = mtbfSeconds;
  }

  /** A new world: what was measured in the old one, a newcomer does not know. */
  void forget() {
    turns = 0;
    turnsUntilSave = 0;
    sinceNanos = System.nanoTime();
  }

  boolean isDue() {
    turns++;
    return turns >= turnsUntilSave;
  }

  /** What one turn of the loop has taken since the last save on this rank; zero if there was none. */
  double secondsPerTurn() {
    return turns == 0 ? 0 : (System.nanoTime() - sinceNanos) / 1e9 / turns;
  }

  /** A save is done; the same arguments on all ranks. */
  void saved(double saveSeconds, double secondsPerTurn) {
    turns = 0;
    turnsUntilSave = secondsPerTurn <= 0 ? 1
        : Math.max(1, Math.round(Interval.daly(saveSeconds, mtbfSeconds) / secondsPerTurn));
    sinceNanos = System.nanoTime();
  }
}
