// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.code;

/**
 * The loop of the program, as a clock.
 *
 * <p>The clock is 0 in the prologue, and 1 from the first {@code run.iteration} on. It advances where the loop begins its next
 * turn: there a recovered program continues, and from there on it must find the values of the earlier turns.
 */
public final class Loop {
  /** The turn of the loop; 0: the prologue. */
  public static volatile int now;

  /** The turn of the present run's prologue: 0, or a later one if the program makes several runs. */
  private static volatile int start;
  /** The turn in which the body was entered again after a failure; 0: it was not. */
  private static volatile int reentry;
  private static volatile boolean isEnteredAgain;
  private static volatile boolean isIterated;
  private static volatile long number = -1;
  private static volatile Thread thread;
  private static volatile Place place;

  private Loop() {}

  /** The program begins a run, which has a prologue of its own. */
  public static void begins() {
    if (now > 0) {
      isIterated = false;
      now = now + 1;
      start = now;
    }
  }

  /** The turn of the present run's prologue: what was written until its end, the body makes again. */
  public static int start() {
    return start;
  }

  /** An exception has left the loop: what follows is the prologue of another entry, if the program recovers. */
  public static void isLeft() {
    if (now > 0) {
      isIterated = false;
      isEnteredAgain = true;
      now = now + 1;
      reentry = now;
    }
  }

  /** The turn in which the body was entered again: what was written since then is there because the program made it again. */
  public static int reentry() {
    return reentry;
  }

  /** Whether the program has called {@code run.iteration} in this turn. */
  public static boolean isIterated() {
    return isIterated;
  }

  /** The last argument of {@code run.iteration}; -1: none yet. */
  public static long number() {
    return number;
  }

  /** The iteration that what runs now belongs to: the head of the loop belongs to the next one. */
  public static long iteration() {
    return isIterated ? number : number + 1;
  }

  /** Control is at the begin of a loop that contains the call. @return whether the clock has advanced */
  public static boolean head() {
    if (!isIterated || Thread.currentThread() != thread) {
      return false;
    }
    isIterated = false;
    now = now + 1;
    return true;
  }

  /** The place that calls {@code run.iteration}; null: none has so far. */
  public static Place place() {
    return place;
  }

  /** The program calls {@code run.iteration} at a place. @return whether the clock has advanced */
  public static boolean iteration(long iteration, Place at) {
    place = at;
    thread = Thread.currentThread();
    number = iteration;
    boolean isNew = isIterated || now == start || isEnteredAgain;
    isEnteredAgain = false;
    if (isNew) {
      now = now + 1;
    }
    isIterated = true;
    return isNew;
  }

  /** Another program begins: for tests. */
  public static void reset() {
    now = 0;
    start = 0;
    reentry = 0;
    isEnteredAgain = false;
    isIterated = false;
    number = -1;
    place = null;
  }
}
