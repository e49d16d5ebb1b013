// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.lifetime.Scope;

/**
 * Blocking collectives of one number from each process. The method returns the result, so no buffer
 * is needed. All processes must call the method for the same type. There is no reduction to a root,
 * because the other ranks would have nothing to return.
 */
abstract class SingleValueCollectives extends PointToPoint {
  SingleValueCollectives(long handle, Scope scope) {
    super(handle, scope);
  }

  /**
   * Sends the root's number to all. {@code MPI_Bcast}.
   *
   * @param value the number; what the other processes pass does not matter
   * @param root the sender's rank; {@link Intercomm#ROOT} and its like between two groups
   * @return the root's number, on every process
   * @throws IllegalArgumentException if the root is invalid
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
   * @throws IllegalArgumentException if the root is invalid
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
   * @throws IllegalArgumentException if the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public double bcast(double value, int root) {
    return Double.longBitsToDouble(bcast(Datatype.DOUBLE, Double.doubleToRawLongBits(value), root));
  }

  /**
   * Combines one number of every process; all get the result. {@code MPI_Allreduce}.
   *
   * @param value this process's contribution; a sum that does not fit 32 bits wraps around: use
   *     {@code long} values for it
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
   * @param value this process's contribution; a sum that does not fit 32 bits wraps around: use
   *     {@code long} values for it
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
   * @param value this process's contribution; a sum that does not fit 32 bits wraps around: use
   *     {@code long} values for it
   * @param op the operation
   * @param first the result for rank 0, which has no ranks before it: 0 for a sum. It is not
   *     combined with other values
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
   * @param first the result for rank 0, which has no ranks before it: 0 for a sum. It is not
   *     combined with other values
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
   * @param first the result for rank 0, which has no ranks before it: 0 for a sum. It is not
   *     combined with other values
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public double exScan(double value, Op op, double first) {
    return Double
        .longBitsToDouble(exScan(Datatype.DOUBLE, Double.doubleToRawLongBits(value), op, Double.doubleToRawLongBits(first)));
  }

  // Numbers are passed as 64 bits, so that each operation is written once for all types.

  private long bcast(Datatype type, long bits, int root) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> numbers().bcast(type, bits, root))
        : numbers().bcast(type, bits, root);
  }

  private long allReduce(Datatype type, long bits, Op op) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> numbers().allReduce(type, bits, op))
        : numbers().allReduce(type, bits, op);
  }

  private long scan(Datatype type, long bits, Op op) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> numbers().scan(type, bits, op))
        : numbers().scan(type, bits, op);
  }

  private long exScan(Datatype type, long bits, Op op, long first) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> numbers().exScan(type, bits, op, first))
        : numbers().exScan(type, bits, op, first);
  }
}
