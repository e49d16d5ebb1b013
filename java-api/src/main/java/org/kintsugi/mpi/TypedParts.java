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

  /** Copies the data of all parts from a staging block of the buffer into its array. */
  void deliver(Buf buf, long block) {
    for (int i = 0; i < counts.length; i++) {
      buf.copyFrom(block, displacementBytes[i], types[i], counts[i]);
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

  /** The C arrays of both, in one block: first those of {@code first}. The caller frees it. */
  static long allocate(TypedParts first, TypedParts second) {
    first.makeTypes();
    second.makeTypes();
    long block = Memory.allocate(first.blockBytes() + second.blockBytes());
    first.write(block);
    second.write(block + first.blockBytes());
    return block;
  }

  /** Makes the datatypes. This can fail, so it comes before any allocation. */
  private void makeTypes() {
    for (Datatype type : types) {
      type.handle();
    }
  }

  private void write(long block) {
    for (int i = 0; i < counts.length; i++) {
      Memory.putLong(types(block) + 8L * i, types[i].handle());
      Memory.putInt(counts(block) + 4L * i, LargeCounts.count(types[i], counts[i]));
      Memory.putInt(displacements(block) + 4L * i, displacementBytes[i]);
    }
  }
}
