// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.kintsugi.checkpoint.internal.protection.Protected;
import org.kintsugi.checkpoint.internal.protection.ProtectedArray;
import org.kintsugi.checkpoint.internal.protection.ProtectedBuf;
import org.kintsugi.checkpoint.internal.protection.ProtectedField;
import org.kintsugi.checkpoint.internal.protection.ProtectedObject;
import org.kintsugi.checkpoint.internal.protection.Variable;
import org.kintsugi.mpi.Buf;

/**
 * The data of a version, by name. Arrays, buffers and objects stay the program's own: a save reads them and a restore writes
 * into them. A name protected again is replaced; the order in which names come first is compared at a restore, too.
 *
 * <p>From the first restore or save of an epoch on, the names, their order, types, and fixed lengths must stay the same: the
 * next epoch will have protected the same when it restores. A save refuses other data.
 */
abstract class Protection {
  private final Map<String, Protected> data = new LinkedHashMap<>();

  Protection() {}

  /** The protected data, in order. */
  Map<String, Protected> data() {
    return data;
  }

  /**
   * Protects an array of {@code byte}, which keeps its length; {@link #protect(String, Supplier, Consumer)} is for others.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param array the elements; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, byte[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /**
   * Protects an array of {@code short}, which keeps its length; {@link #protect(String, Supplier, Consumer)} is for others.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param array the elements; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, short[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /**
   * Protects an array of {@code char}, which keeps its length; {@link #protect(String, Supplier, Consumer)} is for others.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param array the elements; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, char[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /**
   * Protects an array of {@code int}, which keeps its length; {@link #protect(String, Supplier, Consumer)} is for others.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param array the elements; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, int[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /**
   * Protects an array of {@code long}, which keeps its length; {@link #protect(String, Supplier, Consumer)} is for others.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param array the elements; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, long[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /**
   * Protects an array of {@code float}, which keeps its length; {@link #protect(String, Supplier, Consumer)} is for others.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param array the elements; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, float[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /**
   * Protects an array of {@code double}, which keeps its length; {@link #protect(String, Supplier, Consumer)} is for others.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param array the elements; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, double[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /**
   * Protects an array of {@code boolean}, which keeps its length; {@link #protect(String, Supplier, Consumer)} is for others.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param array the elements; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, boolean[] array) {
    put(name, ProtectedArray.of(name, array));
  }

  /**
   * Protects an array of rows of {@code byte}. It keeps its number of rows, which may be others of any lengths.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param rows the rows, any of which may be null; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, byte[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /**
   * Protects an array of rows of {@code short}. It keeps its number of rows, which may be others of any lengths.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param rows the rows, any of which may be null; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, short[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /**
   * Protects an array of rows of {@code char}. It keeps its number of rows, which may be others of any lengths.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param rows the rows, any of which may be null; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, char[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /**
   * Protects an array of rows of {@code int}. It keeps its number of rows, which may be others of any lengths.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param rows the rows, any of which may be null; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, int[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /**
   * Protects an array of rows of {@code long}. It keeps its number of rows, which may be others of any lengths.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param rows the rows, any of which may be null; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, long[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /**
   * Protects an array of rows of {@code float}. It keeps its number of rows, which may be others of any lengths.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param rows the rows, any of which may be null; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, float[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /**
   * Protects an array of rows of {@code double}. It keeps its number of rows, which may be others of any lengths.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param rows the rows, any of which may be null; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, double[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /**
   * Protects an array of rows of {@code boolean}. It keeps its number of rows, which may be others of any lengths.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param rows the rows, any of which may be null; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, boolean[][] rows) {
    put(name, ProtectedArray.of(name, rows));
  }

  /**
   * Protects a buffer, which keeps its length and must stay open while it is protected. For buffers
   * whose length changes, use {@link #protect(String, Supplier, Consumer)}.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param buf the elements; stays the program's
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public void protect(String name, Buf buf) {
    notNull(name, "buffer", buf);
    put(name, new ProtectedBuf(Variable.fixed(buf)));
  }

  /**
   * Protects a variable, with the value that it has at each save: an array of primitives or of rows of them, a {@link Buf}, a
   * number, a {@code boolean} or a {@code char}. {@code protect("cells", () -> cells, a -> cells = a)} is for data that grows
   * and shrinks: arrays, rows and buffers may have another length at every save and on every rank.
   *
   * <p>A restore makes arrays and rows of the saved lengths, or writes into the present ones if these have the right length
   * already; either way it passes the result to the setter. A {@code Buf} that has to be made is off-heap, and the program
   * closes it, and the one before. An array or a row may be null at a save, and then is null again. Two variables with the same
   * array get one each.
   *
   * @param <T> the type of the value
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param get gives the present value; called here as well, to learn its type, which cannot change
   * @param set takes a restored value
   * @throws IllegalArgumentException if it is null now, or of a type that cannot be protected so ({@link #protectObject} takes
   *     others); or if the name has a line break in it
   */
  public <T> void protect(String name, Supplier<T> get, Consumer<T> set) {
    notNull(name, "getter", get);
    notNull(name, "setter", set);
    T now = get.get();
    if (now == null) {
      throw new IllegalArgumentException(
          "'" + name + "' is null, and its type not known by that: protect it when it has its first "
              + "value, which may be an array of length 0");
    }
    @SuppressWarnings("unchecked") // Variable checks the class before every save, and a restore makes objects of that class
    Consumer<Object> takes = (Consumer<Object>) set;
    Protected item = Protected.of(now.getClass(), Variable.of(get, takes));
    if (item == null) {
      throw new IllegalArgumentException("'" + name + "' of type " + now.getClass().getTypeName() + " cannot be protected by a "
          + "getter and a setter alone: it is no array of primitives or of rows of them, no Buf and no number; protectObject "
          + "takes serializable objects");
    }
    put(name, item);
  }

