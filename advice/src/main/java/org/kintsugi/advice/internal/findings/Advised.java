// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.findings;

import java.io.Serializable;
import java.util.Random;
import org.kintsugi.advice.internal.code.Variable;
import org.kintsugi.advice.internal.objects.Kind;
import org.kintsugi.mpi.Buf;

/** The call that protects a variable, as the program can have it. */
final class Advised {
  private static final String NEVER = "";

  private Advised() {}

  /** Whether an object can be protected by {@code protectObject}. */
  static boolean isSavable(Class<?> type) {
    String name = type.getName();
    boolean isSeeded = !Random.class.isAssignableFrom(type) || type == Random.class;
    return Serializable.class.isAssignableFrom(type) && isSeeded && !name.startsWith("java.util.concurrent.locks.");
  }

  /** The call, or what to do first; empty: nothing is known that would help. */
  static String call(Group group) {
    Variable variable = group.variable;
    String name = variable == null ? "data" : variable.name;
    String owner = variable != null && variable.kind == Variable.Kind.STATIC ? simple(variable.owner) + "." : "";
    boolean isLocal = variable == null || variable.kind == Variable.Kind.LOCAL;
    boolean isRow = group.name.endsWith("]");
    String access = owner + name;
    if (variable != null && !variable.isReference() && group.type == null) {
      return isLocal ? ofLocal(name, variable.descriptor) : getterAndSetter("protect", name, access, "");
    }
    Class<?> type = group.type;
    if (type == null) {
      return NEVER;
    }
    if (type.isArray() || type == Buf.class) {
      if (dimensions(type) > 2 || type.isArray() && isOfObjects(type)) {
        return isOfObjects(type) && isLocal ? NEVER
            : getterAndSetter("protectObject", name, access, type.getSimpleName() + ".class, ");
      }
      if (isLocal && group.isReplaced()) {
        return "make " + name + " a field; " + getterAndSetter("protect", name, "this." + name, "");
      }
      return isLocal || !group.isReplaced() || isRow ? "checkpoint.protect(\"" + name + "\", " + access + ");"
          : getterAndSetter("protect", name, access, "");
    }
    if (!isSavable(type)) {
      return NEVER;
    }
    return isLocal ? "make " + name + " a field; " + object(name, "this." + name, type) : object(name, access, type);
  }

  private static String object(String name, String access, Class<?> type) {
    return getterAndSetter("protectObject", name, access, type.getSimpleName() + ".class, ");
  }

  private static String getterAndSetter(String method, String name, String access, String type) {
    return "checkpoint." + method + "(\"" + name + "\", " + type + "() -> " + access + ", value -> " + access + " = value);";
  }

  private static String ofLocal(String name, String descriptor) {
    return switch (descriptor) {
      case "D", "F" -> "DoubleRef " + name + " = checkpoint.doubleRef(\"" + name + "\"); // in place of the local variable";
      case "Z" ->
        "boolean[] " + name + " = {false}; checkpoint.protect(\"" + name + "\", " + name + "); // in place of the local variable";
      case "C" ->
        "char[] " + name + " = {0}; checkpoint.protect(\"" + name + "\", " + name + "); // in place of the local variable";
      default -> "LongRef " + name + " = checkpoint.longRef(\"" + name + "\"); // in place of the local variable";
    };
  }

  private static int dimensions(Class<?> type) {
    int dimensions = 0;
    for (Class<?> one = type; one.isArray(); one = one.getComponentType()) {
      dimensions++;
    }
    return dimensions;
  }

  private static boolean isOfObjects(Class<?> type) {
    Class<?> one = type;
    while (one.isArray()) {
      one = one.getComponentType();
    }
    return !one.isPrimitive();
  }

  static String simple(String type) {
    return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
  }

  /** Why an object cannot be saved, and what to do. */
  static String state(Class<?> type, boolean isPosition, boolean isOfThreads) {
    String name = type.getName();
    if (name.startsWith("java.lang.ThreadLocal")) {
      return "each thread has its own value: keep the values in an array by the number of the thread, and protect that";
    }
    if (Random.class.isAssignableFrom(type) || name.contains("Random")) {
      return "this generator cannot be saved: use java.util.Random with protectObject, or make one from the iteration's number";
    }
    if (name.startsWith("java.util.HashMap$") || name.startsWith("java.util.concurrent.ConcurrentHashMap$")) {
      return "the order of a hash table may be another one after a restore: use a LinkedHashMap or LinkedHashSet, or do not "
          + "depend on the order";
    }
    if (isPosition && name.startsWith("java.util.")) {
      return "a position in a collection cannot be saved: protect the collection and an index";
    }
    if (isPosition) {
      return "an open file or stream cannot be saved: protect the position, and open it again after the restore";
    }
    if (isOfThreads) {
      return "work of threads that outlives an iteration cannot be saved: end it within the iteration";
    }
    return Kind.of(type) == Kind.PROGRAM ? "its class is not Serializable: implement it, or protect its fields with @Protect"
        : "its class is not Serializable: keep the data in an array or a Serializable object, and protect that";
  }
}
