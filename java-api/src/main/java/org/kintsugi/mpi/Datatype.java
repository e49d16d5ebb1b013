// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.Objects;
import java.util.function.LongSupplier;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.layout.ElementCopy;
import org.kintsugi.mpi.internal.layout.Signature;
import org.kintsugi.mpi.internal.layout.Sizes;
import org.kintsugi.mpi.internal.layout.TypeMap;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.threads.CallingThread;

/**
 * The type of an element: the predefined types that Java has, and types derived from them.
 *
 * <p>The program that makes a derived type closes it; both are local. Derived types can be made at any time, also before MPI is
 * initialised: an {@code MPI_Datatype} is made, and committed, when the program asks for its {@link #handle}. Kintsugi itself
 * copies elements with gaps to a block without gaps, which MPI gets as basic elements, or as bytes if the elements are of several
 * basic types. All displacements are bytes where the name says so, else elements of the old type.
 *
 * <p>Two datatypes have the same signature if their elements are of the same basic types in the
 * same order, wherever these are in memory. A transfer needs the same signature on both sides, but
 * not the same datatype: a column of a matrix, one element of a {@link #vector}, can be gathered
 * into as many contiguous doubles.
 */
public final class Datatype implements AutoCloseable {
  private static final Signature DOUBLES = Signature.of(7);
  private static final Signature INTS = Signature.of(4);

  /** Java's {@code byte} ({@code MPI_BYTE}: no arithmetic). */
  public static final Datatype BYTE = predefined("Byte", 1, Signature.of(1), () -> MPI.MPI_BYTE);

  /** Java's {@code short} ({@code MPI_INT16_T}). */
  public static final Datatype SHORT = predefined("Short", 2, Signature.of(2), () -> MPI.MPI_INT16_T);

  /** Java's {@code char} ({@code MPI_UINT16_T}). */
  public static final Datatype CHAR = predefined("Char", 2, Signature.of(3), () -> MPI.MPI_UINT16_T);

  /** Java's {@code int} ({@code MPI_INT32_T}). */
  public static final Datatype INT = predefined("Int", 4, INTS, () -> MPI.MPI_INT32_T);

  /** Java's {@code long} ({@code MPI_INT64_T}). */
  public static final Datatype LONG = predefined("Long", 8, Signature.of(5), () -> MPI.MPI_INT64_T);

  /** Java's {@code float} ({@code MPI_FLOAT}). */
  public static final Datatype FLOAT = predefined("Float", 4, Signature.of(6), () -> MPI.MPI_FLOAT);

  /** Java's {@code double} ({@code MPI_DOUBLE}). */
  public static final Datatype DOUBLE = predefined("Double", 8, DOUBLES, () -> MPI.MPI_DOUBLE);

  /** A double and an int, for {@link Op#MINLOC} and {@link Op#MAXLOC}: 16 bytes apart ({@code MPI_DOUBLE_INT}). */
  public static final Datatype DOUBLE_INT =
      new Datatype(TypeMap.predefined(() -> MPI.MPI_DOUBLE_INT, 12, 16, 8, DOUBLES.then(INTS)), "DoubleInt");

  private final TypeMap map;
  private final boolean isContiguous;
  private final Datatype plain;
  private final long plainLength;
  LargeCounts.Unit unitOfParts; // of the last call with parts, so that calls in a loop allocate none; null: none yet
  private final String name;
  private final Leaks.Origin origin; // of a derived one
  private Leaks.Watch watch; // set as soon as there is something to free
  private volatile long handle; // 0: not made yet, or closed
  private volatile boolean closed;

  private Datatype(TypeMap map, String name) {
    this(map, name, map.isPredefined() ? null : Leaks.origin("a datatype"));
  }

  private Datatype(TypeMap map, String name, Leaks.Origin origin) {
    this.map = map;
    isContiguous = map.isContiguous();
    plain = map.isBasic() ? this : basic(map.basic());
    plainLength = map.size() / plain.map.size();
    this.name = name;
    this.origin = origin;
  }

  /** The basic type with a type map; bytes for null. */
  private static Datatype basic(TypeMap map) {
    Datatype[] others = {SHORT, CHAR, INT, LONG, FLOAT, DOUBLE};
    for (Datatype type : others) {
      if (map != null && type.map == map) {
        return type;
      }
    }
    return BYTE;
  }

  private static Datatype predefined(String name, int bytes, Signature signature, LongSupplier handle) {
    return new Datatype(TypeMap.basic(handle, bytes, signature), name);
  }

