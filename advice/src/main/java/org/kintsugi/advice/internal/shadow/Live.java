// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.shadow;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.code.Variable;

/**
 * The values of before that a turn reads, of each array and of each variable, as numbers.
 *
 * <p>If a recovered program makes an iteration again, and reads all values again that it read at the first time, then what the
 * iteration needs was there again. It may read more: it fills caches.
 */
public final class Live {
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static volatile boolean isWanted;
  private static final Map<Shadow, Set<Long>> ARRAYS = new ConcurrentHashMap<>();
  private static final Map<Variable, Set<Long>> VARIABLES = new ConcurrentHashMap<>();

  private static final Set<Variable> REFERENCES = ConcurrentHashMap.newKeySet();
  /** Arrays, objects and variables with values that the program has not made again since it was entered again. */
  private static final Set<Object> KEPT = ConcurrentHashMap.newKeySet();

  private Live() {}

  /** From now on numbers are made. */
  public static void begin() {
    isWanted = true;
  }

  /** Whether numbers are made. */
  public static boolean isWanted() {
    return isWanted;
  }

  /** What is as at the loop's start is there again anyway: a program that makes its data anew gives them these values. */
  private static boolean tellsNothing(boolean isOfLoop) {
    return Loop.reentry() == 0 && !isOfLoop;
  }

  /** A turn reads a value of before. Neither the order nor the number of its reads counts: threads take turns. */
  static void read(Shadow shadow, int index, long bits, boolean isOfLoop, Variable variable) {
    if (!isWanted) {
      return;
    }
    Set<Long> values = variable != null ? VARIABLES.computeIfAbsent(variable, one -> ConcurrentHashMap.newKeySet()) : of(shadow);
    if (!tellsNothing(isOfLoop)) {
      noteIfKept(shadow, index, variable);
      values.add((bits * SPREAD ^ index + 1) * SPREAD);
    }
  }

  /** A turn takes a reference to an array or to an object with shadows: what it reads there is noted of them. */
  static void follow(Shadow shadow, int index, boolean isOfLoop, Variable variable) {
    if (!isWanted || tellsNothing(isOfLoop)) {
      return;
    }
    noteIfKept(shadow, index, variable);
    if (variable != null) {
      REFERENCES.add(variable);
    } else {
      of(shadow).add((long) index);
    }
  }

  private static void noteIfKept(Shadow shadow, int index, Variable variable) {
    if (isKept(shadow) && shadow.written(index) < Loop.reentry()) {
      KEPT.add(variable != null ? variable : shadow);
    }
  }

  private static boolean isKept(Shadow shadow) {
    return shadow.born < Loop.reentry();
  }

  /** Whether this turn has read something of it that a survivor has kept, so that nothing is known of a replacement. */
  public static boolean hasKept(Object shadowOrVariable) {
    return KEPT.contains(shadowOrVariable);
  }

  /** The variables whose references this turn has taken. */
  public static Set<Variable> references() {
    return REFERENCES;
  }

  /** A turn uses an object that is not instrumented. */
  public static void use(Shadow shadow, long hash, boolean isOfLoop) {
    if (!isWanted) {
      return;
    }
    Set<Long> values = of(shadow);
    if (!tellsNothing(isOfLoop)) {
      if (isKept(shadow)) {
        KEPT.add(shadow);
      }
      values.add(hash);
    }
  }

  private static Set<Long> of(Shadow shadow) {
    return ARRAYS.computeIfAbsent(shadow, one -> ConcurrentHashMap.newKeySet());
  }

  /** The arrays and objects of which this turn has read values of before, and those of these values that tell something. */
  public static Map<Shadow, Set<Long>> arrays() {
    return ARRAYS;
  }

  /** The variables of which this turn has read values of before, and those of these values that tell something. */
  public static Map<Variable, Set<Long>> variables() {
    return VARIABLES;
  }

  /** Another turn begins. */
  public static void clear() {
    ARRAYS.clear();
    VARIABLES.clear();
    REFERENCES.clear();
    KEPT.clear();
  }
}
