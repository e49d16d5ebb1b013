// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/** The memory of all ranks in one call. Buffers are placed at random, also in each other's gaps. */
final class Plan {
  private static final int MOST_AREAS = 3;
  private static final int TRIES = 5;
  /** Factors by which some buffers are longer, as MPI uses other protocols for long messages. */
  private static final int[] SCALES = {100, 1000, 6000};
  private static final int SCALED_EVERY = 80;

  final SplittableRandom random;
  final Layouts layouts;
  final List<List<Area>> areas = new ArrayList<>();
  final int scale;
  private final boolean hasArrays;

  Plan(SplittableRandom random, int ranks, boolean hasArrays) {
    this.hasArrays = hasArrays;
    this.random = random;
    layouts = new Layouts(random);
    scale = random.nextInt(SCALED_EVERY) == 0 ? SCALES[random.nextInt(SCALES.length)] : 1;
    for (int i = 0; i < ranks; i++) {
      areas.add(new ArrayList<>());
    }
  }

  Area area() {
    return new Area(random, hasArrays);
  }

  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  int pick(int... values) {
    return values[random.nextInt(values.length)];
  }

  /** A number of repetitions of a signature that has divisors; 0 now and then. */
  int repetitions() {
    return pick(0, 1, 1, 2, 3, 4, 6) * scale;
  }

  /** The number of repetitions in one element of a buffer. */
  int times(int repetitions) {
    if (repetitions == 0) {
      return 1 + random.nextInt(3);
    }
    return scale == 1 ? layouts.divisor(repetitions) : pick(1, 2, 5, scale);
  }

  /** A buffer of some repetitions of a signature, all of which count. */
  Place place(int rank, Basic[] signature, int repetitions, boolean isReceived) {
    if (repetitions == 0 && oneIn(2)) {
      return place(rank, layouts.empty(), random.nextInt(3), isReceived);
    }
    int times = times(repetitions);
    Layout layout = isReceived ? apart(signature, times, repetitions / times) : layouts.of(signature, times, false);
    return place(rank, layout, repetitions / times, isReceived);
  }

  /** A buffer of some elements of a given layout. */
  Place place(int rank, Layout layout, int count, boolean isReceived) {
    return place(rank, layout, count, new int[] {0}, new int[] {count}, isReceived);
  }

  /**
   * A buffer of which some elements count.
   *
   * @return null: they would share bytes, which a receive must not
   */
  Place place(int rank, Layout layout, int count, int[] firsts, int[] counts, boolean isReceived) {
    BitSet bytes = bytes(layout, firsts, counts, isReceived);
    if (bytes == null) {
      return null;
    }
    List<Area> own = areas.get(rank);
    int number = own.isEmpty() || own.size() < MOST_AREAS && oneIn(3) ? own.size() : random.nextInt(own.size());
    if (number == own.size()) {
      own.add(area());
    }
    return placeIn(rank, own.get(number), number, bytes, layout, count);
  }

  private Place placeIn(int rank, Area area, int number, BitSet bytes, Layout layout, int count) {
    int offset = offset(area, bytes);
    area.cover(offset + Place.span(layout, count));
    for (int i = bytes.nextSetBit(0); i >= 0; i = bytes.nextSetBit(i + 1)) {
      area.used.set(offset + i);
    }
    return new Place(rank, area, number, offset, layout, count, oneIn(3));
  }

  /** A part in an area that is given. */
  Place placeIn(int rank, Area area, int number, Basic[] signature, int repetitions, boolean isReceived) {
    int times = times(repetitions);
    boolean isEmpty = repetitions == 0 && oneIn(2);
    Layout layout = isEmpty ? layouts.empty()
        : isReceived ? apart(signature, times, repetitions / times) : layouts.of(signature, times, false);
    int count = isEmpty ? random.nextInt(3) : repetitions / times;
    return placeIn(rank, area, number, bytes(layout, new int[] {0}, new int[] {count}, false), layout, count);
  }

  /** A place in the gaps of the buffers that are there already, or after them. */
  private int offset(Area area, BitSet bytes) {
    int width = area.element.bytes;
    for (int i = 0; i < TRIES; i++) {
      int offset = random.nextInt(area.length() / width + 1) * width;
      if (isFree(area, bytes, offset)) {
        return offset;
      }
    }
    return area.length() + random.nextInt(3) * width;
  }

  private static boolean isFree(Area area, BitSet bytes, int offset) {
    for (int i = bytes.nextSetBit(0); i >= 0; i = bytes.nextSetBit(i + 1)) {
      if (area.used.get(offset + i)) {
        return false;
      }
    }
    return true;
  }

  private static BitSet bytes(Layout layout, int[] firsts, int[] counts, boolean isReceived) {
    BitSet bytes = new BitSet();
    for (int part = 0; part < firsts.length; part++) {
      for (int i = firsts[part]; i < firsts[part] + counts[part]; i++) {
        long at = i * layout.extent();
        if (isReceived) {
          if (!Layouts.take(bytes, layout, at)) {
            return null;
          }
        } else {
          for (int j = 0; j < layout.at.length; j++) {
            bytes.set((int) at + layout.at[j], (int) at + layout.at[j] + layout.kinds[j].bytes);
          }
        }
      }
    }
    return bytes;
  }

  /** A layout of which {@code count} consecutive elements share no bytes. */
  Layout apart(Basic[] signature, int times, int count) {
    Layout layout = layouts.of(signature, times, true);
    return bytes(layout, new int[] {0}, new int[] {count}, true) != null ? layout : layouts.dense(signature, times);
  }

  /** A buffer that consists of parts. */
  final class Whole {
    final Place place;
    /** Of each part, in elements. */
    final int[] counts;
    final int[] firsts;

    /** Parts of any length in any place; {@code repetitions} has an entry for each part. */
    Whole(int rank, Basic[] signature, int times, int[] repetitions, boolean isReceived, boolean isDivided) {
      int parts = repetitions.length;
      counts = new int[parts];
      firsts = new int[parts];
      int[] order = new int[parts];
      for (int i = 0; i < parts; i++) {
        order[i] = i;
        counts[i] = repetitions[i] / times;
      }
      if (!isDivided) {
        layouts.shuffle(order);
      }
      boolean isEmpty = isDivided && parts > 0 && repetitions[0] == 0 && oneIn(2);
      if (isEmpty) {
        Arrays.fill(counts, random.nextInt(3));
      }
      int end = isDivided ? 0 : random.nextInt(2);
      for (int i : order) {
        firsts[i] = end;
        end += counts[i] + (isDivided ? 0 : random.nextInt(2));
      }
      Layout layout = isEmpty ? layouts.empty() : layouts.of(signature, times, isReceived);
      Place found = place(rank, layout, end, firsts, counts, isReceived);
      place = found != null ? found : place(rank, layouts.dense(signature, times), end, firsts, counts, isReceived);
    }
  }
}
