// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Errors;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scratch;

/**
 * What an element is: the predefined types that Java has, and types derived from them.
 *
 * <p>Derived types are committed when they are made, local, and closed by whoever made them. All displacements are bytes
 * where the name says so, else elements of the old type.
 */
public final class Datatype implements AutoCloseable {
  /** Java's {@code byte} ({@code MPI_BYTE}: no arithmetic). */
  public static final Datatype BYTE = new Datatype(MPI.MPI_BYTE, 1, 1, "Byte");

  /** Java's {@code short} ({@code MPI_INT16_T}). */
  public static final Datatype SHORT = new Datatype(MPI.MPI_INT16_T, 2, 2, "Short");

  /** Java's {@code char} ({@code MPI_UINT16_T}). */
  public static final Datatype CHAR = new Datatype(MPI.MPI_UINT16_T, 2, 2, "Char");

  /** Java's {@code int} ({@code MPI_INT32_T}). */
  public static final Datatype INT = new Datatype(MPI.MPI_INT32_T, 4, 4, "Int");

  /** Java's {@code long} ({@code MPI_INT64_T}). */
  public static final Datatype LONG = new Datatype(MPI.MPI_INT64_T, 8, 8, "Long");

  /** Java's {@code float} ({@code MPI_FLOAT}). */
  public static final Datatype FLOAT = new Datatype(MPI.MPI_FLOAT, 4, 4, "Float");

  /** Java's {@code double} ({@code MPI_DOUBLE}). */
  public static final Datatype DOUBLE = new Datatype(MPI.MPI_DOUBLE, 8, 8, "Double");

  /** A double and an int, for {@link Op#MINLOC} and {@link Op#MAXLOC}: 16 bytes apart ({@code MPI_DOUBLE_INT}). */
  public static final Datatype DOUBLE_INT = new Datatype(MPI.MPI_DOUBLE_INT, 16, 12, "DoubleInt");

  private final String name;
  private final long extent;
  private final long lowerBytes;
  private final long upperBytes;
  private final long size;
  private long handle;
  private final boolean derived;

  private Datatype(long handle, long extent, long size, String name) {
    this.handle = handle;
    this.extent = extent;
    this.lowerBytes = 0;
    this.upperBytes = size;
    this.size = size;
    this.name = name;
    this.derived = false;
  }

  /** Commits and takes over a new handle. */
  private Datatype(long handle, String name) {
    this.handle = handle;
    this.name = name;
    this.derived = true;
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    Errors.check(MPI.MPI_Type_commit(scratch), "MPI_Type_commit");
    Errors.check(MPI.MPI_Type_get_extent(handle, scratch, scratch + 8), "MPI_Type_get_extent");
    this.extent = Memory.getLong(scratch + 8);
    Errors.check(MPI.MPI_Type_get_true_extent(handle, scratch, scratch + 8), "MPI_Type_get_true_extent");
    this.lowerBytes = Memory.getLong(scratch);
    this.upperBytes = lowerBytes + Memory.getLong(scratch + 8);
    Errors.check(MPI.MPI_Type_size_x(handle, scratch), "MPI_Type_size_x");
    this.size = Memory.getLong(scratch);
  }

