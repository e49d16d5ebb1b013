// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.kintsugi.mpi.internal.Memory;

/**
 * An array of primitives with one or two dimensions. The rows of a two-dimensional one are looked up when it is saved or
 * restored: a program may exchange them for others of the same length.
 */
public final class ProtectedArray implements Protected {
  private final Supplier<?> array;

  /** @param array gives the array of primitives, or of such arrays, whenever it is asked */
  ProtectedArray(Supplier<?> array) {
    this.array = array;
  }

  public static Protected of(String name, Object array) {
    if (array == null) {
      throw new NullPointerException("the array '" + name + "' is null");
    }
    return new ProtectedArray(() -> array);
  }

  /** Whether the class is one that can be protected so. */
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

  private boolean hasRows() {
    return array.get() instanceof Object[];
  }

  private Object[] rows() {
    Object[] rows = hasRows() ? (Object[]) array.get() : new Object[] {array.get()};
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] == null) {
        throw new IllegalArgumentException("row " + i + " is null: all rows have to be there when it is saved or restored");
      }
    }
    return rows;
  }

  @Override
  public String shape() {
    Class<?> component = array.get().getClass().getComponentType();
    if (!hasRows()) {
      return Array.getLength(array.get()) + " x " + component;
    }
    Class<?> element = component.getComponentType();
    int[] lengths = Arrays.stream(rows()).mapToInt(Array::getLength).toArray();
    if (Arrays.stream(lengths).distinct().count() <= 1) {
      return lengths.length + " rows of " + (lengths.length == 0 ? 0 : lengths[0]) + " x " + element;
    }
    return "rows of " + Arrays.stream(lengths).mapToObj(String::valueOf).collect(Collectors.joining(", ")) + " x " + element;
  }

  private long bytes(Object row) {
    return (long) bytesOf(row.getClass().getComponentType()) * Array.getLength(row);
  }

  @Override
  public void pieces(Pieces to) {
    for (Object row : rows()) {
      to.add(row, Memory.arrayBase(row.getClass()), bytes(row));
    }
  }

  @Override
  public Object holder() {
    return array.get();
  }

  @Override
  public void readFrom(long address, long bytes) {
    long at = address;
    for (Object row : rows()) {
      Memory.copyOut(at, row, Memory.arrayBase(row.getClass()), bytes(row));
      at += bytes(row);
    }
  }
}
