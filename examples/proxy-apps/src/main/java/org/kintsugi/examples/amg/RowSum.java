// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.Arrays;

/** Sums numbers by column, for one row of a matrix after the other; columns keep the order in which they came. */
final class RowSum {
  private static final int NONE = -1;

  private int[] slots = new int[64];
  private int[] columns = new int[32];
  private double[] sums = new double[32];
  private int size;

  RowSum() {
    Arrays.fill(slots, NONE);
  }

  void clear() {
    if (size > 0) {
      Arrays.fill(slots, NONE);
    }
    size = 0;
  }

  void add(int column, double value) {
    int place = place(column);
    sums[place] += value;
  }

  /** The place of a column, which is added with 0 if it was not there. */
  int place(int column) {
    int slot = slot(column);
    if (slots[slot] != NONE) {
      return slots[slot];
    }
    if (size == columns.length) {
      grow();
      slot = slot(column);
    }
    slots[slot] = size;
    columns[size] = column;
    sums[size] = 0;
    return size++;
  }

  boolean has(int column) {
    return slots[slot(column)] != NONE;
  }

  private int slot(int column) {
    int mask = slots.length - 1;
    int slot = column * 0x9E37_79B1 >>> 7 & mask;
    while (slots[slot] != NONE && columns[slots[slot]] != column) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    columns = Arrays.copyOf(columns, 2 * size);
    sums = Arrays.copyOf(sums, 2 * size);
    slots = new int[4 * size];
    Arrays.fill(slots, NONE);
    for (int i = 0; i < size; i++) {
      slots[slot(columns[i])] = i;
    }
  }

  int size() {
    return size;
  }

  int column(int place) {
    return columns[place];
  }

  double value(int place) {
    return sums[place];
  }

  void set(int place, double value) {
    sums[place] = value;
  }
}
