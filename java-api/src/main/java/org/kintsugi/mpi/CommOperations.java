// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.lang.ref.Reference;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;

/**
 * Dispatches the operations of a communicator, and does the work after MPI's functions. It releases
 * buffers, makes requests, and throws errors.
 *
 * <p>The public methods of the subclasses describe an operation for the user and forward it to one
 * of the objects here. These call MPI, unless they have been replaced
 * ({@link org.kintsugi.mpi.internal.CommAccess#redirect}), as for a communicator that stores its
 * messages.
 */
abstract class CommOperations extends CommHandle {
  private MessageOperations messages;
  private CollectiveOperations collectives;
  private NumberOperations numbers;

  CommOperations(long handle, Scope scope) {
    super(handle, scope);
    messages = new MessageCalls((Comm) this);
    collectives = new CollectiveCalls((Comm) this);
    numbers = new NumberCalls((Comm) this);
  }

  final MessageOperations messages() {
    return messages;
  }

  final CollectiveOperations collectives() {
    return collectives;
  }

  final NumberOperations numbers() {
    return numbers;
  }

  /** From now on these objects perform the program's operations. */
  final void redirect(MessageOperations toMessages, CollectiveOperations toCollectives, NumberOperations toNumbers) {
    messages = toMessages;
    collectives = toCollectives;
    numbers = toNumbers;
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

  /** See {@link Rollbacks#isLeft}. */
  static boolean isLeft(int code) {
    return code != MPI.MPI_SUCCESS && Rollbacks.isLeft(code);
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
}
