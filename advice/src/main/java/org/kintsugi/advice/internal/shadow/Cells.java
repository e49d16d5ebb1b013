// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.shadow;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.code.Uses;
import org.kintsugi.advice.internal.code.Variable;

/**
 * Reads and writes of locations.
 *
 * <p>A location must be saved if an iteration reads a value that an earlier iteration wrote, and if the loop has changed the
 * value at some time. A reference counts only if the program uses something old of what it refers to: who takes an array
 * only to overwrite it needs none of its contents.
 */
public final class Cells {
  private static final Set<Step> STEPS = ConcurrentHashMap.newKeySet();

  private Cells() {}

  /**
   * This turn has followed a reference.
   *
   * @param index negative: the loop has not written the reference, and it counts only for the object that it is in
   * @param isCertain whether an iteration, and not the code after the loop, has read it
   */
  private record Step(Shadow holder, int index, Shadow target, int turn, long iteration, boolean isCertain, Variable variable,
      int place) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Step step && step.holder == holder && step.index == index && step.target == target;
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(holder) + index + 17 * System.identityHashCode(target);
    }
  }

  /**
   * The program reads a value that is no reference, or null.
   *
   * @param bits of the value
   * @param isDefault whether the value is one that often means "not there yet": 0, null, -1, NaN
   * @param variable null: the location is an element
   * @return whether an earlier iteration wrote it
   */
  public static boolean read(Shadow shadow, int index, long bits, boolean isDefault, Variable variable, int place) {
    return read(shadow, index, bits, bits, isDefault, variable, place);
  }

  /** As above. @param comparable bits that another object of the same content has as well */
  public static boolean read(Shadow shadow, int index, long bits, long comparable, boolean isDefault, Variable variable,
      int place) {
    int turn = Loop.now;
    int written = shadow.written(index);
    if (written >= turn) {
      return false;
    }
    // What a new array has anyway is nothing old.
    int start = Loop.start();
    if (written > start ? bits != shadow.initial(index) : shadow.born <= start || bits != 0) {
      shadow.used(turn);
    }
    boolean isOfLoop = written > start && (bits != shadow.initial(index) || shadow.born > start);
    Live.read(shadow, index, comparable, isOfLoop, variable);
    if (written <= start) {
      if (isDefault && written == 0) {
        shadow.written(index, -turn);
      }
      return false;
    }
    byte flags = shadow.flags(index);
    if ((flags & Shadow.READ) == 0) {
      shadow.flag(index, Shadow.READ);
      met(shadow, index, variable);
    }
    if ((flags & Shadow.CARRIED) == 0 && bits != shadow.initial(index)) {
      carried(shadow, index, turn, written, variable, place);
    }
    return true;
  }

  private static void carried(Shadow shadow, int index, int turn, int written, Variable variable, int place) {
    if (Loop.isIterated() || turn - written > 1) {
      shadow.flag(index, Shadow.CARRIED);
    } else {
      shadow.pend(index, turn);
    }
    note(shadow, index, variable, place, Loop.iteration());
  }

  private static void note(Shadow shadow, int index, Variable variable, int place, long iteration) {
    met(shadow, index, variable);
    uses(shadow, variable).read(place, iteration);
    shadow.readByName();
  }

  private static void met(Shadow shadow, int index, Variable variable) {
    if (variable != null) {
      shadow.variable(index, variable);
    }
    Shadows.found(shadow);
  }

  private static Uses uses(Shadow shadow, Variable variable) {
    return variable == null ? shadow.uses : variable.uses;
  }

  /** The program reads a reference to an array or to an object whose contents have shadows. */
  public static void follow(Shadow shadow, int index, Shadow target, Variable variable, int place) {
    int turn = Loop.now;
    int written = shadow.written(index);
    if (written >= turn) {
      return;
    }
    Live.follow(shadow, index, written > Loop.start(), variable);
    if (written > Loop.start()) {
      target.follow();
      if ((shadow.flags(index) & Shadow.READ) == 0) {
        shadow.flag(index, Shadow.READ);
        met(shadow, index, variable);
      }
      if (target.hash != shadow.initial(index) && (shadow.flags(index) & Shadow.CARRIED) == 0) {
        STEPS.add(
            new Step(shadow, index, target, turn, Loop.iteration(), Loop.isIterated() || turn - written > 1, variable, place));
      }
    }
    if (shadow.isFollowed() && shadow.usedTurn() != turn) {
      target.follow();
      STEPS.add(new Step(shadow, -1, target, turn, Loop.iteration(), true, variable, place));
    }
  }

  /**
   * The program writes.
   *
   * @param old the bits before
   * @param isChanged whether the value is another one than before
   * @param wasDefault whether the value before was one that often means "not there yet"
   * @param variable null: the location is an element
   */
  public static void write(Shadow shadow, int index, long old, boolean isChanged, boolean wasDefault, Variable variable,
      int place) {
    int turn = Loop.now;
    int before = shadow.written(index);
    if (before <= Loop.start() && (old != 0 || before > 0)) {
      shadow.initial(index, old);
    }
    shadow.written(index, turn);
    if (isChanged) {
      byte flags = shadow.flags(index);
      if ((flags & Shadow.VARIED) == 0) {
        boolean isFilled = wasDefault && before == -turn;
        shadow.flag(index, isFilled ? Shadow.VARIED : Shadow.VARIED | Shadow.NOT_ONCE);
        uses(shadow, variable).write(place);
      } else if ((flags & Shadow.NOT_ONCE) == 0) {
        shadow.flag(index, Shadow.NOT_ONCE);
      }
    }
  }

  /** The program writes a reference. */
  public static void refer(Shadow target) {
    target.follow();
  }

  /** A turn ends: a reference counts if something old was used through it. */
  public static void endTurn() {
    List<Step> left = new ArrayList<>(STEPS);
    STEPS.clear();
    for (boolean isMore = true; isMore;) {
      isMore = false;
      List<Step> others = new ArrayList<>();
      for (Step step : left) {
        if (step.target.usedTurn() < step.turn) {
          others.add(step);
          continue;
        }
        isMore = true;
        step.holder.used(step.turn);
        if (step.index >= 0) {
          if (step.isCertain) {
            step.holder.flag(step.index, Shadow.CARRIED);
          } else {
            step.holder.pend(step.index, step.turn);
          }
          note(step.holder, step.index, step.variable, step.place, step.iteration);
        }
      }
      left = others;
    }
  }

  /** Another program begins: for tests. */
  public static void reset() {
    STEPS.clear();
  }
}
