// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

/** Random datatypes of a given signature: the same basic types in the same order, anywhere in memory. */
final class Layouts {
  private static final int TRIES = 6;
  /** Elements that are looked at to know whether a type's elements share bytes. */
  private static final int NEIGHBOURS = 8;

  private final SplittableRandom random;

  Layouts(SplittableRandom random) {
    this.random = random;
  }

  /** Basic types of which parts consist, again and again. */
  Basic[] signature() {
    Basic[] all = Basic.values();
    int pick = random.nextInt(10);
    if (pick < 6) {
      return new Basic[] {all[random.nextInt(all.length)]};
    }
    if (pick < 8) {
      return new Basic[] {Basic.DOUBLE, Basic.INT};
    }
    return mixed(2 + random.nextInt(3));
  }

  Basic[] mixed(int length) {
    Basic[] all = Basic.values();
    Basic[] signature = new Basic[length];
    for (int i = 0; i < length; i++) {
      signature[i] = i > 0 && random.nextBoolean() ? signature[i - 1] : all[random.nextInt(all.length)];
    }
    return signature;
  }

  /** A type without elements. */
  Layout empty() {
    Layout old = Layout.of(Basic.values()[random.nextInt(Basic.values().length)]);
    return switch (random.nextInt(4)) {
      case 0 -> Layout.contiguous(0, old);
      case 1 -> Layout.vector(0, 2, 3, old);
      case 2 -> Layout.indexed(new int[] {0, 0}, new int[] {1, 0}, old);
      default -> Layout.struct(new int[] {0}, new long[] {8}, new Layout[] {old});
    };
  }

  /**
   * A type of the signature, some times over.
   *
   * @param isReceived whether elements beside each other must not share bytes; overlapping data can be sent only
   */
  Layout of(Basic[] signature, int times, boolean isReceived) {
    for (int i = 0; i < TRIES; i++) {
      Layout layout = any(signature, times, isReceived);
      if (layout.first() >= 0 && layout.extent() >= 0 && (!isReceived || isApart(layout))) {
        return layout;
      }
    }
    return dense(signature, times);
  }

  /** Without gaps at least between elements, which then share no bytes. */
  Layout dense(Basic[] signature, int times) {
    return Layout.contiguous(times, plain(signature));
  }

  /** Whether no byte is named twice, in a row of elements of the type. */
  private static boolean isApart(Layout layout) {
    BitSet used = new BitSet();
    for (int i = 0; i < NEIGHBOURS; i++) {
      if (!take(used, layout, i * layout.extent())) {
        return false;
      }
    }
    return true;
  }

  /** Marks an element's bytes. @return false: some were marked already */
  static boolean take(BitSet used, Layout layout, long offset) {
    for (int i = 0; i < layout.at.length; i++) {
      int at = (int) offset + layout.at[i];
      int end = at + layout.kinds[i].bytes;
      int marked = used.nextSetBit(at);
      if (marked >= 0 && marked < end) {
        return false;
      }
      used.set(at, end);
    }
    return true;
  }

  private Layout any(Basic[] signature, int times, boolean isReceived) {
    Layout unit = random.nextInt(4) == 0 ? plain(signature) : spread(signature);
    if (random.nextInt(6) == 0) {
      unit = resized(unit, isReceived);
    }
    Layout repeated = times == 1 && random.nextInt(3) > 0 ? unit : repeated(unit, times, isReceived);
    if (random.nextInt(8) == 0) {
      repeated = repeated(repeated, 1, isReceived);
    }
    return random.nextInt(3) == 0 ? resized(repeated, isReceived) : repeated;
  }

  /** One time the signature, as simple as can be. */
  private Layout plain(Basic[] signature) {
    if (signature.length == 1) {
      return Layout.of(signature[0]);
    }
    if (signature.length == 2 && signature[0] == Basic.DOUBLE && signature[1] == Basic.INT && random.nextBoolean()) {
      return Layout.doubleInt();
    }
    return struct(signature, 1, false);
  }

  /** One time the signature, with gaps, and not in the order of addresses. */
  private Layout spread(Basic[] signature) {
    if (signature.length == 1 && random.nextInt(2) == 0) {
      return Layout.of(signature[0]);
    }
    return struct(signature, 1 + random.nextInt(4), random.nextInt(3) == 0);
  }

