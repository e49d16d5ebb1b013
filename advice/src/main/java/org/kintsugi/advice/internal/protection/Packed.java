// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.protection;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.advice.internal.code.Variable;
import org.kintsugi.advice.internal.shadow.Shadow;

/**
 * Numbers that a getter reads, and that may be in the array that it returns. If the array has the number in each turn of the
 * loop, the getter packs it. If the number divides the array's length each time, the setter has it from the length.
 */
final class Packed {
  /** A field of an object, or a static one. */
  private record Place(Item item, Shadow shadow, int slot) {}

  private final Map<Place, Boolean> arePacked = new HashMap<>();
  private final Map<Place, Double> read = new HashMap<>();

  /** The getter of an item has read a field. @param bits as {@code Hooks} has them */
  void read(Item item, Shadow shadow, Variable variable, long bits) {
    double value = switch (variable.descriptor) {
      case "D" -> Double.longBitsToDouble(bits);
      case "F" -> Float.intBitsToFloat((int) bits);
      default -> bits;
    };
    read.put(new Place(item, shadow, variable.kind == Variable.Kind.STATIC ? 0 : variable.slot), value);
  }

  /** The getter has returned. */
  void returned(Object value) {
    List<Double> all = new ArrayList<>();
    boolean isOfNumbers = !read.isEmpty() && value != null && value.getClass().isArray() && add(value, all);
    int length = isOfNumbers ? Array.getLength(value) : 0;
    read.forEach((place, number) -> arePacked.merge(place, !isOfNumbers || all.contains(number) || divides(number, length),
        Boolean::logicalAnd));
    read.clear();
  }

  private static boolean divides(double number, int length) {
    return number == 0 ? length == 0 : length % number == 0;
  }

  /** Adds the elements of an array or of its rows. @return whether all are numbers */
  private static boolean add(Object array, List<Double> all) {
    boolean areNumbers = true;
    for (int i = 0; i < Array.getLength(array); i++) {
      Object one = Array.get(array, i);
      if (one instanceof Number number) {
        all.add(number.doubleValue());
      } else if (one != null) {
        areNumbers &= one.getClass().isArray() && add(one, all);
      }
    }
    return areNumbers;
  }

  /** What the getters pack is saved by the items. */
  void cover() {
    arePacked.forEach((place, isPacked) -> {
      if (isPacked) {
        place.shadow.cover(place.slot, place.item);
      }
    });
  }

  /** Another program begins: for tests. */
  void reset() {
    arePacked.clear();
    read.clear();
  }
}
