// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.engine;

import java.util.Arrays;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/**
 * A version as engines know it: the program's number, and the attempt that saved it. Parts of two ranks belong together only if
 * they are of equal versions.
 *
 * @param attempt who wrote it
 * @param number what the program calls it
 */
public record Version(Attempt attempt, long number) implements Comparable<Version> {
  /** No version; older than any. */
  public static final Version NONE = new Version(Attempt.NONE, Long.MIN_VALUE);

  /** How many numbers {@link #words} are. */
  public static final int WORDS = 4;

  /**
   * The version that {@link #words} described.
   *
   * @param words numbers, with those of the version among them
   * @param from where those begin; {@link #WORDS} of them
   * @return an equal version
   */
  public static Version of(long[] words, int from) {
    return new Version(new Attempt(words[from], words[from + 1], words[from + 2]), words[from + 3]);
  }

  /**
   * As numbers, for headers and messages.
   *
   * @return {@link #WORDS} numbers; the caller's
   */
  public long[] words() {
    return new long[] {attempt.run(), attempt.order(), attempt.mark(), number};
  }

  /**
   * Whether it is {@link #NONE}.
   *
   * @return false for what a program has saved
   */
  public boolean isNone() {
    return equals(NONE);
  }

  /**
   * Whether all ranks have the same version. Collective.
   *
   * @param world the communicator of these ranks
   * @return the same answer on all ranks
   */
  public boolean isEverywhere(Comm world) {
    long[] least = words();
    long[] most = words();
    world.allReduce(Buf.wrap(least), Op.MIN);
    world.allReduce(Buf.wrap(most), Op.MAX);
    return Arrays.equals(least, most);
  }

  /**
   * Whether a program that goes on from another version keeps this one.
   *
   * @param resumed the version that the program goes on from
   * @return whether this one is of the same run and not newer
   */
  public boolean isKeptWith(Version resumed) {
    return attempt.run() == resumed.attempt.run() && compareTo(resumed) <= 0 && !isNone();
  }

  /** The newer one is greater: that of the later attempt, whatever its number. */
  @Override
  public int compareTo(Version other) {
    int byAttempt = attempt.compareTo(other.attempt);
    return byAttempt != 0 ? byAttempt : Long.compare(number, other.number);
  }

  /** As the one of all records, which is made at run time ({@link Attempt#equals}). */
  @Override
  public boolean equals(Object other) {
    return other instanceof Version that && number == that.number && attempt.equals(that.attempt);
  }

  @Override
  public int hashCode() {
    return attempt.hashCode() * 31 + Long.hashCode(number);
  }
}
