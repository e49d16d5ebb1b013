// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Errors;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Reductions;
import org.kintsugi.mpi.internal.Scratch;

/** How a reduction combines two values: MPI's own operations, or one written in Java. */
public final class Op implements AutoCloseable {
  /** Sum. */
  public static final Op SUM = new Op(MPI.MPI_SUM, "SUM");

  /** Product. */
  public static final Op PROD = new Op(MPI.MPI_PROD, "PROD");

  /** Smallest. */
  public static final Op MIN = new Op(MPI.MPI_MIN, "MIN");

  /** Largest. */
  public static final Op MAX = new Op(MPI.MPI_MAX, "MAX");

  /** Logical and of integers. */
  public static final Op LAND = new Op(MPI.MPI_LAND, "LAND");

  /** Logical or of integers. */
  public static final Op LOR = new Op(MPI.MPI_LOR, "LOR");

  /** Logical exclusive or of integers. */
  public static final Op LXOR = new Op(MPI.MPI_LXOR, "LXOR");

  /** Bitwise and of integers or bytes. */
  public static final Op BAND = new Op(MPI.MPI_BAND, "BAND");

  /** Bitwise or of integers or bytes. */
  public static final Op BOR = new Op(MPI.MPI_BOR, "BOR");

  /** Bitwise exclusive or of integers or bytes. */
  public static final Op BXOR = new Op(MPI.MPI_BXOR, "BXOR");

  /** Smallest value and where it is, on {@link Datatype#DOUBLE_INT}. */
  public static final Op MINLOC = new Op(MPI.MPI_MINLOC, "MINLOC");

  /** Largest value and where it is, on {@link Datatype#DOUBLE_INT}. */
  public static final Op MAXLOC = new Op(MPI.MPI_MAXLOC, "MAXLOC");

  /** Replace: for one-sided communication and exclusive scans that copy. */
  public static final Op REPLACE = new Op(MPI.MPI_REPLACE, "REPLACE");

  private final String name;
  private final int slot;
  private long handle;

  private Op(long handle, String name) {
    this(handle, name, -1);
  }

  private Op(long handle, String name, int slot) {
    this.handle = handle;
    this.name = name;
    this.slot = slot;
  }

  /** Combines element by element: {@code inOut = in op inOut}. */
  @FunctionalInterface
  public interface Reduction {
    /**
     * Combines.
     *
     * @param in the address of the left operands
     * @param inOut the address of the right operands, overwritten with the results
     * @param count how many elements of the collective's datatype both hold
     */
    void reduce(Buf in, Buf inOut, int count);
  }

  /**
   * An operation written in Java, for elements of one predefined type. The buffers that it gets are valid during the call
   * only. It must be associative and must not call MPI; an exception that it throws leaves the collective's result
   * undefined, and is rethrown to the caller of the collective in this process. Local. {@code MPI_Op_create}.
   *
   * @param commutative whether MPI may swap operands
   * @throws IllegalStateException if 64 such operations exist already: close some
   */
  public static Op of(Datatype type, boolean commutative, Reduction reduction) {
    int slot = Reductions
        .claim((in, inOut, count) -> reduction.reduce(Buf.borrowed(in, count, type), Buf.borrowed(inOut, count, type), count));
    long scratch = Scratch.address();
    int code = MPI.MPI_Op_create(Reductions.function(slot), commutative ? 1 : 0, scratch);
    if (code != MPI.MPI_SUCCESS) {
      Reductions.release(slot);
      throw Errors.exception(code, "MPI_Op_create");
    }
    return new Op(Memory.getLong(scratch), "user-defined", slot);
  }

  /** The {@code MPI_Op}, for the raw bindings. */
  public long handle() {
    if (handle == 0) {
      throw new IllegalStateException("operation " + name + " is closed");
    }
    return handle;
  }

  /** Frees an operation of one's own; MPI's are left alone. Local, idempotent. {@code MPI_Op_free}. */
  @Override
  public void close() {
    if (slot >= 0 && handle != 0 && Mpi.isActive()) {
      long scratch = Scratch.address();
      Memory.putLong(scratch, handle);
      handle = 0;
      Errors.check(MPI.MPI_Op_free(scratch), "MPI_Op_free");
      Reductions.release(slot);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
