// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.protection;

import org.kintsugi.advice.internal.shadow.Shadow;
import org.kintsugi.advice.internal.shadow.Shadows;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.memory.Memory;

/** Which locations a buffer consists of: elements of a Java array, or memory outside of the heap. */
public final class Buffers {
  private Buffers() {}

  /**
   * Locations one after another.
   *
   * @param array that they are in; null: they are outside of the heap
   * @param first the number of the first location in the shadow
   */
  public record Range(Shadow shadow, Object array, int first, int count) {}

  /** The locations of a whole buffer. */
  public static Range of(Buf buf) {
    return of(buf, 0, buf.bytes());
  }

  /** A part of a buffer, in bytes from its begin. */
  public static Range of(Buf buf, long skip, long bytes) {
    Object array = Access.bufs().base(buf);
    long offset = Access.bufs().offset(buf) + skip;
    if (array != null) {
      int size = Items.elementBytes(array.getClass());
      int first = (int) ((offset - Memory.arrayBase(array.getClass())) / size);
      return new Range(Shadows.of(array), array, first, (int) ((bytes + size - 1) / size));
    }
    int size = (int) Math.max(1, Math.min(8, buf.datatype().extent()));
    Shadows.Region region = Shadows.at(Access.bufs().offset(buf), buf.bytes(), size);
    Shadow shadow = region.shadow();
    Shadows.of(buf).names().forEach(name -> shadow.named(name.variable(), name.indices()));
    if (shadow.allocation() == null) {
      shadow.madeBy(Shadows.of(buf).allocation());
    }
    int first = (int) ((offset - region.address()) / region.elementBytes());
    return new Range(shadow, null, first, (int) ((bytes + region.elementBytes() - 1) / region.elementBytes()));
  }
}