  /** {@code count} elements one behind the other. Local. {@code MPI_Type_contiguous}. */
  public static Datatype contiguous(int count, Datatype old) {
    requireCount(count, "count");
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Type_contiguous(count, old.old(), scratch), "MPI_Type_contiguous");
    return new Datatype(Memory.getLong(scratch), count + " x " + old);
  }

  /**
   * Blocks at a fixed distance, for instance a column of a matrix. Local. {@code MPI_Type_vector}.
   *
   * @param count how many blocks
   * @param blockLength elements in a block
   * @param stride elements from the start of one block to the start of the next; may be negative
   */
  public static Datatype vector(int count, int blockLength, int stride, Datatype old) {
    requireCount(count, "count");
    requireCount(blockLength, "blockLength");
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Type_vector(count, blockLength, stride, old.old(), scratch), "MPI_Type_vector");
    return new Datatype(Memory.getLong(scratch), "vector of " + count + " x " + blockLength + " x " + old);
  }

  /**
   * Blocks of different lengths at any distance. Local. {@code MPI_Type_indexed}.
   *
   * @param blockLengths elements in each block
   * @param displacements where each block starts, in elements of {@code old}
   */
  public static Datatype indexed(int[] blockLengths, int[] displacements, Datatype old) {
    requireSameLength(blockLengths.length, displacements.length);
    long lengths = Ints.allocate(blockLengths);
    long places = Ints.allocate(displacements);
    try {
      long scratch = Scratch.address();
      Errors.check(
          MPI.MPI_Type_indexed(blockLengths.length, lengths, places, old.old(), scratch), "MPI_Type_indexed");
      return new Datatype(Memory.getLong(scratch), "indexed " + old);
    } finally {
      Memory.free(lengths);
      Memory.free(places);
    }
  }

  /**
   * Blocks of different types, as a C struct. Local. {@code MPI_Type_create_struct}.
   *
   * @param blockLengths elements in each block
   * @param displacementsBytes where each block starts, in bytes
   * @param types the type of each block
   */
  public static Datatype struct(int[] blockLengths, long[] displacementsBytes, Datatype[] types) {
    requireSameLength(blockLengths.length, displacementsBytes.length);
    requireSameLength(blockLengths.length, types.length);
    requireMpi();
    long lengths = Ints.allocate(blockLengths);
    long places = Memory.allocate(8L * types.length);
    long handles = Memory.allocate(8L * types.length);
    try {
      for (int i = 0; i < types.length; i++) {
        Memory.putLong(places + 8L * i, displacementsBytes[i]);
        Memory.putLong(handles + 8L * i, types[i].old());
      }
      long scratch = Scratch.address();
      Errors.check(
          MPI.MPI_Type_create_struct(types.length, lengths, places, handles, scratch), "MPI_Type_create_struct");
      return new Datatype(Memory.getLong(scratch), "struct of " + types.length);
    } finally {
      Memory.free(lengths);
      Memory.free(places);
      Memory.free(handles);
    }
  }

  /** The same elements with another distance between them. Local. {@code MPI_Type_create_resized}. */
  public Datatype resized(long lowerBoundBytes, long extentBytes) {
    long scratch = Scratch.address();
    Errors.check(
        MPI.MPI_Type_create_resized(old(), lowerBoundBytes, extentBytes, scratch), "MPI_Type_create_resized");
    return new Datatype(Memory.getLong(scratch), this + " resized to " + extentBytes + " bytes");
  }

  private static void requireCount(int value, String argument) {
    if (value < 0) {
      throw new IllegalArgumentException(argument + " " + value + " is negative");
    }
  }

  private static void requireSameLength(int first, int second) {
    if (first != second) {
      throw new IllegalArgumentException("arrays of different lengths: " + first + " and " + second);
    }
  }

  /** Bytes from one element to the next. */
  public long extent() {
    return extent;
  }

  /** Bytes of data in one element, holes not counted. {@code MPI_Type_size}. */
  public long size() {
    return size;
  }

  /** Bytes that {@code count} elements touch from the address on; refuses types that reach before it. */
  long span(long count) {
    if (count == 0) {
      return 0;
    }
    if (lowerBytes < 0 || extent < 0) {
      throw new IllegalArgumentException(this + " reaches before the buffer's first byte");
    }
    return Math.addExact(Math.multiplyExact(count - 1, extent), upperBytes);
  }

  /** Whether elements lie one behind the other without gaps. */
  boolean isDense() {
    return size == extent && lowerBytes == 0 && upperBytes == extent;
  }

  boolean isDerived() {
    return derived;
  }

  private static void requireMpi() {
    Mpi.current(); // outside of MPI's life its functions end the process
    CallingThread.check();
  }

  /** To make another one from, which only MPI can. */
  private long old() {
    requireMpi();
    return handle();
  }

  /** The {@code MPI_Datatype}, for the raw bindings. */
  public long handle() {
    if (handle == 0) {
      throw new IllegalStateException("datatype " + name + " is closed");
    }
    return handle;
  }

  /** Frees a derived type; predefined types are left alone. Local, idempotent. {@code MPI_Type_free}. */
  @Override
  public void close() {
    if (derived && handle != 0 && Mpi.isActive()) {
      CallingThread.check();
      long scratch = Scratch.address();
      Memory.putLong(scratch, handle);
      handle = 0;
      Errors.check(MPI.MPI_Type_free(scratch), "MPI_Type_free");
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
