// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.findings;

import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.kintsugi.advice.internal.code.Uses;
import org.kintsugi.advice.internal.code.Variable;
import org.kintsugi.advice.internal.protection.Items;
import org.kintsugi.advice.internal.shadow.Shadow;

/** Locations with one definition, which no item protects: a field of all objects of a class, or arrays of one name. */
final class Group {
  /** The variable; null: the array or object is in none that is known. */
  final Variable variable;
  final String name;
  final Class<?> type;
  final String definition;
  final Uses uses = new Uses();
  final Set<String> otherNames = new LinkedHashSet<>();
  private final BitSet elements = new BitSet();
  private int length;
  private long bytes;
  private int locations;
  private boolean isOnce = true;
  private boolean isLast = true;
  private boolean isReplaced;
  private boolean isBornOnce;

  Group(Variable variable, String name, Class<?> type, String definition) {
    this.variable = variable;
    this.name = name;
    this.type = type;
    this.definition = definition;
  }

  void add(Shadow shadow, int index, boolean isReadAfterLoopOnly) {
    isLast &= isReadAfterLoopOnly;
    if ((shadow.flags(index) & Shadow.NOT_ONCE) != 0) {
      isOnce = false;
    }
    if (isArray() || shadow.elementBytes() > 0) {
      elements.set(index);
      length = Math.max(length, shadow.length());
    }
  }

  /** Whether several objects have the field. */
  boolean isOfManyObjects() {
    return variable != null && variable.kind == Variable.Kind.FIELD && (type == null ? locations > 1 : variable.isOfMany());
  }

  /** An array of the group, after its elements. */
  void addArray(Shadow shadow) {
    uses.add(shadow.uses);
    bytes += (long) shadow.length() * (type.isArray() ? Items.elementBytes(type) : Math.max(1, shadow.elementBytes()));
    isBornOnce |= shadow.born > 0;
  }

  /** A variable of the group. */
  void addLocation(int size) {
    locations++;
    bytes += size;
  }

  /** The variable refers to other arrays or objects in the course of the loop. */
  void replaced() {
    isReplaced = true;
  }

  boolean isReplaced() {
    return isReplaced;
  }

  boolean isArray() {
    return type != null && type.isArray();
  }

  /** Whether it was made in the loop, and its variable set once. */
  boolean isOnce(Group reference) {
    return isOnce || isBornOnce && reference != null && reference.isOnce;
  }

  /** Whether only the code after the loop reads it. */
  boolean isLast() {
    return isLast;
  }

  long bytes() {
    return bytes;
  }

  /** The ranges of elements, such as [0..4095] of 4096. */
  String elements() {
    if (elements.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    int count = 0;
    for (int i = elements.nextSetBit(0); i >= 0 && count < 4; count++) {
      int end = elements.nextClearBit(i);
      text.append(text.isEmpty() ? "" : ", ").append('[').append(i).append(end - 1 > i ? ".." + (end - 1) : "").append(']');
      i = elements.nextSetBit(end);
      if (i >= 0 && count == 3) {
        text.append(", ... [").append(elements.length() - 1).append(']');
      }
    }
    return text + " of " + length;
  }
}