  /**
   * Contiguous elements. Local. {@code MPI_Type_contiguous}.
   *
   * @param count how many
   * @param old the type of each; it may be closed while the new one is in use
   * @return the new type; the caller closes it
   * @throws IllegalArgumentException if the count is negative
   */
  public static Datatype contiguous(int count, Datatype old) {
    requireCount(count, "count");
    return new Datatype(TypeMap.contiguous(count, Rejections.requireNonNull(old, "old").open("old")), count + " x " + old);
  }

  /**
   * Joins many elements into one, for {@link LargeCounts}. Leaks are not reported: the program did
   * not make this type.
   */
  static Datatype together(long count, int block, Datatype old) {
    TypeMap each = old.open("datatype");
    long blocks = count / block;
    TypeMap all = TypeMap.struct(new int[] {Math.toIntExact(blocks), (int) (count % block)},
        new long[] {0, Math.multiplyExact(blocks * block, each.extent())}, new TypeMap[] {TypeMap.contiguous(block, each), each});
    return new Datatype(all, count + " x " + old, null);
  }

  /**
   * Blocks at a fixed distance, for instance a column of a matrix. Local. {@code MPI_Type_vector}.
   *
   * @param count how many blocks
   * @param blockLength elements in a block
   * @param stride elements from the start of one block to the start of the next; may be negative
   * @param old the type of each element; it may be closed while the new one is in use
   * @return the new type; the caller closes it
   * @throws IllegalArgumentException if the count or the block length is negative
   */
  public static Datatype vector(int count, int blockLength, int stride, Datatype old) {
    requireCount(count, "count");
    requireCount(blockLength, "blockLength");
    return new Datatype(TypeMap.vector(count, blockLength, stride, Rejections.requireNonNull(old, "old").open("old")),
        "vector of " + count + " x " + blockLength + " x " + old);
  }

  /**
   * Blocks of different lengths at any distance. Local. {@code MPI_Type_indexed}.
   *
   * @param blockLengths elements in each block
   * @param displacements where each block starts, in elements of {@code old}; one for each block
   * @param old the type of each element; it may be closed while the new one is in use
   * @return the new type; the caller closes it
   * @throws IllegalArgumentException if the arrays' lengths differ, or a block's length is negative
   */
  public static Datatype indexed(int[] blockLengths, int[] displacements, Datatype old) {
    Rejections.requireNonNull(blockLengths, "blockLengths");
    requireSameLength(blockLengths.length, Rejections.requireNonNull(displacements, "displacements").length);
    requireLengths(blockLengths);
    return new Datatype(TypeMap.indexed(blockLengths, displacements, Rejections.requireNonNull(old, "old").open("old")),
        "indexed " + old);
  }

  /**
   * Blocks of different types, as a C struct. Local. {@code MPI_Type_create_struct}.
   *
   * @param blockLengths elements in each block
   * @param displacementsBytes where each block starts, in bytes; one for each block
   * @param types the type of each block; they may be closed while the new one is in use
   * @return the new type; the caller closes it
   * @throws IllegalArgumentException if the arrays' lengths differ, or a block's length is negative
   */
  public static Datatype struct(int[] blockLengths, long[] displacementsBytes, Datatype[] types) {
    Rejections.requireNonNull(blockLengths, "blockLengths");
    requireSameLength(blockLengths.length, Rejections.requireNonNull(displacementsBytes, "displacementsBytes").length);
    requireSameLength(blockLengths.length, Rejections.requireNonNull(types, "types").length);
    requireLengths(blockLengths);
    TypeMap[] maps = new TypeMap[types.length];
    for (int i = 0; i < types.length; i++) {
      maps[i] = Objects.requireNonNull(types[i], "types[" + i + "] is null").open("types[" + i + "]");
    }
    return new Datatype(TypeMap.struct(blockLengths, displacementsBytes, maps), "struct of " + types.length);
  }

  /**
   * The same elements with another distance between them. Local. {@code MPI_Type_create_resized}.
   *
   * @param lowerBoundBytes where an element is taken to begin, in bytes from its address
   * @param extentBytes from one element to the next
   * @return the new type; the caller closes it, and may close this one before
   */
  public Datatype resized(long lowerBoundBytes, long extentBytes) {
    return new Datatype(TypeMap.resized(open("datatype"), lowerBoundBytes, extentBytes),
        this + " resized to " + extentBytes + " bytes");
  }

  private static void requireCount(int value, String argument) {
    if (value < 0) {
      throw Rejections.argument(argument + " " + value + " is negative");
    }
  }

