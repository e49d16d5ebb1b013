// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.kintsugi.mpi.Datatype;

/**
 * A datatype as the standard defines it (MPI 4.1, section 5.1): a list of basic types with their offsets, and two bounds. Its
 * {@link #make} calls the library's constructors; nothing else here is the library's.
 */
final class Layout {
  /** What the ranks print, and how the datatype is made. */
  private final String text;
  private final Function<Types, Datatype> maker;

  final int[] at;
  final Basic[] kinds;
  private final long lower;
  private final long upper;
  /** Bounds that {@link #resized} has set count for more than those of the elements, in types made from it as well. */
  private final boolean isLowerSet;
  private final boolean isUpperSet;
  private final int alignment;
  private final boolean isPredefined;

  /** The datatypes that one call makes; closed together at its end. */
  static final class Types implements AutoCloseable {
    private final List<Datatype> made = new ArrayList<>();

    Datatype of(Layout layout) {
      Datatype type = layout.maker.apply(this);
      if (!layout.isPredefined) {
        made.add(type);
      }
      if (layout.extent() != type.extent() || layout.size() != type.size()) {
        throw new WrongException(
            "extent " + type.extent() + " and size " + type.size() + " instead of " + layout.extent() + " and "
                + layout.size() + " of " + layout);
      }
      return type;
    }

    @Override
    public void close() {
      made.forEach(Datatype::close);
      made.clear();
    }
  }

  /** Elements of several types at offsets: all constructors are such a list. */
  private static final class Builder {
    private final List<Integer> at = new ArrayList<>();
    private final List<Basic> kinds = new ArrayList<>();
    private long lower = Long.MAX_VALUE;
    private long upper = Long.MIN_VALUE;
    private boolean isLowerSet;
    private boolean isUpperSet;
    private int alignment = 1;

    void add(Layout part, long offset) {
      if (part.isEmpty()) {
        return;
      }
      for (int i = 0; i < part.at.length; i++) {
        at.add(Math.toIntExact(offset + part.at[i]));
        kinds.add(part.kinds[i]);
      }
      if (part.isLowerSet && !isLowerSet) {
        lower = offset + part.lower;
      } else if (part.isLowerSet || !isLowerSet) {
        lower = Math.min(lower, offset + part.lower);
      }
      if (part.isUpperSet && !isUpperSet) {
        upper = offset + part.upper;
      } else if (part.isUpperSet || !isUpperSet) {
        upper = Math.max(upper, offset + part.upper);
      }
      isLowerSet |= part.isLowerSet;
      isUpperSet |= part.isUpperSet;
      alignment = Math.max(alignment, part.alignment);
    }

    /** So that the next element is as well aligned; Open MPI does it after each block. */
    void round() {
      if (!at.isEmpty() && !isUpperSet) {
        upper += Math.floorMod(lower - upper, (long) alignment);
      }
    }

    Layout built(String text, Function<Types, Datatype> maker) {
      round();
      return new Layout(text, maker, this, false);
    }
  }

  private Layout(String text, Function<Types, Datatype> maker, Builder from, boolean isPredefined) {
    this.text = text;
    this.maker = maker;
    at = from.at.stream().mapToInt(i -> i).toArray();
    kinds = from.kinds.toArray(Basic[]::new);
    lower = from.lower;
    upper = from.upper;
    isLowerSet = from.isLowerSet;
    isUpperSet = from.isUpperSet;
    alignment = from.alignment;
    this.isPredefined = isPredefined;
  }

  private Layout(Layout old, long lower, long extent) {
    text = old + ".resized(" + lower + ", " + extent + ")";
    maker = types -> types.of(old).resized(lower, extent);
    at = old.at;
    kinds = old.kinds;
    this.lower = lower;
    upper = lower + extent;
    isLowerSet = true;
    isUpperSet = true;
    alignment = old.alignment;
    isPredefined = false;
  }

  static Layout of(Basic kind) {
    Builder builder = new Builder();
    builder.at.add(0);
    builder.kinds.add(kind);
    builder.lower = 0;
    builder.upper = kind.bytes;
    builder.alignment = kind.bytes;
    return new Layout(kind.name(), types -> kind.type, builder, true);
  }

  /** A double and an int, the next one 16 bytes further. */
  static Layout doubleInt() {
    Builder builder = new Builder();
    builder.at.addAll(List.of(0, 8));
    builder.kinds.addAll(List.of(Basic.DOUBLE, Basic.INT));
    builder.lower = 0;
    builder.upper = 16;
    builder.alignment = 8;
    return new Layout("DOUBLE_INT", types -> Datatype.DOUBLE_INT, builder, true);
  }

  static Layout contiguous(int count, Layout old) {
    Builder builder = new Builder();
    for (int i = 0; i < count; i++) {
      builder.add(old, i * old.extent());
    }
    return builder.built("contiguous(" + count + ", " + old + ")", types -> Datatype.contiguous(count, types.of(old)));
  }

  static Layout vector(int count, int length, int stride, Layout old) {
    Builder builder = new Builder();
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < length; j++) {
        builder.add(old, ((long) i * stride + j) * old.extent());
      }
    }
    return builder.built("vector(" + count + ", " + length + ", " + stride + ", " + old + ")",
        types -> Datatype.vector(count, length, stride, types.of(old)));
  }

  static Layout indexed(int[] lengths, int[] places, Layout old) {
    Builder builder = new Builder();
    for (int i = 0; i < lengths.length; i++) {
      for (int j = 0; j < lengths[i]; j++) {
        builder.add(old, ((long) places[i] + j) * old.extent());
      }
      builder.round();
    }
    return builder.built("indexed(" + Arrays.toString(lengths) + ", " + Arrays.toString(places) + ", " + old + ")",
        types -> Datatype.indexed(lengths, places, types.of(old)));
  }

  static Layout struct(int[] lengths, long[] places, Layout[] olds) {
    Builder builder = new Builder();
    for (int i = 0; i < lengths.length; i++) {
      for (int j = 0; j < lengths[i]; j++) {
        builder.add(olds[i], places[i] + j * olds[i].extent());
      }
      builder.round();
    }
    return builder.built(
        "struct(" + Arrays.toString(lengths) + ", " + Arrays.toString(places) + ", " + Arrays.toString(olds) + ")",
        types -> Datatype.struct(lengths, places, Arrays.stream(olds).map(types::of).toArray(Datatype[]::new)));
  }

  /** The same elements with other bounds. */
  Layout resized(long lowerBound, long extent) {
    return new Layout(this, lowerBound, extent);
  }

  private boolean isEmpty() {
    return lower == Long.MAX_VALUE;
  }

  boolean isPredefined() {
    return isPredefined;
  }

  boolean isDoubleInt() {
    return isPredefined && at.length == 2;
  }

  long extent() {
    return isEmpty() ? 0 : upper - lower;
  }

  long size() {
    return Arrays.stream(kinds).mapToLong(kind -> kind.bytes).sum();
  }

  /** The first byte of data. */
  int first() {
    return Arrays.stream(at).min().orElse(0);
  }

  /** The byte after the last one of data. */
  int end() {
    int end = 0;
    for (int i = 0; i < at.length; i++) {
      end = Math.max(end, at[i] + kinds[i].bytes);
    }
    return end;
  }

  @Override
  public String toString() {
    return text;
  }
}
