// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

/**
 * A box of elements or nodes: from {@code x0} to {@code x1 - 1} and so on.
 *
 * @param x0 first in x
 * @param x1 last in x plus 1
 * @param y0 first in y
 * @param y1 last in y plus 1
 * @param z0 first in z
 * @param z1 last in z plus 1
 */
record Box(int x0, int x1, int y0, int y1, int z0, int z1) {
  private static final int X = 0;
  private static final int Y = 1;
  private static final int Z = 2;
  private static final int AXES = 3;

  /**
   * The box of each rank. The whole is halved along z, then y, then x, then z again, in proportion
   * to the ranks of both halves.
   */
  static Box[] split(Box all, int ranks) {
    Box[] boxes = new Box[ranks];
    split(all, Z, boxes, 0, ranks);
    return boxes;
  }

  private static void split(Box all, int axis, Box[] boxes, int first, int ranks) {
    if (ranks == 1) {
      boxes[first] = all;
      return;
    }
    int lower = ranks / 2;
    int upper = ranks - lower;
    int cut = all.end(axis) - (int) (all.length(axis) * ((double) upper / ranks));
    int next = (axis + 2) % AXES;
    split(all.with(axis, all.start(axis), cut), next, boxes, first, lower);
    split(all.with(axis, cut, all.end(axis)), next, boxes, first + lower, upper);
  }

  private Box with(int axis, int start, int end) {
    return switch (axis) {
      case X -> new Box(start, end, y0, y1, z0, z1);
      case Y -> new Box(x0, x1, start, end, z0, z1);
      default -> new Box(x0, x1, y0, y1, start, end);
    };
  }

  private int start(int axis) {
    return axis == X ? x0 : axis == Y ? y0 : z0;
  }

  private int end(int axis) {
    return axis == X ? x1 : axis == Y ? y1 : z1;
  }

  private int length(int axis) {
    return end(axis) - start(axis);
  }

  int lengthX() {
    return x1 - x0;
  }

  int lengthY() {
    return y1 - y0;
  }

  int lengthZ() {
    return z1 - z0;
  }

  long size() {
    return isEmpty() ? 0 : (long) lengthX() * lengthY() * lengthZ();
  }

  boolean isEmpty() {
    return x1 <= x0 || y1 <= y0 || z1 <= z0;
  }

  /** The intersection of both. */
  Box meet(Box other) {
    return new Box(Math.max(x0, other.x0), Math.min(x1, other.x1), Math.max(y0, other.y0), Math.min(y1, other.y1),
        Math.max(z0, other.z0), Math.min(z1, other.z1));
  }

  /** One more on every side. */
  Box grown() {
    return new Box(x0 - 1, x1 + 1, y0 - 1, y1 + 1, z0 - 1, z1 + 1);
  }

  /** The index of a point, with z outermost and x innermost. */
  int index(int x, int y, int z) {
    return (x - x0) + lengthX() * ((y - y0) + lengthY() * (z - z0));
  }
}
