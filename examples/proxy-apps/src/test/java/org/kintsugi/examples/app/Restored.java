// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.lang.reflect.Array;
import java.lang.reflect.Field;

/** The effect of a restore on an object, for tests without checkpoints: the named fields are as they were in another one. */
public final class Restored {
  private Restored() {}

  /** Puts fields of one object into another of the same class; arrays of {@code to} keep their place. */
  public static <T> T from(T saved, T to, String... fields) throws ReflectiveOperationException {
    for (String name : fields) {
      Field field = saved.getClass().getDeclaredField(name);
      field.setAccessible(true);
      if (field.getType().isArray()) {
        Object array = field.get(saved);
        System.arraycopy(array, 0, field.get(to), 0, Array.getLength(array));
      } else {
        field.set(to, field.get(saved));
      }
    }
    return to;
  }
}
