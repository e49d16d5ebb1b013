// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.protection;

import java.io.Serializable;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.kintsugi.mpi.Buf;

/** The fields of an object that are annotated as protected. */
public final class ProtectedField {
  private final Object holder;
  private final Field field;

  private ProtectedField(Object holder, Field field) {
    this.holder = holder;
    this.field = field;
  }

  /** The fields with this annotation of an object's class and of those above it, by their names. */
  public static Map<String, Protected> of(Object holder, Class<? extends Annotation> mark) {
    Map<String, Protected> found = new LinkedHashMap<>();
    for (Class<?> type = holder.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.isAnnotationPresent(mark)) {
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
    boolean isFinal = Modifier.isFinal(field.getModifiers());
    Variable variable = new Variable(this::get, isFinal ? null : this::set, isFinal ? get() : owner());
    if (type == Buf.class || isFinal && ProtectedArray.accepts(type)) {
      refuseNull();
    } else if (isFinal && (type.isPrimitive() || isObject(type))) {
      throw new IllegalArgumentException("the protected field " + name() + " is final: a restore could not set it");
    }
    if (isObject(type)) {
      return new ProtectedObject(type, field.getGenericType(), variable);
    }
    Protected data = Protected.of(type, variable);
    if (data == null) {
      throw new IllegalArgumentException("the field " + name() + " of type " + type.getName()
          + " cannot be protected: it is no array of primitives, no scalar, no Buf and not serializable");
    }
    return data;
  }

  /** Also a boxed number, as it may be null. */
  private static boolean isObject(Class<?> type) {
    return Serializable.class.isAssignableFrom(type) && !ProtectedArray.accepts(type);
  }

  /** A static field is there before and after any object. */
  private Object owner() {
    return Modifier.isStatic(field.getModifiers()) ? null : holder;
  }

  private String name() {
    return field.getDeclaringClass().getName() + "." + field.getName();
  }

  private void refuseNull() {
    if (get() == null) {
      throw new IllegalArgumentException("the protected field " + name() + " is null: protect it when it has its value");
    }
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
}