  /**
   * A whole number that is protected: for one that would be a local variable of the body, which no lambda could change. It is
   * zero until it is set or restored.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @return the number, which the program sets and reads
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public LongRef longRef(String name) {
    LongRef number = new LongRef();
    put(name, Protected.of(long.class, new Variable(number::get, value -> number.set((Long) value), number)));
    return number;
  }

  /**
   * As {@link #longRef}, a floating-point number.
   *
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @return the number, which the program sets and reads
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public DoubleRef doubleRef(String name) {
    DoubleRef number = new DoubleRef();
    put(name, Protected.of(double.class, new Variable(number::get, value -> number.set((Double) value), number)));
    return number;
  }

  /**
   * Protects an object that is serialized at each save: for small data. Its length may differ from version to version.
   *
   * @param <T> the type of the object
   * @param name of the data in every version, without a line break; if it is protected already, it
   *     names this from now on
   * @param type the type of the object; compared at a restore
   * @param get gives the present object
   * @param set takes a restored object
   * @param others classes of the objects that it may hold besides those that the type and its fields name, for instance of a
   *     list's elements. Text, numbers, times and collections of the JDK need not be named. A save and a restore throw for other
   *     classes, because reading an object runs code of its class, and a forged file could name any class
   * @throws IllegalArgumentException if the name has a line break in it
   */
  public <T extends Serializable> void protectObject(String name, Class<T> type, Supplier<? extends T> get,
      Consumer<? super T> set, Class<?>... others) {
    notNull(name, "type", type);
    notNull(name, "getter", get);
    notNull(name, "setter", set);
    put(name, new ProtectedObject(type, type, Variable.of(get, object -> set.accept(type.cast(object))), others));
  }

  /**
   * Protects the fields of an object that carry {@link Protect}, those of its superclasses too, under {@code name.field}. Each
   * is protected as by {@link #protect(String, Supplier, Consumer)}: arrays and buffers may have another length at every save.
   * Those in final fields keep theirs.
   *
   * @param name the part before the dot; without a line break
   * @param holder the object; stays the program's
   * @throws IllegalArgumentException if no field carries {@link Protect}, if the type of a field
   *     cannot be protected, or if the name has a line break in it
   */
  public void protectFields(String name, Object holder) {
    Objects.requireNonNull(name, "name is null");
    notNull(name, "holder", holder);
    ProtectedField.of(holder, Protect.class).forEach((field, fieldData) -> put(name + "." + field, fieldData));
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
