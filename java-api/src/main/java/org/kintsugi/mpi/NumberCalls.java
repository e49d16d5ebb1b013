// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.NumberOperations;
import org.kintsugi.mpi.internal.calls.Reduction;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;

/**
 * Collectives of one number, which is passed in this thread's scratch block.
 * {@link Comm} has the public methods.
 */
final class NumberCalls extends CollectiveForms implements NumberOperations {
  NumberCalls(CommHandle comm) {
    super(comm);
  }

  @Override
  public long bcast(Datatype type, long bits, int root) {
    long handle = comm.handle();
    comm.checkRoot(root);
    REPORTS.call(comm, CallForm.BLOCKING, "MPI_Bcast", root, null, 1, type);
    long at = Scratch.address();
    put(type, at, bits);
    comm.check(MPI.MPI_Bcast(at, 1, type.handle(), root, handle), "MPI_Bcast");
    return get(type, at);
  }

  @Override
  public long allReduce(Datatype type, long bits, Op op) {
    return reduction(Reduction.ALL_REDUCE, type, bits, op);
  }

  @Override
  public long scan(Datatype type, long bits, Op op) {
    return reduction(Reduction.SCAN, type, bits, op);
  }

  @Override
  public long exScan(Datatype type, long bits, Op op, long first) {
    long result = reduction(Reduction.EX_SCAN, type, bits, op);
    return comm.rank() == 0 ? first : result;
  }

  private long reduction(Reduction reduction, Datatype type, long bits, Op op) {
    long handle = comm.handle();
    long operation = operation(op, type);
    refuseBetweenGroups(CallForm.BLOCKING, reduction);
    REPORTS.call(comm, CallForm.BLOCKING, reduction.function, -1, op, 1, type);
    long at = Scratch.address();
    long to = at + Scratch.SECOND;
    put(type, at, bits);
    if (op.marked() != null) {
      return reduceMarked(reduction, type, op, operation, handle);
    }
    comm.check(reduction.call(CallForm.BLOCKING, at, to, 1, type.handle(), operation, handle), reduction.function);
    return get(type, to);
  }

  /** Reduces by an operation written in Java. */
  private long reduceMarked(Reduction reduction, Datatype type, Op op, long operation, long handle) {
    MarkedElements elements = op.marked();
    long at = Scratch.address();
    long from = at + Scratch.TEXT;
    long to = from + 2 * Long.BYTES;
    op.retain(); // another thread may close it meanwhile
    Buf number = Buf.borrowed(at, 1, type);
    elements.write(number, from);
    elements.write(number, to); // the first rank of an exclusive scan receives nothing
    int throwCount = op.throwCount();
    int code = reduction.call(CallForm.BLOCKING, from, to, 1, elements.handle(), operation, handle);
    boolean isMarked = elements.isAnyMarked(to, 1);
    elements.read(to, 1, number);
    long result = get(type, at);
    Throwable thrown = op.thrownSince(throwCount);
    op.release();
    comm.check(code, reduction.function);
    Errors.rethrow(thrown == null && isMarked ? MarkedElements.thrownElsewhere(reduction.function) : thrown);
    return result;
  }

  private static void put(Datatype type, long at, long bits) {
    if (type == Datatype.INT) {
      Memory.putInt(at, (int) bits);
    } else {
      Memory.putLong(at, bits);
    }
  }

  private static long get(Datatype type, long at) {
    return type == Datatype.INT ? Memory.getInt(at) : Memory.getLong(at);
  }
}
