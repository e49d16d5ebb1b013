// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.calls;

import java.lang.reflect.Array;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.protection.Buffers;
import org.kintsugi.advice.internal.protection.Buffers.Range;
import org.kintsugi.advice.internal.shadow.Cells;
import org.kintsugi.advice.internal.shadow.Elements;
import org.kintsugi.advice.internal.shadow.Shadows;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;

/** Reads and writes of many elements at once. */
final class Ranges {
  private Ranges() {}

  /** A part of an array; of what is outside of it the call itself complains. */
  static Range of(Object array, int first, int count) {
    int length = array == null ? 0 : Array.getLength(array);
    int begin = Math.max(0, Math.min(first, length));
    return array == null ? null : new Range(Shadows.of(array), array, begin, Math.max(0, Math.min(count, length - begin)));
  }

  static Range of(Object array) {
    return array == null ? null : of(array, 0, Array.getLength(array));
  }

  static void read(Range range, int place) {
    if (range == null || Loop.now == 0) {
      return;
    }
    for (int i = range.first(); i < range.first() + range.count(); i++) {
      boolean isDefault = range.array() != null && Elements.isDefault(range.array(), i);
      Cells.read(range.shadow(), i, bits(range.array(), i), isDefault, null, place);
    }
  }

  /** The elements of a range as they are now; null in the prologue. */
  static Object copy(Range range) {
    if (range == null || Loop.now == 0 || range.array() == null) {
      return null;
    }
    Object copy = Array.newInstance(range.array().getClass().getComponentType(), range.count());
    System.arraycopy(range.array(), range.first(), copy, 0, range.count());
    return copy;
  }

  /**
   * All elements were written.
   *
   * @param before as {@link #copy} has made it; null: all are taken for changed
   */
  static void written(Range range, Object before, int place) {
    write(range, before, place, true);
  }

  /** The elements that differ were written. */
  static void differ(Range range, Object before, int place) {
    write(range, before, place, false);
  }

  private static void write(Range range, Object before, int place, boolean all) {
    if (range == null || Loop.now == 0) {
      return;
    }
    for (int i = 0; i < range.count(); i++) {
      int at = range.first() + i;
      boolean isChanged = before == null || !Elements.areSame(before, i, range.array(), at);
      if (all || isChanged) {
        Cells.write(range.shadow(), at, before == null ? 0 : bits(before, i), isChanged,
            before != null && Elements.isDefault(before, i), null, place);
      }
    }
  }

  /** An array that a call has made: its elements have been written now. */
  static void made(Object array, int place) {
    if (Loop.now > 0) {
      Range range = of(array);
      written(range, Array.newInstance(array.getClass().getComponentType(), range.count()), place);
    }
  }

  private static long bits(Object array, int index) {
    return array instanceof Object[] objects ? System.identityHashCode(objects[index]) : Elements.bits(array, index);
  }

  /** Memory outside of the heap, byte by byte. */
  static byte[] bytes(Buf buf) {
    byte[] bytes = new byte[(int) buf.bytes()];
    buf.as(Datatype.BYTE, bytes.length).get(0, bytes, 0, bytes.length);
    return bytes;
  }

  private static long bits(byte[] bytes, int first, int count) {
    long bits = 0;
    for (int i = first; i < Math.min(first + count, bytes.length); i++) {
      bits = bits << Byte.SIZE | bytes[i] & 0xff;
    }
    return bits;
  }

  static void read(Buf buf, int place) {
    if (buf != null && Loop.now > 0) {
      Range range = Buffers.of(buf);
      if (range.array() != null) {
        read(range, place);
      } else {
        byte[] bytes = bytes(buf);
        int size = Math.max(1, bytes.length / Math.max(1, range.count()));
        for (int i = 0; i < range.count(); i++) {
          Cells.read(range.shadow(), range.first() + i, bits(bytes, i * size, size), false, null, place);
        }
      }
      used(buf, range);
    }
  }

  /** What is old in the memory is old in the object that refers to it. */
  static void used(Buf buf, Range range) {
    if (range.shadow().usedTurn() == Loop.now) {
      Shadows.of(buf).used(Loop.now);
    }
  }

  /** The contents of a buffer, for {@link #written(Buf, Object, int)}. */
  static Object copy(Buf buf) {
    if (buf == null || Loop.now == 0) {
      return null;
    }
    Range range = Buffers.of(buf);
    return range.array() != null ? copy(range) : bytes(buf);
  }

  /** All of a buffer will be written, with values that are not known yet. */
  static void changed(Buf buf, Object before, int place) {
    if (buf == null || Loop.now == 0) {
      return;
    }
    Range range = Buffers.of(buf);
    for (int i = 0; i < range.count(); i++) {
      long old = range.array() != null ? bits(before, i) : 0;
      Cells.write(range.shadow(), range.first() + i, old, true, false, null, place);
    }
  }

  /** All of a buffer was written. */
  static void written(Buf buf, Object before, int place) {
    if (buf == null || Loop.now == 0) {
      return;
    }
    Range range = Buffers.of(buf);
    if (range.array() != null || before == null) {
      written(range, before, place);
      return;
    }
    byte[] old = (byte[]) before;
    byte[] now = bytes(buf);
    int size = Math.max(1, old.length / Math.max(1, range.count()));
    for (int i = 0; i < range.count(); i++) {
      boolean isChanged = false;
      boolean wasDefault = true;
      for (int k = i * size; k < Math.min((i + 1) * size, old.length); k++) {
        isChanged |= old[k] != now[k];
        wasDefault &= old[k] == 0;
      }
      Cells.write(range.shadow(), range.first() + i, bits(old, i * size, size), isChanged, wasDefault, null, place);
    }
  }
}
