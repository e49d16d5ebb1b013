// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.engine;

/**
 * A stretch of a run, from its start or a restore to the next restore: who wrote a {@link Version}. {@code Lineage} says how
 * attempts come about.
 *
 * @param run the same for all attempts of a run; drawn at random
 * @param order greater in later attempts
 * @param mark drawn at random: no two attempts are equal, whatever their order
 */
public record Attempt(long run, long order, long mark) implements Comparable<Attempt> {
  /** The attempt of no run. */
  public static final Attempt NONE = new Attempt(0, Long.MIN_VALUE, 0);

  /** The later one is greater. */
  @Override
  public int compareTo(Attempt other) {
    int difference = Long.compare(order, other.order);
    if (difference == 0) {
      difference = Long.compare(run, other.run);
    }
    return difference != 0 ? difference : Long.compare(mark, other.mark);
  }

  /** As the one of all records, which is made at run time: each rank would be 10 ms later at its work. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Attempt that && run == that.run && order == that.order && mark == that.mark;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(run) * 31 * 31 + Long.hashCode(order) * 31 + Long.hashCode(mark);
  }
}
