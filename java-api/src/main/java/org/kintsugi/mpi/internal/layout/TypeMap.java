// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.layout;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Ints;
import org.kintsugi.mpi.internal.memory.Memory;

/**
 * The construction of a datatype, and the bytes that it touches. Both are computed in Java by the
 * rules of MPI 4.1, section 5.1, so that layouts are known and compared without MPI. {@link #make}
 * lets MPI construct the type, and checks that MPI has computed the same layout.
 */
public final class TypeMap {
  private enum Constructor {
    PREDEFINED,
    CONTIGUOUS,
    VECTOR,
    INDEXED,
    STRUCT,
    RESIZED
  }

  /** Of an element with more runs than this, the runs are found each time. */
  private static final int MOST_RUNS = 1024;
  private static final long[] TOO_MANY = {};

  private final Constructor constructor;
  private final LongSupplier predefined;
  private final int[] numbers; // the arguments of the constructor
  private final long[] bytes;
  private final TypeMap[] old;

  private long lower = Long.MAX_VALUE; // empty so far
  private long upper = Long.MIN_VALUE;
  private long trueLower = Long.MAX_VALUE;
  private long trueUpper = Long.MIN_VALUE;
  private long size;
  private int alignment = 1;
  private boolean isLowerSet; // set by resized, not computed from the elements
  private boolean isUpperSet;
  private Signature signature = Signature.EMPTY;
  /** Whether the data of one element are one run of bytes, in the type map's order. */
  private boolean isRun = true;
  /** The basic type that all data are of. Null: there are no data, or they are of several types. */
  private TypeMap basic;
  private volatile long[] runs; // see runs(); null: not found yet

  private TypeMap(Constructor constructor, LongSupplier predefined, int[] numbers, long[] bytes, TypeMap... old) {
    this.constructor = constructor;
    this.predefined = predefined;
    this.numbers = numbers;
    this.bytes = bytes;
    this.old = old;
  }

  private static int[] numbers(int... values) {
    return values;
  }

  /** One number. @param handle as for {@link #predefined} */
  public static TypeMap basic(LongSupplier handle, int size, Signature signature) {
    TypeMap map = predefined(handle, size, size, size, signature);
    map.basic = map;
    return map;
  }

  /**
   * @param handle returns MPI's handle; called only when it is needed, because it loads the library
   */
  public static TypeMap predefined(LongSupplier handle, int size, int extent, int alignment, Signature signature) {
    TypeMap map = new TypeMap(Constructor.PREDEFINED, handle, numbers(), null);
    map.lower = 0;
    map.trueLower = 0;
    map.upper = extent;
    map.trueUpper = size;
    map.size = size;
    map.alignment = alignment;
    map.signature = signature;
    return map;
  }

  public static TypeMap contiguous(int count, TypeMap old) {
    return new TypeMap(Constructor.CONTIGUOUS, null, numbers(count), null, old).add(old, count, 0);
  }

  public static TypeMap vector(int count, int blockLength, int stride, TypeMap old) {
    TypeMap map = new TypeMap(Constructor.VECTOR, null, numbers(count, blockLength, stride), null, old);
    long step = Sizes.product(stride, old.extent());
    return map.add(contiguous(blockLength, old), count, 0, step);
  }

  public static TypeMap indexed(int[] blockLengths, int[] displacements, TypeMap old) {
    int[] all = Arrays.copyOf(blockLengths, 2 * blockLengths.length);
    System.arraycopy(displacements, 0, all, blockLengths.length, blockLengths.length);
    TypeMap map = new TypeMap(Constructor.INDEXED, null, all, null, old);
    for (int i = 0; i < blockLengths.length; i++) {
      map.add(old, blockLengths[i], Sizes.product(displacements[i], old.extent()));
    }
    return map;
  }

  public static TypeMap struct(int[] blockLengths, long[] displacementsBytes, TypeMap[] types) {
    TypeMap map = new TypeMap(Constructor.STRUCT, null, blockLengths.clone(), displacementsBytes.clone(), types);
    for (int i = 0; i < blockLengths.length; i++) {
      map.add(types[i], blockLengths[i], displacementsBytes[i]);
    }
    return map;
  }

  public static TypeMap resized(TypeMap old, long lowerBoundBytes, long extentBytes) {
    TypeMap map = new TypeMap(Constructor.RESIZED, null, numbers(), new long[] {lowerBoundBytes, extentBytes}, old);
    map.add(old, 1, 0);
    map.lower = lowerBoundBytes;
    map.upper = Sizes.sum(lowerBoundBytes, extentBytes);
    map.isLowerSet = true;
    map.isUpperSet = true;
    return map;
  }

