// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.objects;

import java.util.List;
import org.kintsugi.mpi.Buf;

/** What the agent can know of an object, by its class. */
public enum Kind {
  /** It has no state, or cannot change: a number, text, a lambda. */
  VALUE,
  /** Its elements have shadows. */
  ARRAY,
  /** Its fields have shadows: its class is instrumented. */
  PROGRAM,
  /** A buffer of Kintsugi: its elements have shadows. */
  BUFFER,
  /** Another object of Kintsugi, which the prologue makes again. */
  KINTSUGI,
  /** Its class is not instrumented, and it may change. */
  OPAQUE;

  private static final List<String> VALUES =
      List.of("java.lang.String", "java.lang.Integer", "java.lang.Long", "java.lang.Double",
          "java.lang.Float", "java.lang.Short", "java.lang.Byte", "java.lang.Character", "java.lang.Boolean", "java.lang.Class",
          "java.lang.Math", "java.lang.System", "java.lang.Object", "java.lang.Enum", "java.lang.Record", "java.lang.invoke.",
          "java.lang.reflect.", "java.lang.Module", "java.lang.Thread", "java.lang.Process", "java.lang.Runtime", "java.math.",
          "java.time.", "java.util.Optional",
          "java.util.UUID", "java.util.Locale", "java.util.regex.Pattern", "java.util.Objects", "java.util.function.",
          "java.util.Comparator",
          "java.util.Arrays", "java.util.Collections$Empty", "java.util.concurrent.TimeUnit", "java.nio.file.",
          "java.nio.charset.", "java.nio.ByteOrder",
          "java.net.URI", "java.io.PrintStream", "java.io.File", "java.util.stream.Collector", "java.util.logging.");

  /** Names of classes that the agent does not instrument. */
  private static final List<String> LIBRARIES = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "org.kintsugi.advice.",
      "org.kintsugi.mpi.", "org.kintsugi.reinit.", "org.kintsugi.checkpoint.", "org.kintsugi.persist.", "org.kintsugi.inject.",
      "org.kintsugi.bindings.", "org.kintsugi.runtime.", "org.kintsugi.launch.", "org.kintsugi.test.", "org.bytedeco.",
      "org.objectweb.asm.",
      "picocli.", "com.fasterxml.", "me.tongfei.", "org.jline.", "org.knowm.", "de.erichseifert.", "org.sqlite.",
      "org.postgresql.", "org.h2.",
      "org.junit.", "org.assertj.", "org.opentest4j.", "org.slf4j.", "ch.qos.", "org.apache.", "kotlin.", "scala.", "groovy.");

  /** What may not be counted among the libraries although its package is. */
  private static final List<String> NOT_LIBRARIES = List.of("org.kintsugi.examples.", "org.kintsugi.ci.");

  private static final ClassValue<Kind> KINDS = new ClassValue<>() {
    @Override
    protected Kind computeValue(Class<?> type) {
      return find(type);
    }
  };

  /** That of an object. */
  public static Kind of(Object object) {
    return KINDS.get(object.getClass());
  }

  /** That of the objects of a class. */
  public static Kind of(Class<?> type) {
    return KINDS.get(type);
  }

  private static Kind find(Class<?> type) {
    if (type.isArray()) {
      return ARRAY;
    }
    if (type == Buf.class) {
      return BUFFER;
    }
    String name = type.getName();
    if (type.isHidden() || type.isEnum() || Enum.class.isAssignableFrom(type) || Throwable.class.isAssignableFrom(type)) {
      return VALUE;
    }
    if (!isLibrary(name)) {
      return PROGRAM;
    }
    if (name.startsWith("org.kintsugi.")) {
      return KINTSUGI;
    }
    return isValue(name) ? VALUE : OPAQUE;
  }

  /** Whether the objects of a class never change, or have no state of the program. */
  public static boolean isValue(String name) {
    for (String value : VALUES) {
      if (name.startsWith(value)
          && (value.endsWith(".") || value.length() == name.length() || !Character.isLetter(name.charAt(value.length()))
              || value.equals("java.util.Optional") || value.equals("java.util.stream.Collector")
              || value.equals("java.util.Collections$Empty"))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class, by its name with dots, is no part of the program. */
  public static boolean isLibrary(String name) {
    return NOT_LIBRARIES.stream().noneMatch(name::startsWith) && LIBRARIES.stream().anyMatch(name::startsWith);
  }
}
