// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.lang.ref.Reference;
import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ULFM;
import org.kintsugi.mpi.internal.calls.CommState;
import org.kintsugi.mpi.internal.check.CheckedComm;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * The {@link CommState} of a {@link Comm}, with the work after MPI's functions. Whatever carries out a call works on this class.
 */
@InRecovery
class CommHandle extends CommState {
  /** Takes over a handle. */
  CommHandle(long handle, Scope scope, boolean predefined) {
    this(handle, scope, predefined, predefined ? null : Leaks.origin("a communicator"), ONE_GROUP);
  }

  /**
   * Takes over a handle.
   *
   * @param origin the place where the program made the communicator
   */
  CommHandle(long handle, Scope scope, Leaks.Origin origin) {
    this(handle, scope, false, origin, ONE_GROUP);
  }

  /** Takes over the handle of an intercommunicator. */
  CommHandle(long handle, Scope scope, int remoteSize) {
    this(handle, scope, false, Leaks.origin("a communicator"), remoteSize);
  }

  private CommHandle(long handle, Scope scope, boolean predefined, Leaks.Origin origin, int remoteSize) {
    super(handle, scope, predefined, origin, remoteSize);
  }

  /** With {@code --check}: reports to the launcher that this function is about to be called. */
  final void tell(String function, int root) {
    CheckedComm.tell(this, function, true, root, null, 0, null);
  }

  /** With {@code --check}: names a communicator that this one's last call made. */
  void name(CommHandle made) {
    CheckedComm.name(made, this);
  }

  /** The count of a buffer for MPI, of elements of {@link #type}. */
  static int count(Buf buf) {
    return LargeCounts.count(buf.datatype(), buf.count());
  }

  static long type(Buf buf) {
    return LargeCounts.type(buf.datatype(), buf.count());
  }

  static Buf require(Buf buf, String argument) {
    return Rejections.requireNonNull(buf, argument).requireOpen(argument);
  }

  static void requireCount(Buf buf, long needed, String argument, String what) {
    if (buf.count() < needed) {
      throw Rejections.argument(
          argument + " has " + buf.count() + " elements, and " + what + " needs " + needed);
    }
  }

  /**
   * Finishes a blocking call: releases its buffers, copies received data, and throws on an error.
   * Either buffer may be null.
   *
   * @param received the bytes of data that a message has brought
   */
  final void ended(int code, String function, Buf send, long from, Buf receive, long to, long received) {
    if (isLeft(code)) {
      keep(Transfer.of(send, from, receive, to));
      check(code, function);
    }
    if (send != null) {
      Transfer.stageOut(send, from, 0);
    }
    if (receive != null) {
      Transfer.stageOut(receive, to, code == MPI.MPI_SUCCESS ? received : 0);
    }
    check(code, function);
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
  }

  /**
   * Keeps the buffers of an interrupted call until the rollback is over.
   */
  final void keep(Transfer transfer) {
    new Request(scope(), MPI.MPI_REQUEST_NULL, transfer, true);
  }

  /**
   * The request of a call that has written its handle to this thread's scratch block. If the call
   * failed, its staging blocks are released.
   */
  final Request started(int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    return new Request(scope(), Memory.getLong(Scratch.address()), transfer, true);
  }

  /** As {@link #started}, reusing the request that the transfer was taken from, if there is one. */
  final Request startedAgain(Request spent, int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    long started = Memory.getLong(Scratch.address());
    return Request.transferOf(spent) == transfer ? spent.again(scope(), started) : new Request(scope(), started, transfer, true);
  }

  /** As {@link #started}, for an operation that is started later. */
  final PersistentRequest initialised(int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    return new PersistentRequest(scope(), Memory.getLong(Scratch.address()), transfer);
  }

  private void requireStarted(int code, String function, Transfer transfer) {
    if (code != MPI.MPI_SUCCESS) {
      transfer.release(); // a call that only starts an operation is never interrupted
      check(code, function);
    }
  }

  // After a failure.

  final void revoke() {
    Mpi.requireFaultTolerance("revoke");
    CheckedComm.fail(this);
    Errors.check(ULFM.MPIX_Comm_revoke(handle()), "MPIX_Comm_revoke");
  }

  @Override
  public final boolean isRevoked() {
    return Mpi.current().isFaultTolerant() && isKnownRevoked();
  }

  final boolean isKnownRevoked() {
    Mpi.requireFaultTolerance("isRevoked");
    long scratch = Scratch.address();
    Errors.check(ULFM.MPIX_Comm_is_revoked(handle(), scratch), "MPIX_Comm_is_revoked");
    return Memory.getInt(scratch) != 0;
  }

  @Override
  public final boolean hasFault() {
    if (!Mpi.current().isFaultTolerant()) {
      return false;
    }
    try (Group failed = failedGroup()) {
      return failed.size() > 0 || isKnownRevoked();
    }
  }

  final Request iAgree(Buf value) {
    Mpi.requireFaultTolerance("iAgree");
    requireCount(require(value, "value"), 1, "value", "an agreement");
    if (value.isArray() || value.datatype() != Datatype.INT) {
      throw Rejections.argument("value " + value + " is not off-heap memory of int: use Buf.allocateInts(1)");
    }
    Transfer transfer = new Transfer(null, value);
    return started(ULFM.MPIX_Comm_iagree(handle(), value.address(), Scratch.address()), "MPIX_Comm_iagree", transfer);
  }

  Group failedGroup() {
    Mpi.requireFaultTolerance("failedGroup");
    long scratch = Scratch.address();
    Errors.check(ULFM.MPIX_Comm_get_failed(handle(), scratch), "MPIX_Comm_get_failed");
    return new Group(Memory.getLong(scratch));
  }

  final int ackFailed(int number) {
    Mpi.requireFaultTolerance("ackFailed");
    if (number < 0) {
      throw Rejections.argument("number " + number + " is negative");
    }
    return acknowledge(number);
  }

  int acknowledge(int number) {
    long scratch = Scratch.address();
    Errors.check(ULFM.MPIX_Comm_ack_failed(handle(), Math.min(number, size()), scratch), "MPIX_Comm_ack_failed");
    return Memory.getInt(scratch);
  }

  // Its properties and its end.

  @Override
  public final Group group() {
    long comm = handle();
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_group(comm, scratch), "MPI_Comm_group");
    return new Group(Memory.getLong(scratch));
  }

  final Info info() {
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_get_info(handle(), scratch), "MPI_Comm_get_info");
    return Info.owned(Memory.getLong(scratch));
  }

  final void setInfo(Info info) {
    check(MPI.MPI_Comm_set_info(handle(), Info.handleOf(info)), "MPI_Comm_set_info");
  }

}