  private TypeMap add(TypeMap part, long count, long at) {
    return add(part, count, at, part.extent());
  }

  /**
   * Appends elements: the first one at a displacement, each next one {@code step} bytes further.
   */
  private TypeMap add(TypeMap part, long count, long at, long step) {
    if (count == 0 || part.isEmpty()) {
      return this;
    }
    long last = Sizes.sum(at, Sizes.product(count - 1, step));
    long first = Math.min(at, last);
    last = Math.max(at, last);
    lower = bound(lower, isLowerSet, Sizes.sum(first, part.lower), part.isLowerSet, true);
    upper = bound(upper, isUpperSet, Sizes.sum(last, part.upper), part.isUpperSet, false);
    isLowerSet |= part.isLowerSet;
    isUpperSet |= part.isUpperSet;
    alignment = Math.max(alignment, part.alignment);
    if (!isUpperSet) {
      upper += Math.floorMod(lower - upper, alignment); // so that the next element has the same alignment
    }
    if (part.size > 0) {
      boolean follows = size == 0 || trueUpper == Sizes.sum(at, part.trueLower);
      isRun = isRun && part.isRun && follows && (count == 1 || step == part.size);
      basic = size == 0 || basic == part.basic ? part.basic : null;
      trueLower = Math.min(trueLower, first + part.trueLower);
      trueUpper = Math.max(trueUpper, last + part.trueUpper);
      size = Sizes.sum(size, Sizes.product(count, part.size));
      signature = signature.then(part.signature.repeated(count));
    }
    return this;
  }

  /** A bound that was set overrides a computed one. */
  private static long bound(long own, boolean isOwnSet, long others, boolean isOthersSet, boolean least) {
    if (isOwnSet != isOthersSet) {
      return isOwnSet ? own : others;
    }
    return least ? Math.min(own, others) : Math.max(own, others);
  }

  private boolean isEmpty() {
    return lower == Long.MAX_VALUE;
  }

  /** Whether it is one number. */
  public boolean isBasic() {
    return basic == this;
  }

  public boolean isPredefined() {
    return constructor == Constructor.PREDEFINED;
  }

  /** Bytes from one element to the next. */
  public long extent() {
    return isEmpty() ? 0 : upper - lower;
  }

  /** Bytes of data. */
  public long size() {
    return size;
  }

  /** The first byte of data, counted from the element's address. */
  public long firstByte() {
    return size == 0 ? 0 : trueLower;
  }

  /** The end of the data: the byte after the last one. */
  public long endByte() {
    return size == 0 ? 0 : trueUpper;
  }

  public Signature signature() {
    return signature;
  }

  /** The basic type that all data are of. Null: there are no data, or they are of several types. */
  public TypeMap basic() {
    return basic;
  }

  /** Is shown the runs of data in elements. */
  public interface Visitor {
    /** A run of data. @param at in bytes from where the elements begin */
    void run(long at, long bytes);

    /**
     * Elements that have the same runs.
     *
     * @param at where the first one begins
     * @param step from one element to the next
     * @param runs of an element: an offset and a length each
     * @param size the lengths together
     */
    void elements(long at, long count, long step, long[] runs, long size);

    /** Whether it needs no more runs. */
    boolean isDone();
  }

  /** Collects the runs of one element. Those that follow one another become one. */
  private static final class Runs implements Visitor {
    private final long[] runs = new long[2 * MOST_RUNS];
    private int length;
    private boolean isDone;

    @Override
    public void run(long at, long bytes) {
      if (length > 0 && runs[length - 2] + runs[length - 1] == at) {
        runs[length - 1] += bytes;
      } else if (length == runs.length) {
        isDone = true;
      } else {
        runs[length++] = at;
        runs[length++] = bytes;
      }
    }

    @Override
    public void elements(long at, long count, long step, long[] ofElement, long bytes) {
      for (long i = 0; i < count && !isDone; i++) {
        for (int run = 0; run < ofElement.length; run += 2) {
          run(at + i * step + ofElement[run], ofElement[run + 1]);
        }
      }
    }

    @Override
    public boolean isDone() {
      return isDone;
    }
  }

