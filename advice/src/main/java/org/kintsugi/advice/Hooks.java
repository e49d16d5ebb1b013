// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice;

import static org.kintsugi.advice.References.areDifferent;
import static org.kintsugi.advice.References.bits;
import static org.kintsugi.advice.References.comparable;
import static org.kintsugi.advice.References.isOutside;
import static org.kintsugi.advice.References.isSaving;
import static org.kintsugi.advice.References.name;
import static org.kintsugi.advice.References.refer;
import static org.kintsugi.advice.References.target;

import org.kintsugi.advice.internal.calls.Calls;
import org.kintsugi.advice.internal.code.Allocation;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.code.Program;
import org.kintsugi.advice.internal.code.Variable;
import org.kintsugi.advice.internal.findings.Repetition;
import org.kintsugi.advice.internal.findings.Report;
import org.kintsugi.advice.internal.objects.Kind;
import org.kintsugi.advice.internal.objects.Opaque;
import org.kintsugi.advice.internal.protection.Items;
import org.kintsugi.advice.internal.shadow.Cells;
import org.kintsugi.advice.internal.shadow.Elements;
import org.kintsugi.advice.internal.shadow.Live;
import org.kintsugi.advice.internal.shadow.LocalFrame;
import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;

/**
 * What instrumented code calls. Each method gets the numbers of places and variables that {@link Program} has.
 *
 * <p>None throws where the program's own instruction does not: what the program does is left to its own instruction.
 */
public final class Hooks {
  private Hooks() {}

  // The loop.

  /** Control is at the begin of a loop that contains the call of {@code run.iteration}. */
  public static void head() {
    if (Loop.head()) {
      turn(Loop.number());
    }
  }

  /** The program calls {@code run.iteration}. */
  public static void iteration(long iteration, int place) {
    Items.ends();
    Report.requireMore(iteration);
    long ended = Loop.number();
    if (Loop.iteration(iteration, Program.place(place))) {
      turn(ended);
    }
  }

  private static void turn(long ended) {
    Cells.endTurn();
    Repetition.endTurn(ended);
    Opaque.endTurn();
    Items.cover();
  }

  /** The program calls {@code Reinit.run} or {@code Reinit.call}. */
  public static void runs() {
    if (Loop.now > 0) {
      turn(Loop.isIterated() ? Loop.number() : -1);
      Loop.begins();
    }
  }

  /** An exception leaves the method with the loop. */
  public static void thrown(Throwable exception) {
    Repetition.abandon();
    Report.thrown(exception);
    if (Live.isWanted()) {
      Loop.isLeft();
    }
  }

  // Calls.

  /** A method begins whose local variables are tracked. */
  public static LocalFrame enter(int variables) {
    return new LocalFrame(variables);
  }

  /** A call of a method that is not instrumented begins. */
  public static Object before(int call, Object[] arguments) {
    return Calls.before(call, arguments);
  }

  /** The call has returned an object. */
  public static void after(Object begun, Object result) {
    Calls.after(begun, result);
  }

  /** The call has returned a truth value. */
  public static void after(Object begun, boolean result) {
    Calls.after(begun, result);
  }

  /** The call has returned another value, or none. */
  public static void after(Object begun) {
    Calls.after(begun, Boolean.TRUE);
  }

  /** A method reference takes an object of a class that is not instrumented: the program may call it at any time. */
  public static void captured(Object object, int place) {
    if (object != null && !isSaving() && Kind.of(object) == Kind.OPAQUE) {
      Opaque.of(object).use("captured", new Object[] {object}, place);
    }
  }

  /** A class begins to initialise itself. What it writes is there before the loop, whenever that is. */
  public static Object initialises() {
    Thread before = Items.saving;
    Items.saving = Thread.currentThread();
    return before;
  }

  /** A class has initialised itself. */
  public static void initialised(Object before) {
    Items.saving = (Thread) before;
  }