  private static void requireLengths(int[] blockLengths) {
    for (int i = 0; i < blockLengths.length; i++) {
      requireCount(blockLengths[i], "blockLengths[" + i + "]");
    }
  }

  private static void requireSameLength(int first, int second) {
    if (first != second) {
      throw Rejections.argument("arrays of different lengths: " + first + " and " + second);
    }
  }

  /** The type map, for a new datatype that is derived from this one. */
  private TypeMap open(String argument) {
    requireOpen(argument);
    return map;
  }

  void requireOpen(String argument) {
    if (closed) {
      throw Rejections.state(argument + " is closed: datatype " + name);
    }
  }

  /**
   * The distance of elements.
   *
   * @return bytes from one element to the next
   */
  public long extent() {
    return map.extent();
  }

  /**
   * The data in one element. {@code MPI_Type_size}.
   *
   * @return its bytes, holes not counted
   */
  public long size() {
    return map.size();
  }

  /** Bytes that {@code count} elements touch from the address on; refuses types that reach before it. */
  long span(long count) {
    if (count == 0) {
      return 0;
    }
    if (map.firstByte() < 0 || extent() < 0) {
      throw Rejections.argument(this + " reaches before the buffer's first byte");
    }
    return Sizes.sum(Sizes.product(count - 1, extent()), map.endByte());
  }

  /** Whether consecutive elements have no gaps in or between them. */
  boolean isDense() {
    return size() == extent() && map.firstByte() == 0 && map.endByte() == extent();
  }

  /** Whether the data of elements have the same order and places in memory as in a message: no gaps, none out of order. */
  boolean isContiguous() {
    return isContiguous;
  }

  /**
   * The datatype with which MPI gets the data of elements, without gaps. It is the basic type of
   * all data, or bytes if there are several or no data. So all ranks name the same datatype for
   * the same data. Open MPI's collectives need that: they forward data of other ranks in the own
   * datatype, and decide by its size (5.0.7).
   */
  Datatype plain() {
    return plain;
  }

  /** The number of elements of {@link #plain} in an element. */
  long plainLength() {
    return plainLength;
  }

  /** Copies the data of elements, the first of which begins at a byte. */
  void copy(ElementCopy copy, long atBytes, long count) {
    map.show(copy, atBytes, count, extent());
  }

  boolean isDerived() {
    return !map.isPredefined();
  }

  /**
   * The signature of {@code count} elements, as text. It begins with the number of basic elements
   * and a point.
   */
  String signature(long count) {
    return map.signature().repeated(count).toString();
  }

  /** Whether both have the same elements at the same places. Then one can replace the other. */
  boolean isLaidOutAs(Datatype other) {
    return this == other || map.isSameAs(other.map);
  }

  /**
   * The number of elements with the signature of {@code others} elements of the other type.
   *
   * @return -1 if no number of elements matches
   */
  long countFor(long others, Datatype other) {
    if (this == other) {
      return others;
    }
    long each = map.signature().length();
    long all = Math.multiplyExact(others, other.map.signature().length());
    if (all == 0 || each == 0) {
      return all == 0 ? 0 : -1;
    }
    long count = all / each;
    return all % each == 0 && map.signature().repeated(count).isSameAs(other.map.signature().repeated(others)) ? count : -1;
  }

  /**
   * The {@code MPI_Datatype}, for the raw bindings; a derived one is made and committed by the first call.
   *
   * @return the handle, valid until {@link #close}
   * @throws IllegalStateException if it is closed, or if it is to be made and MPI is not initialised, or this thread must not
   *     call it
   */
  public long handle() {
    long made = handle;
    return made != 0 ? made : make();
  }

  private synchronized long make() {
    open("datatype");
    if (handle == 0) {
      if (isDerived()) {
        requireMpi();
      }
      handle = map.handle(name);
      watch = Leaks.watch(this, null, origin);
    }
    return handle;
  }

  private static void requireMpi() {
    Mpi.current(); // before MPI_Init and after MPI_Finalize, functions of MPI end the process
    CallingThread.check();
  }

  /** Frees a derived type; predefined types are left alone. Local, idempotent. {@code MPI_Type_free}. */
  @Override
  public synchronized void close() {
    if (!isDerived() || closed) {
      return;
    }
    if (handle != 0 && Mpi.isActive()) {
      CallingThread.check();
      long scratch = Scratch.address();
      Memory.putLong(scratch, handle);
      handle = 0;
      closed = true;
      Leaks.closed(watch);
      Errors.check(MPI.MPI_Type_free(scratch), "MPI_Type_free");
    }
    closed = true;
  }

  @Override
  public String toString() {
    return name;
  }
}
