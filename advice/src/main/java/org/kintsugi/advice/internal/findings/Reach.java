// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.findings;

import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.code.Place;
import org.kintsugi.advice.internal.code.Variable;
import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;

/** How the code around the loop names a variable: there the program protects its data. */
final class Reach {
  private Reach() {}

  /** An expression for the variable; null: the code around the loop cannot name it. */
  static String expression(Variable variable) {
    Place loop = Loop.place();
    return switch (variable.kind) {
      case LOCAL -> variable.name;
      case STATIC -> qualified(variable, loop) + "." + variable.name;
      case FIELD -> ofField(variable, loop);
    };
  }

  /** Whether the code around the loop may use the field. */
  static boolean isVisible(Variable variable) {
    Place loop = Loop.place();
    return loop == null || variable.isVisibleFrom(loop.type());
  }

  /** The name of a class, as short as the code around the loop may write it. */
  private static String qualified(Variable variable, Place loop) {
    boolean isNear = loop == null || Variable.outermost(variable.owner).equals(Variable.outermost(loop.type()));
    if (isNear) {
      return Advised.simple(variable.owner);
    }
    boolean isOfPackage = Variable.packageOf(variable.owner).equals(Variable.packageOf(loop.type()));
    return (isOfPackage ? variable.owner.substring(Variable.packageOf(variable.owner).length()).replaceFirst("^\\.", "")
        : variable.owner)
        .replace('$', '.');
  }

  private static String ofField(Variable variable, Place loop) {
    String holder = holder(variable);
    if (holder != null) {
      return isVisible(variable) ? holder + "." + variable.name : null;
    }
    return loop == null || loop.type().equals(variable.owner) ? variable.name : null;
  }

  /** The local variable of the loop's method that refers to the object with the field; null: none does. */
  static String holder(Variable field) {
    Object object = field.holder();
    Shadow shadow = object == null ? null : Shadows.known(object);
    if (shadow == null) {
      return null;
    }
    return shadow.names().stream().map(Shadow.Name::variable)
        .filter(variable -> variable.kind == Variable.Kind.LOCAL && !variable.name.startsWith("local ")).map(one -> one.name)
        .findFirst().orElse(null);
  }
}
