// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice;

import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.code.Variable;
import org.kintsugi.advice.internal.objects.Kind;
import org.kintsugi.advice.internal.objects.Opaque;
import org.kintsugi.advice.internal.protection.Items;
import org.kintsugi.advice.internal.shadow.Cells;
import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;

/** What hooks have in common: whether they have anything to note, and what references lead to. */
final class References {
  private References() {}

  static boolean isOutside() {
    return Loop.now == 0 && Items.saving == null;
  }

  static boolean isSaving() {
    return Items.saving != null && Items.saving == Thread.currentThread();
  }

  /** The shadow of what a reference leads to; null: its value counts as that of a number does. */
  static Shadow target(Object value) {
    if (value == null) {
      return null;
    }
    return switch (Kind.of(value)) {
      case VALUE, KINTSUGI -> null;
      default -> Shadows.of(value);
    };
  }

  /** The bits of a reference: those of its value if it has one, else its identity. */
  static long bits(Object value) {
    boolean isNumber =
        value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof Character;
    return value == null ? 0 : isNumber && Kind.of(value) == Kind.VALUE ? value.hashCode() + 1L : System.identityHashCode(value);
  }

  /** The bits by which values are compared after a restore: other objects are there then. */
  static long comparable(Object value) {
    return value == null || Kind.of(value) == Kind.VALUE && bits(value) != System.identityHashCode(value) ? bits(value)
        : value.getClass().getName().hashCode();
  }

  static void refer(Object value) {
    Shadow target = target(value);
    if (target != null) {
      Cells.refer(target);
    }
  }

  static boolean areDifferent(Object one, Object other) {
    return one != other && !(one != null && other != null && Kind.of(one) == Kind.VALUE && one.equals(other));
  }

  static void name(Object value, Variable variable) {
    if (value != null && (Kind.of(value) == Kind.ARRAY || Kind.of(value) == Kind.OPAQUE || Kind.of(value) == Kind.BUFFER
        || Kind.of(value) == Kind.KINTSUGI || Kind.of(value) == Kind.PROGRAM && variable.kind != Variable.Kind.FIELD)) {
      Shadows.of(value).named(variable, 0);
      if (Kind.of(value) == Kind.OPAQUE) {
        Opaque.of(value); // from now on it is looked into
      }
    }
  }
}
