// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.protection;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The program's place for a protected item.
 *
 * @param get gives the value in it
 * @param set puts a restored value in it; null: the value stays, and a restore writes into it
 * @param holder the object that the body makes anew in a new beginning (an array, or the object with the field); null: not known
 */
public record Variable(Supplier<?> get, Consumer<Object> set, Object holder) {
  /** An array or a buffer that is protected itself. */
  public static Variable fixed(Object value) {
    return new Variable(() -> value, null, value);
  }

  /** A place that is read by a getter and written by a setter. */
  public static Variable of(Supplier<?> get, Consumer<Object> set) {
    return new Variable(get, set, null);
  }

  /** Whether its value is always the same object. */
  boolean isFixed() {
    return set == null;
  }

  /** The value in it, which may be null, and is of the type with which it was protected. */
  Object value(Class<?> type) {
    Object value = get.get();
    if (value != null && !type.isInstance(value)) {
      throw new IllegalStateException("it was " + type.getTypeName() + " when it was protected, and is "
          + value.getClass().getTypeName() + " now: a restore would make " + type.getTypeName());
    }
    return value;
  }

  /** As {@link #value}, and not null. */
  Object present(Class<?> type) {
    Object value = value(type);
    if (value == null) {
      throw new IllegalStateException("it is null, and only arrays and objects may be");
    }
    return value;
  }
}
