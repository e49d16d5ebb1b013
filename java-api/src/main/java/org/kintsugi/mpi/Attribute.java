// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A key under which a library keeps an object with a communicator: {@link Comm#attribute}. It
 * corresponds to {@code MPI_Comm_create_keyval} and callbacks in C: {@link Comm#dup()} may copy the
 * object, and closing the communicator deletes it. Raw bindings do not see it.
 *
 * @param <T> the type of the objects
 */
public final class Attribute<T> {
  private final UnaryOperator<T> copy;
  private final Consumer<T> delete;

  private Attribute(UnaryOperator<T> copy, Consumer<T> delete) {
    this.copy = copy;
    this.delete = delete;
  }

  /**
   * Makes a key whose object is not copied to duplicates. {@code MPI_COMM_NULL_COPY_FN}.
   *
   * @param <T> the type of the objects
   * @return a new key, equal to no other
   */
  public static <T> Attribute<T> create() {
    return new Attribute<>(value -> null, value -> {});
  }

  /**
   * Makes a key with functions of the caller.
   *
   * @param <T> the type of the objects
   * @param copy makes the duplicate's object; null: the duplicate gets none. {@code value -> value} is {@code MPI_COMM_DUP_FN}
   * @param delete called when the object is replaced or removed, or its communicator closed; not when a communicator ends with
   *     its epoch in a rollback
   * @return a new key, equal to no other
   * @throws NullPointerException if one of the functions is null
   */
  public static <T> Attribute<T> create(UnaryOperator<T> copy, Consumer<T> delete) {
    if (copy == null || delete == null) {
      throw new NullPointerException(copy == null ? "copy is null" : "delete is null");
    }
    return new Attribute<>(copy, delete);
  }

  @SuppressWarnings("unchecked") // Attributes puts in only what this key's type allows
  Object copied(Object value) {
    return copy.apply((T) value);
  }

  @SuppressWarnings("unchecked") // see above
  void deleted(Object value) {
    delete.accept((T) value);
  }
}
