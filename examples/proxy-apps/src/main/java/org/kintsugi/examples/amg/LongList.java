// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.Arrays;
import org.kintsugi.examples.sparse.CompressedRows;

/** Numbers for a message; it grows. */
final class LongList {
  private long[] numbers = new long[64];
  private int size;

  void add(long number) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, CompressedRows.longer(size));
    }
    numbers[size++] = number;
  }

  void add(double number) {
    add(Double.doubleToRawLongBits(number));
  }

  int size() {
    return size;
  }

  /** The array with the numbers; it may be longer than the list. */
  long[] array() {
    return numbers;
  }
}
