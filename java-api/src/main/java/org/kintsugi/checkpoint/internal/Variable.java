// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Where the program has something that is protected.
 *
 * @param get gives what is there now
 * @param set puts what a restore has made there; null: what is there stays, and a restore writes into it
 * @param holder the object that the body makes anew if this is of a new beginning (an array, or the object with the field); null:
 *     nobody knows
 */
public record Variable(Supplier<?> get, Consumer<Object> set, Object holder) {
  /** An array or a buffer that is protected itself. */
  public static Variable fixed(Object value) {
    return new Variable(() -> value, null, value);
  }

  /** What a getter and a setter lead to. */
  public static Variable of(Supplier<?> get, Consumer<Object> set) {
    return new Variable(get, set, null);
  }

  /** Whether what is there now is there always. */
  boolean isFixed() {
    return set == null;
  }

  /** What is there now, which may be null, and is of the type that it was protected as. */
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