  private Layout struct(Basic[] signature, int widestGap, boolean isShuffled) {
    int blocks = signature.length;
    int[] order = new int[blocks];
    Arrays.setAll(order, i -> i);
    if (isShuffled) {
      shuffle(order);
    }
    int unaligned = random.nextInt(8) == 0 ? 1 : 0;
    long[] places = new long[blocks];
    long end = isShuffled || widestGap > 1 ? random.nextInt(2) * 8L : 0;
    for (int i : order) {
      int width = unaligned == 1 ? 1 : signature[i].bytes;
      places[i] = (end + width - 1) / width * width + (long) random.nextInt(widestGap) * width;
      end = places[i] + signature[i].bytes;
    }
    int[] lengths = new int[blocks];
    Arrays.fill(lengths, 1);
    Layout[] olds = Arrays.stream(signature).map(Layout::of).toArray(Layout[]::new);
    return Layout.struct(lengths, places, olds);
  }

  private Layout repeated(Layout unit, int times, boolean isReceived) {
    int gap = random.nextInt(3);
    return switch (random.nextInt(6)) {
      case 0 -> Layout.contiguous(times, unit);
      case 1, 2 -> {
        int length = divisor(times);
        int count = times / length;
        int stride = length + gap - (isReceived || random.nextInt(4) > 0 ? 0 : 1);
        yield Layout.vector(count, length, Math.max(stride, 1), unit);
      }
      case 3 -> {
        // A negative stride puts blocks before the buffer's address, so all of them are shifted.
        int length = divisor(times);
        int count = times / length;
        int stride = -(length + gap);
        Layout back = Layout.vector(count, length, stride, unit);
        long shift = Math.max(0, -back.first());
        yield Layout.struct(new int[] {1}, new long[] {(shift + 7) / 8 * 8}, new Layout[] {back});
      }
      case 4 -> indexed(unit, times);
      default -> structs(unit, times, gap);
    };
  }

  private Layout indexed(Layout unit, int times) {
    int blocks = 1 + random.nextInt(times) + random.nextInt(2);
    int[] lengths = new int[blocks];
    for (int i = 0; i < times; i++) {
      lengths[random.nextInt(blocks)]++;
    }
    int[] order = new int[blocks];
    Arrays.setAll(order, i -> i);
    if (random.nextBoolean()) {
      shuffle(order);
    }
    int[] places = new int[blocks];
    int end = random.nextInt(2);
    for (int i : order) {
      places[i] = end + random.nextInt(2);
      end = places[i] + lengths[i];
    }
    return Layout.indexed(lengths, places, unit);
  }

  private Layout structs(Layout unit, int times, int gap) {
    int blocks = 1 + random.nextInt(Math.min(times, 3));
    int[] lengths = new int[blocks];
    for (int i = 0; i < times; i++) {
      lengths[random.nextInt(blocks)]++;
    }
    long[] places = new long[blocks];
    long end = 8L * random.nextInt(2);
    for (int i = 0; i < blocks; i++) {
      places[i] = end;
      end += lengths[i] * unit.extent() + 8L * gap;
      end = (end + 7) / 8 * 8;
    }
    Layout[] olds = new Layout[blocks];
    Arrays.fill(olds, unit);
    return Layout.struct(lengths, places, olds);
  }

  /** Further apart, closer together (the columns of a matrix), or with a lower bound. */
  private Layout resized(Layout old, boolean isReceived) {
    int step = old.kinds[0].bytes;
    return switch (random.nextInt(isReceived ? 4 : 5)) {
      case 0 -> old.resized(0, old.end() + (long) step * random.nextInt(4));
      case 1 -> old.resized(0, step); // interleaved, if there is room
      case 2 -> old.resized(old.first(), old.extent() + random.nextInt(9));
      case 3 -> old.resized(-8L * random.nextInt(3), old.end() + 8L * random.nextInt(3));
      default -> old.resized(0, random.nextInt(2) * (long) step); // each element over the one before
    };
  }

  /** Any divisor, the number itself included. */
  int divisor(int number) {
    int divisor;
    do {
      divisor = 1 + random.nextInt(number);
    } while (number % divisor != 0);
    return divisor;
  }

  void shuffle(int[] values) {
    for (int i = values.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int kept = values[i];
      values[i] = values[j];
      values[j] = kept;
    }
  }
}
