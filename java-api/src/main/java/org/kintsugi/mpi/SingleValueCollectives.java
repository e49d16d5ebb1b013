// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Scratch;

/**
 * Blocking collectives of one number from each process: the result is what the method returns, so there is no buffer to lose it
 * in. All processes must call the form of the same type. A reduction to a root has none, as there would be nothing to return
 * anywhere else.
 */
abstract class SingleValueCollectives extends CollectiveCalls {
  SingleValueCollectives(long handle, Scope scope) {
    super(handle, scope);
  }

  /**
   * Sends the root's number to all. {@code MPI_Bcast}.
   *
   * @param value the number; what the other processes pass does not matter
   * @param root the sender's rank; {@link Intercomm#ROOT} and its like between two groups
   * @return the root's number, on every process
   * @throws IllegalArgumentException if there is no such rank
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public int bcast(int value, int root) {
    return (int) bcast(Datatype.INT, value, root);
  }

  /**
   * Sends the root's number to all. {@code MPI_Bcast}.
   *
   * @param value the number; what the other processes pass does not matter
   * @param root the sender's rank; {@link Intercomm#ROOT} and its like between two groups
   * @return the root's number, on every process
   * @throws IllegalArgumentException if there is no such rank
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public long bcast(long value, int root) {
    return bcast(Datatype.LONG, value, root);
  }

  /**
   * Sends the root's number to all. {@code MPI_Bcast}.
   *
   * @param value the number; what the other processes pass does not matter
   * @param root the sender's rank; {@link Intercomm#ROOT} and its like between two groups
   * @return the root's number, on every process
   * @throws IllegalArgumentException if there is no such rank
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public double bcast(double value, int root) {
    return Double.longBitsToDouble(bcast(Datatype.DOUBLE, Double.doubleToRawLongBits(value), root));
  }

  /**
   * Combines one number of every process; all get the result. {@code MPI_Allreduce}.
   *
   * @param value this process's contribution; a sum that does not fit 32 bits wraps around, and wants {@code long} values
   * @param op the operation
   * @return the result, the same on every process
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public int allReduce(int value, Op op) {
    return (int) allReduce(Datatype.INT, value, op);
  }

  /**
   * Combines one number of every process; all get the result. {@code MPI_Allreduce}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @return the result, the same on every process
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public long allReduce(long value, Op op) {
    return allReduce(Datatype.LONG, value, op);
  }

  /**
   * Combines one number of every process; all get the result. {@code MPI_Allreduce}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @return the result, the same on every process
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public double allReduce(double value, Op op) {
    return Double.longBitsToDouble(allReduce(Datatype.DOUBLE, Double.doubleToRawLongBits(value), op));
  }

  /**
   * Combines the numbers of ranks 0 to this one, inclusive. {@code MPI_Scan}.
   *
   * @param value this process's contribution; a sum that does not fit 32 bits wraps around, and wants {@code long} values
   * @param op the operation
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public int scan(int value, Op op) {
    return (int) scan(Datatype.INT, value, op);
  }

  /**
   * Combines the numbers of ranks 0 to this one, inclusive. {@code MPI_Scan}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public long scan(long value, Op op) {
    return scan(Datatype.LONG, value, op);
  }

  /**
   * Combines the numbers of ranks 0 to this one, inclusive. {@code MPI_Scan}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public double scan(double value, Op op) {
    return Double.longBitsToDouble(scan(Datatype.DOUBLE, Double.doubleToRawLongBits(value), op));
  }

  /**
   * Combines the numbers of the ranks before this one, as for the place where this rank's elements begin. {@code MPI_Exscan}.
   *
   * @param value this process's contribution; a sum that does not fit 32 bits wraps around, and wants {@code long} values
   * @param op the operation
   * @param first what rank 0 gets, before which there is nobody: 0 for a sum; it is combined with nothing
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public int exScan(int value, Op op, int first) {
    return (int) exScan(Datatype.INT, value, op, first);
  }

  /**
   * Combines the numbers of the ranks before this one, as for the place where this rank's elements begin. {@code MPI_Exscan}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @param first what rank 0 gets, before which there is nobody: 0 for a sum; it is combined with nothing
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public long exScan(long value, Op op, long first) {
    return exScan(Datatype.LONG, value, op, first);
  }

  /**
   * Combines the numbers of the ranks before this one, as for the place where this rank's elements begin. {@code MPI_Exscan}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @param first what rank 0 gets, before which there is nobody: 0 for a sum; it is combined with nothing
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public double exScan(double value, Op op, double first) {
    return Double
        .longBitsToDouble(exScan(Datatype.DOUBLE, Double.doubleToRawLongBits(value), op, Double.doubleToRawLongBits(first)));
  }

  // A number goes as its 64 bits, so that each operation is written once.

  private long bcast(Datatype type, long bits, int root) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> bcastHere(type, bits, root))
        : bcastHere(type, bits, root);
  }

  private long bcastHere(Datatype type, long bits, int root) {
    long comm = handle();
    checkRoot(root);
    compare(Form.BLOCKING, "MPI_Bcast", root, null, 1, type);
    long at = Scratch.address();
    put(type, at, bits);
    check(MPI.MPI_Bcast(at, 1, type.handle(), root, comm), "MPI_Bcast");
    return get(type, at);
  }

  private long allReduce(Datatype type, long bits, Op op) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> allReduceHere(type, bits, op))
        : allReduceHere(type, bits, op);
  }

  private long allReduceHere(Datatype type, long bits, Op op) {
    long comm = handle();
    long operation = operation(op, type);
    compare(Form.BLOCKING, "MPI_Allreduce", -1, op, 1, type);
    long at = Scratch.address();
    put(type, at, bits);
    int throwCount = op.throwCount();
    op.retain();
    int code = MPI.MPI_Allreduce(at, at + Scratch.SECOND, 1, type.handle(), operation, comm);
    return reduced(code, "MPI_Allreduce", type, at + Scratch.SECOND, op, throwCount);
  }

  private long scan(Datatype type, long bits, Op op) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> scanHere(type, bits, op))
        : scanHere(type, bits, op);
  }

  private long scanHere(Datatype type, long bits, Op op) {
    long comm = handle();
    long operation = operation(op, type);
    compare(Form.BLOCKING, "MPI_Scan", -1, op, 1, type);
    long at = Scratch.address();
    put(type, at, bits);
    int throwCount = op.throwCount();
    op.retain();
    int code = MPI.MPI_Scan(at, at + Scratch.SECOND, 1, type.handle(), operation, comm);
    return reduced(code, "MPI_Scan", type, at + Scratch.SECOND, op, throwCount);
  }

  private long exScan(Datatype type, long bits, Op op, long first) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> exScanHere(type, bits, op, first))
        : exScanHere(type, bits, op, first);
  }

  private long exScanHere(Datatype type, long bits, Op op, long first) {
    long comm = handle();
    long operation = operation(op, type);
    int rank = rank();
    compare(Form.BLOCKING, "MPI_Exscan", -1, op, 1, type);
    long at = Scratch.address();
    put(type, at, bits);
    int throwCount = op.throwCount();
    op.retain();
    int code = MPI.MPI_Exscan(at, at + Scratch.SECOND, 1, type.handle(), operation, comm);
    long result = reduced(code, "MPI_Exscan", type, at + Scratch.SECOND, op, throwCount);
    return rank == 0 ? first : result;
  }

  /** Behind each reduction, for which the operation was retained: another thread may close it meanwhile. */
  private long reduced(int code, String function, Datatype type, long at, Op op, int throwCount) {
    op.release();
    Throwable thrown = op.thrownSince(throwCount);
    check(code, function);
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