  /** The runs of data in an element, as {@link Visitor#elements} has them; {@link #TOO_MANY} otherwise. */
  private long[] runs() {
    long[] known = runs;
    if (known == null) {
      Runs list = new Runs();
      if (isRun) {
        list.run(trueLower, size);
      } else {
        showOne(list, 0);
      }
      known = list.isDone ? TOO_MANY : Arrays.copyOf(list.runs, list.length);
      runs = known;
    }
    return known;
  }

  /**
   * Shows the runs of data in elements, in the order of the type map.
   *
   * @param at where the first element begins
   * @param step from one element to the next, in bytes
   */
  public void show(Visitor visitor, long at, long count, long step) {
    if (size == 0 || count == 0) {
      return;
    }
    if (isRun && (count == 1 || step == size)) {
      visitor.run(at + trueLower, count * size);
    } else if (runs() != TOO_MANY) {
      visitor.elements(at, count, step, runs, size);
    } else {
      for (long i = 0; i < count && !visitor.isDone(); i++) {
        showOne(visitor, at + i * step);
      }
    }
  }

  private void showOne(Visitor visitor, long at) {
    TypeMap part = old[0];
    if (constructor == Constructor.CONTIGUOUS) {
      part.show(visitor, at, numbers[0], part.extent());
    } else if (constructor == Constructor.VECTOR) {
      long step = part.extent() * numbers[2];
      if (part.isRun && part.size == part.extent()) {
        long length = numbers[1] * part.size;
        visitor.elements(at, numbers[0], step, new long[] {part.trueLower, length}, length);
        return;
      }
      for (int i = 0; i < numbers[0] && !visitor.isDone(); i++) {
        part.show(visitor, at + i * step, numbers[1], part.extent());
      }
    } else if (constructor == Constructor.INDEXED) {
      int blocks = numbers.length / 2;
      for (int i = 0; i < blocks && !visitor.isDone(); i++) {
        part.show(visitor, at + part.extent() * numbers[blocks + i], numbers[i], part.extent());
      }
    } else {
      for (int i = 0; i < old.length && !visitor.isDone(); i++) { // a struct, or one element that is resized
        boolean isStruct = constructor == Constructor.STRUCT;
        old[i].show(visitor, isStruct ? at + bytes[i] : at, isStruct ? numbers[i] : 1, old[i].extent());
      }
    }
  }

  /** Whether elements are one run of bytes, one after the other, from the address on. */
  public boolean isContiguous() {
    return isRun && size == extent() && firstByte() == 0 && lower == 0;
  }

  /**
   * Whether both are constructed in the same way. Then they have the same elements at the same
   * places.
   */
  public boolean isSameAs(TypeMap other) {
    if (this == other) {
      return true;
    }
    if (constructor != other.constructor || isPredefined() || size != other.size || old.length != other.old.length
        || !Arrays.equals(numbers, other.numbers) || !Arrays.equals(bytes, other.bytes)) {
      return false;
    }
    for (int i = 0; i < old.length; i++) {
      if (!old[i].isSameAs(other.old[i])) {
        return false;
      }
    }
    return true;
  }

  /** MPI's own handle of a predefined type, or a new, committed one. The caller frees a new one. */
  public long handle(String name) {
    if (isPredefined()) {
      return predefined.getAsLong();
    }
    long handle = make();
    long block = Memory.allocate(16);
    try {
      Memory.putLong(block, handle);
      Errors.check(MPI.MPI_Type_commit(block), "MPI_Type_commit");
      requireAsReckoned(handle, block, name);
    } finally {
      Memory.free(block);
    }
    return handle;
  }

  private void requireAsReckoned(long handle, long block, String name) {
    if (size == 0) {
      return; // MPI defines no bounds for a type without elements
    }
    Errors.check(MPI.MPI_Type_get_extent(handle, block, block + 8), "MPI_Type_get_extent");
    long extent = Memory.getLong(block + 8);
    Errors.check(MPI.MPI_Type_get_true_extent(handle, block, block + 8), "MPI_Type_get_true_extent");
    long first = Memory.getLong(block);
    long end = first + Memory.getLong(block + 8);
    Errors.check(MPI.MPI_Type_size_x(handle, block), "MPI_Type_size_x");
    long data = Memory.getLong(block);
    if (extent != extent() || first != trueLower || end != trueUpper || data != size) {
      throw new IllegalStateException("this MPI lays out a " + name + " with extent " + extent + ", bytes " + first + " to " + end
          + " and size " + data + ", and Kintsugi has reckoned with extent " + extent() + ", bytes " + trueLower + " to "
          + trueUpper
          + " and size " + size + ": please report it, as " + this);
    }
  }

