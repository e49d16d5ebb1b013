// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.shadow;

/** The elements of arrays of any type, as bits. */
public final class Elements {
  private Elements() {}

  /** The bits of an element that is no reference. */
  public static long bits(Object array, int index) {
    if (array instanceof double[] doubles) {
      return Double.doubleToRawLongBits(doubles[index]);
    }
    if (array instanceof int[] ints) {
      return ints[index];
    }
    if (array instanceof long[] longs) {
      return longs[index];
    }
    if (array instanceof byte[] bytes) {
      return bytes[index];
    }
    if (array instanceof float[] floats) {
      return Float.floatToRawIntBits(floats[index]);
    }
    if (array instanceof boolean[] booleans) {
      return booleans[index] ? 1 : 0;
    }
    return array instanceof char[] chars ? chars[index] : ((short[]) array)[index];
  }

  /** Whether two elements have the same bits, or are the same reference. */
  public static boolean areSame(Object one, int index, Object other, int otherIndex) {
    return one instanceof Object[] objects ? objects[index] == ((Object[]) other)[otherIndex]
        : bits(one, index) == bits(other, otherIndex);
  }

  /** Whether an element has a value that often means "not there yet". */
  public static boolean isDefault(Object array, int index) {
    if (array instanceof Object[] objects) {
      return objects[index] == null;
    }
    if (array instanceof double[] doubles) {
      return isDefault(doubles[index]);
    }
    return array instanceof float[] floats ? isDefault(floats[index])
        : !(array instanceof boolean[]) && isDefault(bits(array, index));
  }

  /** Whether a number often means "not there yet". */
  public static boolean isDefault(double value) {
    return value == 0 || value == -1 || Double.isNaN(value);
  }

  /** Whether a number often means "not there yet". */
  public static boolean isDefault(long value) {
    return value == 0 || value == -1;
  }
}
