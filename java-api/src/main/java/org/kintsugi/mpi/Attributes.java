// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.LinkedHashMap;
import java.util.Map;

/** The objects kept with one communicator. */
final class Attributes {
  private final Map<Attribute<?>, Object> values = new LinkedHashMap<>();

  synchronized Object get(Attribute<?> key) {
    return values.get(key);
  }

  synchronized void put(Attribute<?> key, Object value) {
    Object old = value == null ? values.remove(key) : values.put(key, value);
    if (old != null) {
      key.deleted(old);
    }
  }

  synchronized Attributes copied() {
    Attributes copies = new Attributes();
    values.forEach((key, value) -> {
      Object copy = key.copied(value);
      if (copy != null) {
        copies.values.put(key, copy);
      }
    });
    return copies;
  }

  synchronized void delete() {
    Map<Attribute<?>, Object> gone = new LinkedHashMap<>(values);
    values.clear();
    gone.forEach(Attribute::deleted);
  }
}