  /** The program has made an array, or an object of a class that is not instrumented. */
  public static void made(Object object, int allocation) {
    Allocation place = Program.allocation(allocation);
    if (Kind.of(object) == Kind.OPAQUE) {
      Opaque.of(object).made();
    } else if (Kind.of(object) != Kind.ARRAY && Kind.of(object) != Kind.KINTSUGI) {
      return;
    }
    Shadows.of(object).madeBy(place);
  }

  // Fields.

  private static Shadow shadow(Object holder, Variable variable) {
    if (variable.kind == Variable.Kind.STATIC) {
      return Shadows.of(variable);
    }
    variable.heldBy(holder);
    return Shadows.of(holder);
  }

  private static int slot(Variable variable) {
    return variable.kind == Variable.Kind.STATIC ? 0 : variable.slot;
  }

  private static void getField(Object holder, long bits, boolean isDefault, int number, int place) {
    Variable variable = Program.variable(number);
    if (isSaving()) {
      Items.read(holder, variable, bits);
    } else if (Loop.now > 0) {
      Cells.read(shadow(holder, variable), slot(variable), bits, isDefault, variable, place);
    }
  }

  private static void count(Object holder, long value, boolean isDefault, int number, int place) {
    Variable variable = Program.variable(number);
    if (isSaving()) {
      Items.read(holder, variable, value);
    } else if (Loop.now > 0 && Cells.read(shadow(holder, variable), slot(variable), value, isDefault, variable, place)) {
      variable.compare(value, Loop.now);
    }
  }

  private static void putField(Object holder, long old, boolean isChanged, boolean wasDefault, int number, int place) {
    if (!isSaving()) {
      Variable variable = Program.variable(number);
      Cells.write(shadow(holder, variable), slot(variable), old, isChanged, wasDefault, variable, place);
    }
  }

  /** The program reads a field; the holder of a static field is null. */
  public static void get(Object holder, double value, int variable, int place) {
    if (!isOutside()) {
      getField(holder, Double.doubleToRawLongBits(value), Elements.isDefault(value), variable, place);
    }
  }

  /** The program is about to write a field. */
  public static void put(Object holder, double old, double value, int variable, int place) {
    if (Loop.now > 0) {
      putField(holder, Double.doubleToRawLongBits(old), Double.doubleToRawLongBits(value) != Double.doubleToRawLongBits(old),
          Elements.isDefault(old), variable, place);
    }
  }

  /** The program reads a field; the holder of a static field is null. */
  public static void get(Object holder, float value, int variable, int place) {
    if (!isOutside()) {
      getField(holder, Float.floatToRawIntBits(value), Elements.isDefault(value), variable, place);
    }
  }

  /** The program is about to write a field. */
  public static void put(Object holder, float old, float value, int variable, int place) {
    if (Loop.now > 0) {
      putField(holder, Float.floatToRawIntBits(old), Float.floatToRawIntBits(value) != Float.floatToRawIntBits(old),
          Elements.isDefault(old), variable, place);
    }
  }

  /** The program reads a field; the holder of a static field is null. */
  public static void get(Object holder, long value, int variable, int place) {
    if (!isOutside()) {
      count(holder, value, Elements.isDefault(value), variable, place);
    }
  }

  /** The program is about to write a field. */
  public static void put(Object holder, long old, long value, int variable, int place) {
    if (Loop.now > 0) {
      putField(holder, old, value != old, Elements.isDefault(old), variable, place);
    }
  }

  /** The program reads a field; the holder of a static field is null. */
  public static void get(Object holder, int value, int variable, int place) {
    if (!isOutside()) {
      count(holder, value, Elements.isDefault((long) value), variable, place);
    }
  }

  /** The program is about to write a field. */
  public static void put(Object holder, int old, int value, int variable, int place) {
    if (Loop.now > 0) {
      putField(holder, old, value != old, Elements.isDefault((long) old), variable, place);
    }
  }

  /** The program reads a truth value in a field. */
  public static void get(Object holder, boolean value, int variable, int place) {
    if (!isOutside()) {
      getField(holder, value ? 1 : 0, false, variable, place);
    }
  }

  /** The program is about to write a truth value into a field. */
  public static void put(Object holder, boolean old, boolean value, int variable, int place) {
    if (Loop.now > 0) {
      putField(holder, old ? 1 : 0, value != old, false, variable, place);
    }
  }

