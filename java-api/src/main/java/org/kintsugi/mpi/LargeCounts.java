// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.kintsugi.mpi.internal.lifetime.Rejections;

/**
 * How MPI gets a number of elements: as elements of a plain datatype ({@link Datatype#plain}).
 *
 * <p>A number beyond the C functions' {@code int} is one element of a derived datatype. That has the type signature and the
 * extent of all elements together. So the other side may receive it as single elements, and the parts of a gather are at their
 * usual places. Open MPI 5.0 has no functions with {@code MPI_Count}. MPI's operations are not defined on derived datatypes:
 * {@link CollectiveCalls} reduces large buffers piece by piece.
 */
final class LargeCounts {
  /** Elements of a piece of a reduction, and of a block of the derived datatype. */
  static final int PIECE = 1 << 28;

  /**
   * All datatypes that were made. None is closed: another thread may have got its handle, and may
   * be about to pass it to MPI or be in a blocking collective with it. A datatype takes some
   * kilobytes, and serves all messages of that count, of 2 GiB or more.
   */
  private static final ConcurrentMap<Key, Datatype> MADE = new ConcurrentHashMap<>();

  private LargeCounts() {}

  private record Key(Datatype plain, long count) {}

  static boolean isLarge(long count) {
    return count > Integer.MAX_VALUE;
  }

  /** The count for MPI, of elements of {@link #type}. */
  static int count(Datatype elements, long count) {
    long all = Math.multiplyExact(count, elements.plainLength());
    return isLarge(all) ? 1 : (int) all;
  }

  /**
   * The {@code MPI_Datatype} for {@code count} elements, to be passed to MPI with {@link #count}.
   */
  static long type(Datatype elements, long count) {
    elements.requireOpen("datatype");
    long all = Math.multiplyExact(count, elements.plainLength());
    return isLarge(all) ? made(elements.plain(), all) : elements.plain().handle();
  }

  private static long made(Datatype plain, long count) {
    Key key = new Key(plain, count);
    Datatype all = MADE.get(key);
    if (all == null) {
      all = make(key);
    }
    return all.handle();
  }

  private static synchronized Datatype make(Key key) {
    Datatype all = MADE.get(key);
    if (all == null) {
      all = Datatype.together(key.count, PIECE, key.plain);
      MADE.put(key, all);
    }
    return all;
  }

  /**
   * The unit in which MPI counts the elements of a buffer that is divided into parts: by an array of
   * counts, and one of displacements.
   *
   * @param type the {@code MPI_Datatype}
   * @param each how many units an element has
   */
  record Unit(long type, int each) {
    /** Numbers of elements, as C counts them. */
    int[] of(int[] elements) {
      if (each == 1) {
        return elements;
      }
      int[] units = new int[elements.length];
      for (int i = 0; i < units.length; i++) {
        units[i] = elements[i] * each;
      }
      return units;
    }
  }

  /** An element of the plain datatype; or all of these in one element, where an int cannot count them. */
  static Unit unit(Datatype elements, int[] counts, int[] displacements) {
    long type = type(elements, 0);
    long length = elements.plainLength();
    if (length != 1 && isLarge(Math.multiplyExact(end(counts, displacements), length))) {
      return new Unit(made(elements.plain(), length), 1);
    }
    Unit known = elements.unitOfParts;
    if (known == null || known.type != type) {
      known = new Unit(type, (int) length);
      elements.unitOfParts = known;
    }
    return known;
  }

  /**
   * A byte, for parts that one process of a group forwards between two groups. Open MPI (5.0.7, coll_inter_gatherv.c and the
   * like) takes the counts of one process for elements of another one's datatype, and a process without data may name any.
   *
   * @param count how many elements there are at most
   * @param function for error messages
   */
  static Unit bytes(Datatype elements, long count, String function) {
    elements.requireOpen("datatype");
    long all = Math.multiplyExact(count, elements.size());
    if (isLarge(all)) {
      throw Rejections.argument(function + " between two groups with " + all + " bytes: " + Integer.MAX_VALUE
          + " are the most in the blocking form; use the nonblocking one");
    }
    return new Unit(Datatype.BYTE.handle(), (int) elements.size());
  }

  /** The end of the last part, in elements. */
  static long end(int[] counts, int[] displacements) {
    long end = 0;
    for (int i = 0; i < counts.length; i++) {
      end = Math.max(end, (long) displacements[i] + counts[i]);
    }
    return end;
  }
}
