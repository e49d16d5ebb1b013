// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.util.Comparator;

/**
 * A stretch of a run, from its start or a restore to the next restore: who wrote a {@link Version}. {@link Lineage} says how
 * attempts come about.
 *
 * @param run the same for all attempts of a run; drawn at random
 * @param order greater in later attempts
 * @param mark drawn at random: no two attempts are equal, whatever their order
 */
public record Attempt(long run, long order, long mark) implements Comparable<Attempt> {
  /** Nobody's. */
  public static final Attempt NONE = new Attempt(0, Long.MIN_VALUE, 0);

  private static final Comparator<Attempt> BY_ORDER =
      Comparator.comparingLong(Attempt::order).thenComparingLong(Attempt::run).thenComparingLong(Attempt::mark);

  /** The later one is greater. */
  @Override
  public int compareTo(Attempt other) {
    return BY_ORDER.compare(this, other);
  }
}
