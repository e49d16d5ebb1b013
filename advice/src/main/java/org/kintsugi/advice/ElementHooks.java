// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice;

import static org.kintsugi.advice.References.areDifferent;
import static org.kintsugi.advice.References.bits;
import static org.kintsugi.advice.References.comparable;
import static org.kintsugi.advice.References.isOutside;
import static org.kintsugi.advice.References.isSaving;
import static org.kintsugi.advice.References.refer;
import static org.kintsugi.advice.References.target;

import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.protection.Items;
import org.kintsugi.advice.internal.shadow.Cells;
import org.kintsugi.advice.internal.shadow.Elements;
import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;

/** What instrumented code calls where it reads and writes elements of arrays. A store is done here. */
public final class ElementHooks {
  private ElementHooks() {}

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
      write(array, index, Double.doubleToRawLongBits(old), Double.doubleToRawLongBits(now) != Double.doubleToRawLongBits(old),
          Elements.isDefault(old), place);
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
      write(array, index, Float.floatToRawIntBits(old), Float.floatToRawIntBits(now) != Float.floatToRawIntBits(old),
          Elements.isDefault(old), place);
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
      boolean isDefault =
          array instanceof byte[] bytes && index >= 0 && index < bytes.length && Elements.isDefault((long) bytes[index]);
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
      Cells.read(shadow, index, bits(value), comparable(value), value == null, null, place);
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
}
