// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.kintsugi.checkpoint.Protect;
import org.kintsugi.mpi.Buf;

/** The fields of an object that carry {@link Protect}. */
public final class ProtectedField {
  private final Object holder;
  private final Field field;

  private ProtectedField(Object holder, Field field) {
    this.holder = holder;
    this.field = field;
  }

  /** The annotated fields of an object's class and of those above it, by their names. */
  public static Map<String, Protected> of(Object holder) {
    Map<String, Protected> found = new LinkedHashMap<>();
    for (Class<?> type = holder.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.isAnnotationPresent(Protect.class)) {
          Protected data = new ProtectedField(holder, field).asProtected();
          if (found.put(field.getName(), data) != null) {
            throw new IllegalArgumentException("two protected fields of " + holder.getClass().getName() + " and its superclasses "
                + "are called " + field.getName() + ": rename one");
          }
        }
      }
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "no field of " + holder.getClass().getName() + " is annotated with @Protect: there is nothing to protect");
    }
    return found;
  }

  private Protected asProtected() {
    Class<?> type = field.getType();
    field.setAccessible(true);
    if (type.isPrimitive()) {
      refuseFinal();
      return Protected.scalar(type.getName(), () -> bits(get()), bits -> set(value(type, bits)));
    }
    if (type == Buf.class) {
      notNull(get());
      return Protected.buf(() -> (Buf) notNull(get()));
    }
    if (ProtectedArray.accepts(type)) {
      notNull(get());
      return new ProtectedArray(() -> notNull(get()));
    }
    if (Serializable.class.isAssignableFrom(type)) {
      refuseFinal();
      return new ProtectedObject(type, field.getGenericType(), this::get, this::set);
    }
    throw new IllegalArgumentException("the field " + name() + " of type " + type.getName()
        + " cannot be protected: it is no array of primitives, no scalar, no Buf and not serializable");
  }

  private String name() {
    return field.getDeclaringClass().getName() + "." + field.getName();
  }

  private void refuseFinal() {
    if (Modifier.isFinal(field.getModifiers())) {
      throw new IllegalArgumentException("the protected field " + name() + " is final: a restore could not set it");
    }
  }

  private Object notNull(Object value) {
    if (value == null) {
      throw new IllegalArgumentException("the protected field " + name() + " is null: protect it when it has its value");
    }
    return value;
  }

  private Object get() {
    try {
      return field.get(holder);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(name() + " cannot be read", e);
    }
  }

  private void set(Object value) {
    try {
      field.set(holder, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(name() + " cannot be set", e);
    }
  }

  private static long bits(Object value) {
    if (value instanceof Double) {
      return Double.doubleToRawLongBits((Double) value);
    }
    if (value instanceof Float) {
      return Float.floatToRawIntBits((Float) value);
    }
    if (value instanceof Boolean) {
      return (Boolean) value ? 1 : 0;
    }
    return value instanceof Character ? (Character) value : ((Number) value).longValue();
  }

  private static Object value(Class<?> type, long bits) {
    switch (type.getName()) {
      case "double":
        return Double.longBitsToDouble(bits);
      case "float":
        return Float.intBitsToFloat((int) bits);
      case "boolean":
        return bits != 0;
      case "char":
        return (char) bits;
      case "byte":
        return (byte) bits;
      case "short":
        return (short) bits;
      case "int":
        return (int) bits;
      default:
        return bits;
    }
  }
}
