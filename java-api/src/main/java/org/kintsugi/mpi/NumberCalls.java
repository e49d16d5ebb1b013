// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Form;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.NumberOperations;
import org.kintsugi.mpi.internal.Scratch;

/**
 * Collectives of one number, which goes through this thread's scratch block. {@link SingleValueCollectives} has the public
 * methods.
 */
final class NumberCalls extends CollectiveForms implements NumberOperations {
  NumberCalls(Comm comm) {
    super(comm);
  }

  @Override
  public long bcast(Datatype type, long bits, int root) {
    long handle = comm.handle();
    comm.checkRoot(root);
    compare(Form.BLOCKING, "MPI_Bcast", root, null, 1, type);
    long at = Scratch.address();
    put(type, at, bits);
    comm.check(MPI.MPI_Bcast(at, 1, type.handle(), root, handle), "MPI_Bcast");
    return get(type, at);
  }

  @Override
  public long allReduce(Datatype type, long bits, Op op) {
    long handle = comm.handle();
    long operation = operation(op, type);
    compare(Form.BLOCKING, "MPI_Allreduce", -1, op, 1, type);
    long at = Scratch.address();
    put(type, at, bits);
    int throwCount = op.throwCount();
    op.retain();
    int code = MPI.MPI_Allreduce(at, at + Scratch.SECOND, 1, type.handle(), operation, handle);
    return reduced(code, "MPI_Allreduce", type, at + Scratch.SECOND, op, throwCount);
  }

  @Override
  public long scan(Datatype type, long bits, Op op) {
    long handle = comm.handle();
    long operation = operation(op, type);
    compare(Form.BLOCKING, "MPI_Scan", -1, op, 1, type);
    long at = Scratch.address();
    put(type, at, bits);
    int throwCount = op.throwCount();
    op.retain();
    int code = MPI.MPI_Scan(at, at + Scratch.SECOND, 1, type.handle(), operation, handle);
    return reduced(code, "MPI_Scan", type, at + Scratch.SECOND, op, throwCount);
  }

  @Override
  public long exScan(Datatype type, long bits, Op op, long first) {
    long handle = comm.handle();
    long operation = operation(op, type);
    int rank = comm.rank();
    compare(Form.BLOCKING, "MPI_Exscan", -1, op, 1, type);
    long at = Scratch.address();
    put(type, at, bits);
    int throwCount = op.throwCount();
    op.retain();
    int code = MPI.MPI_Exscan(at, at + Scratch.SECOND, 1, type.handle(), operation, handle);
    long result = reduced(code, "MPI_Exscan", type, at + Scratch.SECOND, op, throwCount);
    return rank == 0 ? first : result;
  }

  /** Behind each reduction, for which the operation was retained: another thread may close it meanwhile. */
  private long reduced(int code, String function, Datatype type, long at, Op op, int throwCount) {
    op.release();
    Throwable thrown = op.thrownSince(throwCount);
    comm.check(code, function);
    Op.rethrow(thrown);
    return get(type, at);
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
