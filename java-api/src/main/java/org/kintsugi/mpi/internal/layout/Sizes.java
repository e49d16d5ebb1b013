// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.layout;

import org.kintsugi.mpi.internal.lifetime.Rejections;

/** Sizes and places in bytes, which must fit a {@code long}. */
public final class Sizes {
  private Sizes() {}

  /** A count times a size. */
  public static long product(long count, long size) {
    long high = Math.multiplyHigh(count, size);
    long low = count * size;
    if (high != low >> 63) {
      throw Rejections.argument(count + " x " + size + " bytes is beyond the range of a long: smaller counts, strides or extents "
          + "are needed");
    }
    return low;
  }

  /** A place plus a distance. */
  public static long sum(long place, long distance) {
    long sum = place + distance;
    if (((place ^ sum) & (distance ^ sum)) < 0) {
      throw Rejections
          .argument(place + " + " + distance + " bytes is beyond the range of a long: smaller displacements or extents "
              + "are needed");
    }
    return sum;
  }
}
