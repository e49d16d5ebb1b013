// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Arrays;

/**
 * Points of up to three strips, by the square cells that contain them. All points near a point are
 * in the nine cells around it.
 */
final class Cells {
  private final double width;
  private final double bottom;
  private final int columns;
  private final int rows;
  /** The newest point of each cell; {@code before} has the next older point of each. -1: none. */
  private final int[] newest;
  private int[] before = new int[0];
  private int[] stripOf = new int[0];
  private int[] indexOf = new int[0];
  private int size;
  private int strip;

  /** Visits a point: strip 0, 1 or 2, and its number there. */
  @FunctionalInterface
  interface Visitor {
    void at(int strip, int index);
  }

  /** For a strip of this height and its neighbours; cells are a radius wide, or wider where that would be very many. */
  Cells(double radius, double height, int rank) {
    width = Math.max(radius, 1.0 / 2048);
    bottom = (rank - 1) * height - width;
    columns = (int) (1.0 / width) + 3;
    rows = (int) ((3 * height + 2 * width) / width) + 3;
    newest = new int[columns * rows];
    Arrays.fill(newest, -1);
  }

  /** Adds the next strip; null if there is none on that side. */
  void add(Points points) {
    int count = points == null ? 0 : points.x.length;
    before = Arrays.copyOf(before, size + count);
    stripOf = Arrays.copyOf(stripOf, size + count);
    indexOf = Arrays.copyOf(indexOf, size + count);
    for (int i = 0; i < count; i++) {
      int cell = row(points.y[i]) * columns + column(points.x[i]);
      before[size] = newest[cell];
      stripOf[size] = strip;
      indexOf[size] = i;
      newest[cell] = size++;
    }
    strip++;
  }

  /** Visits all points within a radius, and some that are further away; the point itself, too. */
  void forEachNear(double x, double y, Visitor visitor) {
    for (int row = row(y) - 1; row <= row(y) + 1; row++) {
      for (int column = column(x) - 1; column <= column(x) + 1; column++) {
        for (int point = newest[row * columns + column]; point >= 0; point = before[point]) {
          visitor.at(stripOf[point], indexOf[point]);
        }
      }
    }
  }

  private int column(double x) {
    return (int) (x / width) + 1;
  }

  private int row(double y) {
    return (int) ((y - bottom) / width) + 1;
  }
}
