// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Passes counts beyond the C functions' {@code int} as one element of a derived datatype.
 *
 * <p>That element has the type signature and the extent of all elements together. So the other side may receive it as single
 * elements, and the parts of a gather are at their usual places. Open MPI 5.0 has no functions with {@code MPI_Count}.
 * MPI's operations are not defined on derived datatypes: {@link CollectiveCalls} reduces large buffers piece by piece.
 */
final class LargeCounts {
  /** Elements of a piece of a reduction, and of a block of the derived datatype. */
  static final int PIECE = 1 << 28;

  /** How many datatypes are kept. Making one costs little compared with a message that needs it. */
  private static final int MOST_KEPT = 16;

  private static final Map<Key, Datatype> MADE = new LinkedHashMap<>(MOST_KEPT, 0.75f, true);

  private LargeCounts() {}

  private record Key(Datatype elements, long count) {}

  static boolean isLarge(long count) {
    return count > Integer.MAX_VALUE;
  }

  /**
   * The count for MPI, of elements of {@link #type}: 0 where there are no data. Open MPI's collectives return at once where a
   * count is 0, and wait for others where elements are without data: all ranks have to do the same.
   */
  static int count(Datatype elements, long count) {
    return elements.size() == 0 ? 0 : isLarge(count) ? 1 : (int) count;
  }

  /** The counts of parts for MPI, likewise. */
  static int[] counts(Datatype elements, int[] counts) {
    return elements.size() == 0 ? new int[counts.length] : counts;
  }

  /**
   * The {@code MPI_Datatype} for {@code count} elements, to be passed to MPI with {@link #count}.
   */
  static long type(Datatype elements, long count) {
    return isLarge(count) ? made(elements, count) : elements.handle();
  }

  private static long made(Datatype elements, long count) {
    elements.requireOpen("datatype");
    synchronized (MADE) {
      Datatype all = MADE.computeIfAbsent(new Key(elements, count), key -> Datatype.together(count, PIECE, elements));
      if (MADE.size() > MOST_KEPT) {
        // Closes the least recently used one. MPI keeps what pending operations need of it.
        MADE.remove(MADE.keySet().iterator().next()).close();
      }
      return all.handle();
    }
  }
}
