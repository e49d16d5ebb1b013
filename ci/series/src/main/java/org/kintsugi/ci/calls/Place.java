// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;

/**
 * A buffer of one rank: elements of a layout from an offset of an area on.
 *
 * @param rank in the world
 * @param area the number among the rank's areas
 * @param offset in bytes
 * @param count elements that the buffer has; an operation may use some of them
 * @param toTheEnd whether the library's view of the memory goes on to the end of the area
 */
record Place(int rank, Area memory, int area, int offset, Layout layout, int count, boolean toTheEnd) {
  /** Where a basic element of the buffer is, in bytes of the area. */
  int at(int basic) {
    int each = layout.at.length;
    return offset + Math.toIntExact(basic / each * layout.extent()) + layout.at[basic % each];
  }

  Basic kind(int basic) {
    return layout.kinds[basic % layout.at.length];
  }

  /** Basic elements in an element. */
  int each() {
    return layout.at.length;
  }

  /** Bytes from its address on that all elements have. */
  static int span(Layout layout, int count) {
    return count == 0 || layout.at.length == 0 ? 0 : Math.toIntExact((count - 1) * layout.extent() + layout.end());
  }

  /** A view of the memory as the library takes it. */
  Buf buf(Layout.Types types) {
    Datatype type = types.of(layout);
    Buf memoryView = memory.view(offset, toTheEnd ? -1 : span(layout, count));
    return !toTheEnd && type == memoryView.datatype() && count == memoryView.count() ? memoryView : memoryView.as(type, count);
  }

  @Override
  public String toString() {
    return count + " x " + layout + " at byte " + offset + (toTheEnd ? " (to the end)" : "") + " of area " + area + " (" + memory
        + ")";
  }
}
