// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.kintsugi.checkpoint.internal.Protected;
import org.kintsugi.checkpoint.internal.ProtectedArray;
import org.kintsugi.checkpoint.internal.ProtectedField;
import org.kintsugi.checkpoint.internal.ProtectedObject;
import org.kintsugi.mpi.Buf;

/**
 * What belongs to a version, by name. Arrays, buffers and objects stay the program's own: a save reads them and a restore writes
 * into them. A name protected again is replaced; the order in which names come first is part of what is compared at a restore.
 */
abstract class Protection {
  private final Map<String, Protected> data = new LinkedHashMap<>();

  Protection() {}

  /** What is protected now, in its order. */
  Map<String, Protected> data() {
    return data;
  }

  /** Protects an array of {@code byte}; the array itself is written to by {@link Checkpoint#restore}. */
  public void protect(String name, byte[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /** Protects an array of {@code short}; the array itself is written to by {@link Checkpoint#restore}. */
  public void protect(String name, short[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /** Protects an array of {@code char}; the array itself is written to by {@link Checkpoint#restore}. */
  public void protect(String name, char[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /** Protects an array of {@code int}; the array itself is written to by {@link Checkpoint#restore}. */
  public void protect(String name, int[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /** Protects an array of {@code long}; the array itself is written to by {@link Checkpoint#restore}. */
  public void protect(String name, long[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /** Protects an array of {@code float}; the array itself is written to by {@link Checkpoint#restore}. */
  public void protect(String name, float[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /** Protects an array of {@code double}; the array itself is written to by {@link Checkpoint#restore}. */
  public void protect(String name, double[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /** Protects an array of {@code boolean}; the array itself is written to by {@link Checkpoint#restore}. */
  public void protect(String name, boolean[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /** Protects an array of rows of {@code byte}, of any lengths; rows may be exchanged for others of the same length. */
  public void protect(String name, byte[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /** Protects an array of rows of {@code short}, of any lengths; rows may be exchanged for others of the same length. */
  public void protect(String name, short[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /** Protects an array of rows of {@code char}, of any lengths; rows may be exchanged for others of the same length. */
  public void protect(String name, char[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /** Protects an array of rows of {@code int}, of any lengths; rows may be exchanged for others of the same length. */
  public void protect(String name, int[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /** Protects an array of rows of {@code long}, of any lengths; rows may be exchanged for others of the same length. */
  public void protect(String name, long[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /** Protects an array of rows of {@code float}, of any lengths; rows may be exchanged for others of the same length. */
  public void protect(String name, float[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /** Protects an array of rows of {@code double}, of any lengths; rows may be exchanged for others of the same length. */
  public void protect(String name, double[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /** Protects an array of rows of {@code boolean}, of any lengths; rows may be exchanged for others of the same length. */
  public void protect(String name, boolean[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /** Protects a buffer. It must stay open as long as it is protected. */
  public void protect(String name, Buf buf) {
    notNull(name, "buffer", buf);
    put(name, Protected.buf(() -> buf));
  }

  /** Protects a whole number, for instance a field: {@code protect("k", () -> k, value -> k = value)}. */
  public void protect(String name, LongSupplier get, LongConsumer set) {
    notNull(name, "getter", get);
    notNull(name, "setter", set);
    put(name, Protected.scalar("long", get, set));
  }

  /** Protects a floating-point number. */
  public void protectDouble(String name, DoubleSupplier get, DoubleConsumer set) {
    notNull(name, "getter", get);
    notNull(name, "setter", set);
    put(name, Protected.scalar("double", () -> Double.doubleToRawLongBits(get.getAsDouble()),
        bits -> set.accept(Double.longBitsToDouble(bits))));
  }

  /**
   * Protects an object that is serialized at each save: for the small stuff. Its length may differ from version to version.
   *
   * @param type what the object is; compared at a restore, and its class loader finds the classes
   * @param others classes of the objects that it may hold besides those that the type and its fields name, for instance of a
   *     list's elements. Text, numbers, times and collections of the JDK need not be named. A save and a restore throw for
   *     what is not, as to read an object runs code of its class, and anybody's file could name any
   */
  public <T extends Serializable> void protectObject(String name, Class<T> type, Supplier<? extends T> get,
      Consumer<? super T> set, Class<?>... others) {
    notNull(name, "type", type);
    notNull(name, "getter", get);
    notNull(name, "setter", set);
    put(name, new ProtectedObject(type, type, get, object -> set.accept(type.cast(object)), others));
  }

  /**
   * Protects the fields of an object that carry {@link Protect}, those of its superclasses too, under {@code name.field}. Scalar
   * fields and serializable objects are set by a restore, arrays and buffers are written into.
   *
   * @throws IllegalArgumentException if there is none, or one of a type that cannot be protected
   */
  public void protectFields(String name, Object holder) {
    Objects.requireNonNull(name, "name is null");
    notNull(name, "holder", holder);
    ProtectedField.of(holder).forEach((field, fieldData) -> put(name + "." + field, fieldData));
  }

  private static void notNull(String name, String what, Object value) {
    if (value == null) {
      throw new NullPointerException("the " + what + " of '" + name + "' is null");
    }
  }

  private void put(String name, Protected item) {
    Objects.requireNonNull(name, "name is null");
    if (name.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("the name '" + name + "' has a line break in it");
    }
    data.put(name, item);
  }
}
