// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.objects;

import java.io.ObjectInputFilter;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The classes that a serialized object may be made of. The bytes of a file cannot be trusted: reading an object runs code of
 * every class that they name.
 *
 * <p>Allowed are: the declared class; the classes that its fields name, type arguments and superclasses included, and those that
 * their fields name in turn; subclasses of an application class named so, and classes in the same source file; numbers, text,
 * collections and times of the JDK; and the classes that the program adds. Writing checks the same, so that nothing is
 * written that could not be read.
 */
final class NamedClasses implements ObjectInputFilter {
  private static final Set<String> BASIC_PACKAGES = Set.of("java.math", "java.time", "java.time.chrono", "java.time.zone",
      "java.util", "java.util.concurrent", "java.util.concurrent.atomic",
      "java.util.concurrent.locks"); // of which concurrent collections are made
  private static final Set<Class<?>> BASIC =
      Set.of(Object.class, String.class, Boolean.class, Character.class, Number.class, Enum.class);

  private final Set<Type> named = new LinkedHashSet<>();
  private final Set<Class<?>> held = new HashSet<>();
  private final long bytes;

  /** The first that was refused; null if none was. */
  private Class<?> refused;

  /** @param bytes how many there are to be read: no array has more elements */
  NamedClasses(Type declared, long bytes, Class<?>... others) {
    this.bytes = bytes;
    name(declared);
    for (Class<?> other : others) {
      name(other);
    }
  }

  private void name(Type type) {
    if (type == null || !named.add(type)) {
      return;
    }
    if (type instanceof Class<?>) {
      nameFieldsOf((Class<?>) type);
    } else if (type instanceof ParameterizedType) {
      name(((ParameterizedType) type).getRawType());
      nameAll(((ParameterizedType) type).getActualTypeArguments());
    } else if (type instanceof GenericArrayType) {
      name(((GenericArrayType) type).getGenericComponentType());
    } else if (type instanceof WildcardType) {
      nameAll(((WildcardType) type).getUpperBounds());
    } else if (type instanceof TypeVariable<?>) {
      nameAll(((TypeVariable<?>) type).getBounds());
    }
  }

  private void nameAll(Type... types) {
    for (Type type : types) {
      name(type);
    }
  }

  private void nameFieldsOf(Class<?> type) {
    if (type.isArray()) {
      name(type.getComponentType());
    } else if (!isBasic(type)) {
      name(type.getGenericSuperclass());
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
          name(field.getGenericType());
        }
      }
    }
  }

  private static boolean isBasic(Class<?> type) {
    return type.isPrimitive() || BASIC.contains(type) || BASIC_PACKAGES.contains(type.getPackageName()) && isOfJdk(type)
        || type.getPackageName().equals("java.lang") && Number.class.isAssignableFrom(type);
  }

  private static boolean isOfJdk(Class<?> type) {
    return type.getClassLoader() == null || type.getClassLoader() == ClassLoader.getPlatformClassLoader();
  }

  /** Whether objects of this class may be read and written. */
  boolean holds(Class<?> type) {
    if (type.isArray()) {
      return holds(type.getComponentType());
    }
    if (isBasic(type) || named.contains(type)) {
      held.add(type);
      return true;
    }
    if (!isOfJdk(type) && isRelated(type)) {
      name(type);
      held.add(type);
      return true;
    }
    refused = refused == null ? type : refused;
    return false;
  }

  private boolean isRelated(Class<?> type) {
    for (Type known : named) {
      if (known instanceof Class<?> && !isOfJdk((Class<?>) known)
          && (((Class<?>) known).isAssignableFrom(type) || ((Class<?>) known).getNestHost() == type.getNestHost())) {
        return true;
      }
    }
    return false;
  }

  /** The classes of which objects were allowed, of arrays those of their elements. */
  Set<Class<?>> held() {
    return held;
  }

  /** The classes that are named. */
  List<Class<?>> classes() {
    List<Class<?>> classes = new ArrayList<>();
    for (Type type : named) {
      if (type instanceof Class<?>) {
        classes.add((Class<?>) type);
      }
    }
    return classes;
  }

  /** The class of which the first object was that was refused; null if none was. */
  Class<?> refused() {
    return refused;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    if (info.arrayLength() > bytes || info.serialClass() != null && !holds(info.serialClass())) {
      return Status.REJECTED;
    }
    return info.serialClass() == null ? Status.UNDECIDED : Status.ALLOWED;
  }
}
