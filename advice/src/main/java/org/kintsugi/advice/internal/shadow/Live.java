// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.shadow;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.kintsugi.advice.internal.code.Variable;

/**
 * A number for the values of before that a turn reads, of each array and of each variable.
 *
 * <p>If a recovered program makes an iteration again, and the number is the same as at the first time, then what the iteration
 * needs was there again.
 */
public final class Live {
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static volatile boolean isWanted;
  private static final Set<Shadow> ARRAYS = ConcurrentHashMap.newKeySet();
  private static final Map<Variable, Long> VARIABLES = new ConcurrentHashMap<>();

  private Live() {}

  /** From now on numbers are made. */
  public static void begin() {
    isWanted = true;
  }

  /** Whether numbers are made. */
  public static boolean isWanted() {
    return isWanted;
  }

  /** A turn reads a value of before. Its order among others does not count: threads take turns. */
  static void read(Shadow shadow, int index, long bits, Variable variable, int turn) {
    if (!isWanted) {
      return;
    }
    long hash = (bits * SPREAD ^ index + 1) * SPREAD;
    if (variable != null) {
      VARIABLES.merge(variable, hash, Long::sum);
    } else {
      value(shadow, turn, hash);
    }
  }

  /** A turn uses an object that is not instrumented. */
  public static void value(Shadow shadow, int turn, long hash) {
    if (isWanted && shadow.live(turn, hash)) {
      ARRAYS.add(shadow);
    }
  }

  /** The arrays and objects of which this turn has read values of before. */
  public static Set<Shadow> arrays() {
    return ARRAYS;
  }

  /** The variables of which this turn has read values of before, and their numbers. */
  public static Map<Variable, Long> variables() {
    return VARIABLES;
  }

  /** Another turn begins. */
  public static void clear() {
    ARRAYS.clear();
    VARIABLES.clear();
  }
}