  /** The program reads a reference in a field. */
  public static void get(Object holder, Object value, int number, int place) {
    if (isOutside()) {
      return;
    }
    Variable variable = Program.variable(number);
    name(value, variable);
    if (isSaving()) {
      Items.read(holder, variable);
      return;
    }
    if (Loop.now == 0) {
      return;
    }
    Shadow target = target(value);
    if (target == null) {
      Cells.read(shadow(holder, variable), slot(variable), bits(value), comparable(value), value == null, variable, place);
    } else {
      Cells.follow(shadow(holder, variable), slot(variable), target, variable, place);
    }
  }

  /** The program is about to write a reference into a field. */
  public static void put(Object holder, Object old, Object value, int number, int place) {
    if (Loop.now > 0 && !isSaving()) {
      Variable variable = Program.variable(number);
      Cells.write(shadow(holder, variable), slot(variable), bits(old), areDifferent(value, old), old == null, variable, place);
      refer(value);
    }
  }

  // Local variables of methods with the loop.

  private static boolean isCarried(LocalFrame frame, long bits, Variable variable, int place) {
    return Loop.now > 0 && !isSaving() && Cells.read(frame.shadow, variable.slot, bits, false, variable, place);
  }

  private static void set(LocalFrame frame, long value, int number, int place) {
    Variable variable = Program.variable(number);
    long old = frame.set(variable.slot, value, Items.hasRestored());
    if (Loop.now > 0 && !isSaving()) {
      Cells.write(frame.shadow, variable.slot, old, value != old, false, variable, place);
    }
  }

  /** The program reads a local variable. */
  public static void load(double value, LocalFrame frame, int number, int place) {
    isCarried(frame, Double.doubleToRawLongBits(value), Program.variable(number), place);
  }

  /** The program writes a local variable. */
  public static void store(double value, LocalFrame frame, int number, int place) {
    set(frame, Double.doubleToRawLongBits(value), number, place);
  }

  /** The program reads a local variable. */
  public static void load(float value, LocalFrame frame, int number, int place) {
    isCarried(frame, Float.floatToRawIntBits(value), Program.variable(number), place);
  }

  /** The program writes a local variable. */
  public static void store(float value, LocalFrame frame, int number, int place) {
    set(frame, Float.floatToRawIntBits(value), number, place);
  }

  /** The program reads a local variable. */
  public static void load(long value, LocalFrame frame, int number, int place) {
    Variable variable = Program.variable(number);
    if (isCarried(frame, value, variable, place)) {
      if (frame.isRestored(variable.slot)) {
        variable.compare(value, Loop.now);
      } else {
        variable.unrestored();
      }
    }
  }

  /** The program writes a local variable. */
  public static void store(long value, LocalFrame frame, int number, int place) {
    set(frame, value, number, place);
  }

  /** The program reads a local variable. */
  public static void load(int value, LocalFrame frame, int number, int place) {
    load((long) value, frame, number, place);
  }

  /** The program writes a local variable. */
  public static void store(int value, LocalFrame frame, int number, int place) {
    set(frame, value, number, place);
  }

  /** The program reads a reference in a local variable. */
  public static void load(Object value, LocalFrame frame, int number, int place) {
    Variable variable = Program.variable(number);
    name(value, variable);
    if (Loop.now == 0 || isSaving()) {
      return;
    }
    Shadow target = target(value);
    if (target == null) {
      Cells.read(frame.shadow, variable.slot, bits(value), comparable(value), value == null, variable, place);
    } else {
      Cells.follow(frame.shadow, variable.slot, target, variable, place);
    }
  }

  /** The program writes a reference into a local variable. */
  public static void store(Object value, LocalFrame frame, int number, int place) {
    Variable variable = Program.variable(number);
    Object old = frame.set(variable.slot, value);
    name(value, variable);
    if (Loop.now > 0 && !isSaving()) {
      Cells.write(frame.shadow, variable.slot, bits(old), areDifferent(value, old), old == null, variable, place);
      refer(value);
    }
  }
}
