// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Arrays;

/** Numbers the communities that other ranks own, in the order in which they are met. Used anew in every iteration. */
final class CommunityTable {
  private static final long NONE = -1;

  private long[] keys = new long[64];
  private int[] values = new int[64];
  private long[] met = new long[32];
  private int size;

  void clear() {
    Arrays.fill(keys, NONE);
    size = 0;
  }

  /** The number of a community; a new one if it was not met before. */
  int numberOf(long community) {
    int slot = slot(community);
    if (keys[slot] == community) {
      return values[slot];
    }
    if (2 * size >= keys.length) {
      grow();
      slot = slot(community);
    }
    if (size == met.length) {
      met = Arrays.copyOf(met, 2 * size);
    }
    keys[slot] = community;
    values[slot] = size;
    met[size] = community;
    return size++;
  }

  private int slot(long community) {
    int mask = keys.length - 1;
    int slot = (int) (community * 0x9E37_79B9_7F4A_7C15L >>> 33) & mask;
    while (keys[slot] != NONE && keys[slot] != community) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    keys = new long[2 * keys.length];
    values = new int[keys.length];
    Arrays.fill(keys, NONE);
    for (int number = 0; number < size; number++) {
      int slot = slot(met[number]);
      keys[slot] = met[number];
      values[slot] = number;
    }
  }

  int size() {
    return size;
  }

  /** The community with a number. */
  long community(int number) {
    return met[number];
  }
}