  /** The construction, for the report of an error. */
  @Override
  public String toString() {
    return isPredefined() ? size + " bytes"
        : constructor + Arrays.toString(numbers) + (bytes == null ? "" : Arrays.toString(bytes)) + " of " + Arrays.toString(old);
  }

  private void callVector(long result, long handle) {
    if (numbers[2] * old[0].extent() != -1) {
      Errors.check(MPI.MPI_Type_vector(numbers[0], numbers[1], numbers[2], handle, result), "MPI_Type_vector");
      return;
    }
    // Open MPI interprets a distance of -1 byte as "the extent of the old type"
    // (opal_datatype_add).
    int[] lengths = new int[numbers[0]];
    int[] displacements = new int[numbers[0]];
    Arrays.fill(lengths, numbers[1]);
    Arrays.setAll(displacements, i -> i * numbers[2]);
    long arrays = Ints.allocate(lengths, displacements);
    try {
      Errors.check(MPI.MPI_Type_indexed(numbers[0], arrays, arrays + Ints.bytes(lengths), handle, result), "MPI_Type_indexed");
    } finally {
      Memory.free(arrays);
    }
  }

  /** Makes a handle. The types that it is made from may be freed: MPI keeps what it needs. */
  private long make() {
    long block = Memory.allocate(8 + 8L * old.length + 8L * numbers.length + (bytes == null ? 0 : 8L * bytes.length));
    int made = 0;
    long handles = block + 8;
    try {
      for (; made < old.length; made++) {
        Memory.putLong(handles + 8L * made, old[made].isPredefined() ? old[made].predefined.getAsLong() : old[made].make());
      }
      if (isEmpty()) {
        Errors.check(MPI.MPI_Type_contiguous(0, MPI.MPI_BYTE, block), "MPI_Type_contiguous");
      } else {
        call(block, handles, handles + 8L * old.length);
        keepBounds(block);
      }
      return Memory.getLong(block);
    } finally {
      for (int i = 0; i < made; i++) {
        if (!old[i].isPredefined()) {
          Errors.check(MPI.MPI_Type_free(handles + 8L * i), "MPI_Type_free");
        }
      }
      Memory.free(block);
    }
  }

  /**
   * Sets explicit bounds again. They must also hold in types made from this one, but Open MPI 4
   * (the Reinit++ fork) rounds the extent up.
   */
  private void keepBounds(long made) {
    if (constructor == Constructor.RESIZED || !isLowerSet && !isUpperSet) {
      return;
    }
    long rounded = Memory.getLong(made);
    Errors.check(MPI.MPI_Type_create_resized(rounded, lower, extent(), made), "MPI_Type_create_resized");
    long block = Memory.allocate(8);
    Memory.putLong(block, rounded);
    Errors.check(MPI.MPI_Type_free(block), "MPI_Type_free");
    Memory.free(block);
  }

  private void call(long result, long handles, long arrays) {
    switch (constructor) {
      case CONTIGUOUS ->
        Errors.check(MPI.MPI_Type_contiguous(numbers[0], Memory.getLong(handles), result), "MPI_Type_contiguous");
      case VECTOR -> callVector(result, Memory.getLong(handles));
      case INDEXED -> {
        int count = numbers.length / 2;
        Memory.copyIn(numbers, Memory.arrayBase(int[].class), arrays, 4L * numbers.length);
        Errors.check(MPI.MPI_Type_indexed(count, arrays, arrays + 4L * count, Memory.getLong(handles), result),
            "MPI_Type_indexed");
      }
      case STRUCT -> {
        long places = arrays;
        long lengths = arrays + 8L * bytes.length;
        Memory.copyIn(bytes, Memory.arrayBase(long[].class), places, 8L * bytes.length);
        for (int i = 0; i < numbers.length; i++) {
          // In Open MPI the bounds of a type without elements are the largest numbers, and adding
          // to them overflows.
          Memory.putInt(lengths + 4L * i, old[i].isEmpty() ? 0 : numbers[i]);
        }
        Errors.check(
            MPI.MPI_Type_create_struct(numbers.length, lengths, places, handles, result), "MPI_Type_create_struct");
      }
      case RESIZED -> Errors.check(
          MPI.MPI_Type_create_resized(Memory.getLong(handles), bytes[0], bytes[1], result), "MPI_Type_create_resized");
      default -> throw new AssertionError(constructor);
    }
  }
}
