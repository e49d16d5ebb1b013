// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.protection;

import java.lang.reflect.Array;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.kintsugi.mpi.internal.memory.Memory;

/**
 * An array of primitives with one or two dimensions. A restore makes arrays and rows of the saved lengths, and writes into the
 * present ones where they fit. Only an array that is protected itself cannot be replaced; its rows can.
 *
 * <p>In an image: only the elements if the array is fixed and has no rows, as its {@link #shape} has their number. Otherwise its
 * length (8 bytes) first, and that of each row (8 bytes each), then the elements; -1 stands for null.
 */
public final class ProtectedArray implements Protected {
  private static final long NULL = -1;
  /** The length written for a row that is the same array as an earlier one: this, less the number of the earlier row. */
  private static final long SAME_AS_FIRST = -2;
  private static final long WORD = Long.BYTES;

  private final Class<?> type;
  private final Variable variable;
  private final boolean hasRows;

  /** @param type the class of the array: {@link #accepts} says which there are */
  ProtectedArray(Class<?> type, Variable variable) {
    this.type = type;
    this.variable = variable;
    this.hasRows = type.getComponentType().isArray();
  }

  /** An array that is protected itself. */
  public static Protected of(String name, Object array) {
    if (array == null) {
      throw new NullPointerException("the array '" + name + "' is null");
    }
    return new ProtectedArray(array.getClass(), Variable.fixed(array));
  }

  /** Whether arrays of this class can be protected so. */
  static boolean accepts(Class<?> type) {
    Class<?> component = type.getComponentType();
    return component != null && (component.isPrimitive() || component.isArray() && component.getComponentType().isPrimitive());
  }

  private static int bytesOf(Class<?> primitive) {
    if (primitive == byte.class || primitive == boolean.class) {
      return 1;
    }
    if (primitive == short.class || primitive == char.class) {
      return 2;
    }
    return primitive == int.class || primitive == float.class ? 4 : 8;
  }

  private static long bytes(Object row) {
    return (long) bytesOf(row.getClass().getComponentType()) * Array.getLength(row);
  }

  @Override
  public String shape() {
    if (!variable.isFixed()) {
      return type.getTypeName() + " of any length";
    }
    int length = Array.getLength(variable.value(type));
    return hasRows ? length + " rows of any length, of " + type.getComponentType().getComponentType()
        : length + " x " + type.getComponentType();
  }

  @Override
  public void pieces(Pieces to) {
    Object array = variable.value(type);
    if (array == null) {
      to.add(NULL);
    } else if (hasRows) {
      addRows((Object[]) array, to);
    } else {
      if (!variable.isFixed()) {
        to.add(Array.getLength(array));
      }
      add(array, to);
    }
  }

  private static void addRows(Object[] rows, Pieces to) {
    long[] lengths = new long[1 + rows.length];
    lengths[0] = rows.length;
    Map<Object, Integer> firsts = new IdentityHashMap<>();
    for (int i = 0; i < rows.length; i++) {
      Integer first = rows[i] == null ? null : firsts.putIfAbsent(rows[i], i);
      lengths[1 + i] = rows[i] == null ? NULL : first == null ? Array.getLength(rows[i]) : SAME_AS_FIRST - first;
    }
    to.add(lengths);
    for (int i = 0; i < rows.length; i++) {
      if (lengths[1 + i] >= 0) {
        add(rows[i], to);
      }
    }
  }

  private static void add(Object row, Pieces to) {
    to.add(row, Memory.arrayBase(row.getClass()), bytes(row));
  }

  @Override
  public void claim(Set<Object> given) {
    if (variable.isFixed()) {
      given.add(variable.value(type));
    }
  }

  @Override
  public void readFrom(long address, long bytes, Set<Object> given) {
    Object before = variable.value(type);
    if (variable.isFixed() && !hasRows) {
      readRow(address, before);
      return;
    }
    Object array = variable.isFixed() ? before : fitting(before, type, Memory.getLong(address), given);
    if (array != null && hasRows) {
      readRows(address + WORD, (Object[]) before, (Object[]) array, given);
    } else if (array != null) {
      readRow(address + WORD, array);
    }
    if (!variable.isFixed()) {
      variable.set().accept(array);
    }
  }

  /** @param before whose rows are used where they fit; null if there are none, may be the same as {@code rows} */
  private void readRows(long lengths, Object[] before, Object[] rows, Set<Object> given) {
    long at = lengths + WORD * rows.length;
    for (int i = 0; i < rows.length; i++) {
      long length = Memory.getLong(lengths + WORD * i);
      if (length <= SAME_AS_FIRST) {
        rows[i] = rows[(int) (SAME_AS_FIRST - length)];
      } else {
        Object present = before != null && i < before.length ? before[i] : null;
        rows[i] = fitting(present, type.getComponentType(), length, given);
        at += rows[i] == null ? 0 : readRow(at, rows[i]);
      }
    }
  }

  /** The present array if it has that length and was not used for another row, otherwise a new one; null for {@link #NULL}. */
  private static Object fitting(Object present, Class<?> type, long length, Set<Object> given) {
    if (length == NULL) {
      return null;
    }
    if (present != null && Array.getLength(present) == length && given.add(present)) {
      return present;
    }
    return Array.newInstance(type.getComponentType(), Math.toIntExact(length));
  }

  /** Copies an image's bytes into an array. @return the number of bytes */
  private static long readRow(long address, Object row) {
    long bytes = bytes(row);
    Memory.copyOut(address, row, Memory.arrayBase(row.getClass()), bytes);
    return bytes;
  }

  @Override
  public Object holder() {
    return variable.holder();
  }
}
