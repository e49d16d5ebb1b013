// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.findings;

import java.io.Closeable;
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
    if (group.isOfManyObjects()) {
      return "make " + simple(variable.owner)
          + " Serializable, and protect the object that refers to all of them by protectObject";
    }
    String access = variable == null ? "data" : Reach.expression(variable);
    if (access == null) {
      return annotated(variable);
    }
    String call = group.type == null && variable.isReference() ? ofReference(variable, access) : of(group, access);
    return call.isEmpty() || variable == null || variable.kind != Variable.Kind.STATIC || Reach.isVisible(variable) ? call
        : "in a method of " + simple(variable.owner) + ", as " + variable.name + " is not visible in the loop: " + call;
  }

  /** For a field of an object that the code around the loop cannot name. */
  private static String annotated(Variable field) {
    String type = simple(field.owner);
    String holder = Reach.holder(field);
    String name = holder == null ? Character.toLowerCase(type.charAt(0)) + type.substring(1) : holder;
    return "write @Protect in front of the field " + field.name + " in " + type + ", and in the body: checkpoint.protectFields(\""
        + name + "\", " + name + ");" + (holder == null ? " where " + name + " is the object of " + type : "");
  }

  private static String ofReference(Variable variable, String access) {
    String name = variable.name;
    if (variable.kind == Variable.Kind.LOCAL) {
      return "make " + name + " a field, and protect it with a getter and a setter";
    }
    return variable.descriptor.matches("\\[\\[?[^\\[L]") ? getterAndSetter("protect", name, access, "")
        : getterAndSetter("protectObject", name, access, simple(typeName(variable.descriptor)) + ".class, ")
            + " // its class must be Serializable";
  }

  private static String of(Group group, String access) {
    Variable variable = group.variable;
    String name = variable == null ? "data" : variable.name;
    boolean isLocal = variable == null || variable.kind == Variable.Kind.LOCAL;
    boolean isRow = group.name.endsWith("]");
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
        return "make " + name + " a field; " + getterAndSetter("protect", name, name, "");
      }
      return isLocal || !group.isReplaced() || isRow ? "checkpoint.protect(\"" + name + "\", " + access + ");"
          : getterAndSetter("protect", name, access, "");
    }
    if (!isSavable(type)) {
      return NEVER;
    }
    return isLocal ? "make " + name + " a field; " + object(name, name, type) : object(name, access, type);
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

  /** A type as the source has it. @param descriptor as class files have it */
  static String typeName(String descriptor) {
    int rows = descriptor.lastIndexOf('[') + 1;
    String element = descriptor.substring(rows);
    String name = switch (element) {
      case "D" -> "double";
      case "F" -> "float";
      case "J" -> "long";
      case "I" -> "int";
      case "S" -> "short";
      case "B" -> "byte";
      case "C" -> "char";
      case "Z" -> "boolean";
      default -> element.substring(1, element.length() - 1).replace('/', '.');
    };
    return name + "[]".repeat(rows);
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
    if (Random.class.isAssignableFrom(type) || name.contains("Random") && !Closeable.class.isAssignableFrom(type)) {
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
