// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Memory;

/** The parts of a buffer for each rank, each with a datatype of its own: for {@link Comm#allToAllW}. */
public final class TypedParts {
  private final int[] counts;
  private final int[] displacementBytes;
  private final Datatype[] types;

  private TypedParts(int[] counts, int[] displacementBytes, Datatype[] types) {
    this.counts = counts.clone();
    this.displacementBytes = displacementBytes.clone();
    this.types = types.clone();
  }

  /**
   * One part for each rank; the arrays are copied.
   *
   * @param counts elements of each part's datatype
   * @param displacementBytes where each part starts, in bytes from the buffer's beginning
   * @param types the datatypes
   * @return the parts, for a buffer of any length that holds them
   * @throws IllegalArgumentException if the arrays have different lengths, a count or displacement is negative, or a type is
   *     null
   */
  public static TypedParts of(int[] counts, int[] displacementBytes, Datatype[] types) {
    Rejections.requireNonNull(counts, "counts");
    Rejections.requireNonNull(displacementBytes, "displacementBytes");
    Rejections.requireNonNull(types, "types");
    if (counts.length != displacementBytes.length || counts.length != types.length) {
      throw Rejections.argument("counts, displacementBytes and types have " + counts.length + ", "
          + displacementBytes.length + " and " + types.length + " elements");
    }
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < 0 || displacementBytes[i] < 0 || types[i] == null) {
        throw Rejections.argument(
            "part " + i + ": count " + counts[i] + ", displacement " + displacementBytes[i] + " bytes, type " + types[i]);
      }
    }
    return new TypedParts(counts, displacementBytes, types);
  }

  int length() {
    return counts.length;
  }

  void requireInside(Buf buf, String argument) {
    for (int i = 0; i < counts.length; i++) {
      types[i].requireOpen("the type of part " + i);
      long end = displacementBytes[i] + types[i].span(counts[i]);
      if (end > buf.bytes()) {
        throw Rejections.argument("part " + i + " (count " + counts[i] + " of " + types[i] + ", displacement "
            + displacementBytes[i] + " bytes) ends at byte " + end + ", and " + argument + " has " + buf.bytes());
      }
    }
  }

  /** Whether the data of a part are not one run of bytes. */
  boolean haveGaps() {
    for (Datatype type : types) {
      if (!type.isContiguous()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The bytes of data in all parts.
   *
   * @throws IllegalArgumentException if MPI cannot name the places of all parts in a block of that size
   */
  long dataBytes() {
    long all = 0;
    for (int i = 0; i < counts.length; i++) {
      if (all > Integer.MAX_VALUE) {
        throw Rejections.argument("the parts before part " + i + " have " + all + " bytes of data, and " + Integer.MAX_VALUE
            + " are the most in allToAllW");
      }
      all += counts[i] * types[i].size();
    }
    return all;
  }

  /** Copies the data of all parts to a block, one part after the other. */
  void pack(Buf buf, long block) {
    long to = block;
    for (int i = 0; i < counts.length; i++) {
      buf.packAt(displacementBytes[i], types[i], counts[i], to);
      to += counts[i] * types[i].size();
    }
  }

  /** The counterpart of {@link #pack}. */
  void unpack(Buf buf, long block) {
    long from = block;
    for (int i = 0; i < counts.length; i++) {
      buf.unpackAt(from, displacementBytes[i], types[i], counts[i]);
      from += counts[i] * types[i].size();
    }
  }

  /** The signature of each, with commas between. */
  String signatures() {
    return IntStream.range(0, counts.length).mapToObj(i -> types[i].signature(counts[i])).collect(Collectors.joining(","));
  }

  /**
   * The size of these parts' C arrays in bytes. It is a multiple of 8, so that the handles of the
   * next parts are aligned.
   */
  long blockBytes() {
    return 16L * counts.length;
  }

  /** The handles first, then the counts, then the displacements. */
  long types(long block) {
    return block;
  }

  long counts(long block) {
    return block + 8L * counts.length;
  }

  long displacements(long block) {
    return block + 12L * counts.length;
  }

  /**
   * The C arrays of both, in one block: first those of {@code first}. The caller frees it.
   *
   * @param isFirstPacked whether MPI gets the parts of {@code first} in a block, see {@link #pack}
   * @param isSecondPacked likewise
   */
  static long allocate(TypedParts first, boolean isFirstPacked, TypedParts second, boolean isSecondPacked) {
    long block = Memory.allocate(first.blockBytes() + second.blockBytes());
    first.write(block, isFirstPacked);
    second.write(block + first.blockBytes(), isSecondPacked);
    return block;
  }

  private void write(long block, boolean isPacked) {
    long place = 0;
    for (int i = 0; i < counts.length; i++) {
      Memory.putLong(types(block) + 8L * i, LargeCounts.type(types[i], counts[i]));
      Memory.putInt(counts(block) + 4L * i, LargeCounts.count(types[i], counts[i]));
      Memory.putInt(displacements(block) + 4L * i, isPacked ? (int) place : displacementBytes[i]);
      place += isPacked ? counts[i] * types[i].size() : 0;
    }
  }
}
