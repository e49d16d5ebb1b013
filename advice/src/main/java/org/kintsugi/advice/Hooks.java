// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice;

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
import org.kintsugi.advice.internal.shadow.LocalFrame;
import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;

/**
 * What instrumented code calls. Each method gets the numbers of places and variables that {@link Program} has.
 *
 * <p>None throws where the program's own instruction does not: what the program does is left to its own instruction, except
 * that a store into an array is done here.
 */
public final class Hooks {
  private Hooks() {}

  private static boolean isOutside() {
    return Loop.now == 0 && Items.saving == null;
  }

  private static boolean isSaving() {
    return Items.saving != null && Items.saving == Thread.currentThread();
  }

  // The loop.

  /** Control is at the begin of a loop that contains the call of {@code run.iteration}. */
  public static void head() {
    if (Loop.head()) {
      turn(Loop.number());
    }
  }

  /** The program calls {@code run.iteration}. */
  public static void iteration(long iteration) {
    Items.ends();
    Report.requireMore(iteration);
    long ended = Loop.number();
    if (Loop.iteration(iteration)) {
      turn(ended);
    }
  }

  private static void turn(long ended) {
    Cells.endTurn();
    Repetition.endTurn(ended);
    Opaque.endTurn();
    Items.cover();
  }

  /** An exception leaves the method with the loop. */
  public static void thrown(Throwable exception) {
    Repetition.abandon();
    Report.thrown(exception);
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

  // Elements of arrays.

  /** The program reads an element. */
  public static void load(double[] array, int index, int place) {
    if (!isOutside() && array != null && index >= 0 && index < array.length) {
      read(array, index, Double.doubleToRawLongBits(array[index]), Elements.isDefault(array[index]), place);
    }
  }

  /** The program writes an element. */
  public static void store(double[] array, int index, double value, int place) {
    if (Loop.now > 0 && array != null && index >= 0 && index < array.length) {
      double old = array[index];
      double now = value;
      write(array, index, Double.doubleToRawLongBits(old), Double.doubleToRawLongBits(now) != Double.doubleToRawLongBits(old), Elements.isDefault(old), place);
    }
    array[index] = value;
  }

  /** The program reads an element. */
  public static void load(float[] array, int index, int place) {
    if (!isOutside() && array != null && index >= 0 && index < array.length) {
      read(array, index, Float.floatToRawIntBits(array[index]), Elements.isDefault(array[index]), place);
    }
  }

  /** The program writes an element. */
  public static void store(float[] array, int index, float value, int place) {
    if (Loop.now > 0 && array != null && index >= 0 && index < array.length) {
      float old = array[index];
      float now = value;
      write(array, index, Float.floatToRawIntBits(old), Float.floatToRawIntBits(now) != Float.floatToRawIntBits(old), Elements.isDefault(old), place);
    }
    array[index] = value;
  }

  /** The program reads an element. */
  public static void load(long[] array, int index, int place) {
    if (!isOutside() && array != null && index >= 0 && index < array.length) {
      read(array, index, array[index], Elements.isDefault(array[index]), place);
    }
  }

  /** The program writes an element. */
  public static void store(long[] array, int index, long value, int place) {
    if (Loop.now > 0 && array != null && index >= 0 && index < array.length) {
      long old = array[index];
      long now = value;
      write(array, index, old, now != old, Elements.isDefault(old), place);
    }
    array[index] = value;
  }

  /** The program reads an element. */
  public static void load(int[] array, int index, int place) {
    if (!isOutside() && array != null && index >= 0 && index < array.length) {
      read(array, index, array[index], Elements.isDefault((long) array[index]), place);
    }
  }

  /** The program writes an element. */
  public static void store(int[] array, int index, int value, int place) {
    if (Loop.now > 0 && array != null && index >= 0 && index < array.length) {
      int old = array[index];
      int now = value;
      write(array, index, old, now != old, Elements.isDefault((long) old), place);
    }
    array[index] = value;
  }

  /** The program reads an element. */
  public static void load(char[] array, int index, int place) {
    if (!isOutside() && array != null && index >= 0 && index < array.length) {
      read(array, index, array[index], Elements.isDefault((long) array[index]), place);
    }
  }

  /** The program writes an element. */
  public static void store(char[] array, int index, int value, int place) {
    if (Loop.now > 0 && array != null && index >= 0 && index < array.length) {
      char old = array[index];
      char now = (char) value;
      write(array, index, old, now != old, Elements.isDefault((long) old), place);
    }
    array[index] = (char) value;
  }

  /** The program reads an element. */
  public static void load(short[] array, int index, int place) {
    if (!isOutside() && array != null && index >= 0 && index < array.length) {
      read(array, index, array[index], Elements.isDefault((long) array[index]), place);
    }
  }

  /** The program writes an element. */
  public static void store(short[] array, int index, int value, int place) {
    if (Loop.now > 0 && array != null && index >= 0 && index < array.length) {
      short old = array[index];
      short now = (short) value;
      write(array, index, old, now != old, Elements.isDefault((long) old), place);
    }
    array[index] = (short) value;
  }

  /** The program reads an element of an array of bytes or of truth values. */
  public static void load(Object array, int index, int place) {
    if (!isOutside() && array != null) {
      boolean isDefault = array instanceof byte[] bytes && index >= 0 && index < bytes.length && Elements.isDefault((long) bytes[index]);
      int length = array instanceof byte[] bytes ? bytes.length : ((boolean[]) array).length;
      if (index >= 0 && index < length) {
        read(array, index, Elements.bits(array, index), isDefault, place);
      }
    }
  }

  /** The program writes an element of an array of bytes or of truth values. */
  public static void store(Object array, int index, int value, int place) {
    if (array instanceof boolean[] booleans) {
      boolean now = (value & 1) != 0;
      if (Loop.now > 0 && index >= 0 && index < booleans.length) {
        write(array, index, booleans[index] ? 1 : 0, now != booleans[index], false, place);
      }
      booleans[index] = now;
      return;
    }
    byte[] bytes = (byte[]) array;
    if (Loop.now > 0 && bytes != null && index >= 0 && index < bytes.length) {
      write(array, index, bytes[index], (byte) value != bytes[index], Elements.isDefault((long) bytes[index]), place);
    }
    bytes[index] = (byte) value;
  }

  /** The program reads a reference in an array. */
  public static void load(Object[] array, int index, int place) {
    if (isOutside() || array == null || index < 0 || index >= array.length) {
      return;
    }
    if (isSaving()) {
      Items.read(array);
      return;
    }
    if (Loop.now == 0) {
      return;
    }
    Shadow shadow = Shadows.of(array);
    Object value = array[index];
    Shadow target = target(value);
    if (target == null) {
      Cells.read(shadow, index, bits(value), value == null, null, place);
    } else {
      if (target.names().isEmpty()) {
        target.namedAsRowOf(shadow);
      }
      Cells.follow(shadow, index, target, null, place);
    }
  }

  /** The program writes a reference into an array. */
  public static void store(Object[] array, int index, Object value, int place) {
    boolean isTracked = Loop.now > 0 && !isSaving() && array != null && index >= 0 && index < array.length;
    Object old = isTracked ? array[index] : null;
    array[index] = value; // which may throw
    if (isTracked) {
      Cells.write(Shadows.of(array), index, bits(old), areDifferent(value, old), old == null, null, place);
      refer(value);
    }
  }

  private static void read(Object array, int index, long bits, boolean isDefault, int place) {
    if (isSaving()) {
      Items.read(array);
    } else if (Loop.now > 0) {
      Cells.read(Shadows.of(array), index, bits, isDefault, null, place);
    }
  }

  private static void write(Object array, int index, long old, boolean isChanged, boolean wasDefault, int place) {
    if (!isSaving()) {
      Cells.write(Shadows.of(array), index, old, isChanged, wasDefault, null, place);
    }
  }

  // References.

  /** The shadow of what a reference leads to; null: its value counts as that of a number does. */
  private static Shadow target(Object value) {
    if (value == null) {
      return null;
    }
    return switch (Kind.of(value)) {
      case VALUE, KINTSUGI -> null;
      default -> Shadows.of(value);
    };
  }

  /** The bits of a reference: those of its value if it has one, else its identity. */
  private static long bits(Object value) {
    boolean isNumber = value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof Character;
    return value == null ? 0 : isNumber && Kind.of(value) == Kind.VALUE ? value.hashCode() + 1L : System.identityHashCode(value);
  }

  private static void refer(Object value) {
    Shadow target = target(value);
    if (target != null) {
      Cells.refer(target);
    }
  }

  private static boolean areDifferent(Object one, Object other) {
    return one != other && !(one != null && other != null && Kind.of(one) == Kind.VALUE && one.equals(other));
  }

  private static void name(Object value, Variable variable) {
    if (value != null && (Kind.of(value) == Kind.ARRAY || Kind.of(value) == Kind.OPAQUE || Kind.of(value) == Kind.BUFFER
        || Kind.of(value) == Kind.KINTSUGI)) {
      Shadows.of(value).named(variable, 0);
    }
  }

  // Fields.

  private static Shadow shadow(Object holder, Variable variable) {
    return variable.kind == Variable.Kind.STATIC ? Shadows.of(variable) : Shadows.of(holder);
  }

  private static int slot(Variable variable) {
    return variable.kind == Variable.Kind.STATIC ? 0 : variable.slot;
  }

  private static void getField(Object holder, long bits, boolean isDefault, int number, int place) {
    Variable variable = Program.variable(number);
    if (isSaving()) {
      Items.read(holder, variable);
    } else if (Loop.now > 0) {
      Cells.read(shadow(holder, variable), slot(variable), bits, isDefault, variable, place);
    }
  }

  private static void count(Object holder, long value, boolean isDefault, int number, int place) {
    Variable variable = Program.variable(number);
    if (isSaving()) {
      Items.read(holder, variable);
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
      putField(holder, Double.doubleToRawLongBits(old), Double.doubleToRawLongBits(value) != Double.doubleToRawLongBits(old), Elements.isDefault(old), variable, place);
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
      putField(holder, Float.floatToRawIntBits(old), Float.floatToRawIntBits(value) != Float.floatToRawIntBits(old), Elements.isDefault(old), variable, place);
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
      Cells.read(shadow(holder, variable), slot(variable), bits(value), value == null, variable, place);
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
      Cells.read(frame.shadow, variable.slot, bits(value), value == null, variable, place);
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
