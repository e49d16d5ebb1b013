// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.util.concurrent.TimeUnit;

/** Waits in a test for something that the test does not control. */
public final class Waiting {
  private static final long LOOK_MILLIS = 10;

  /** What the test waits for. An exception ends the wait. */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    /** Whether it has come. */
    boolean holds() throws E;
  }

  /** What the message of a failure says in addition. */
  @FunctionalInterface
  public interface Details<E extends Exception> {
    /** The text. */
    String text() throws E;
  }

  private Waiting() {}

  /**
   * Waits until a condition holds.
   *
   * @param what is expected, for the message
   * @param seconds the limit
   * @param details of the message, made after the limit
   * @throws AssertionError if it does not hold within the limit
   */
  public static <E extends Exception, F extends Exception> void until(String what, long seconds, Condition<E> condition,
      Details<F> details) throws E, F, InterruptedException {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!condition.holds()) {
      if (System.nanoTime() - limit > 0) {
        throw new AssertionError(what + ": not within " + seconds + " s. " + details.text());
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Waits as the other method does; the message of a failure has no details. */
  public static <E extends Exception> void until(String what, long seconds, Condition<E> condition)
      throws E, InterruptedException {
    until(what, seconds, condition, () -> "");
  }
}
