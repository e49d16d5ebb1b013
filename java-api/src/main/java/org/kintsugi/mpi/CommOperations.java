// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.lang.ref.Reference;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Scratch;

/**
 * Dispatches the operations of a communicator, and does the work after MPI's functions: gives buffers back, makes requests,
 * throws errors.
 *
 * <p>The public methods of the classes above describe an operation to the user and hand it to one of the objects here. These
 * call MPI, unless they have been replaced ({@link org.kintsugi.mpi.internal.CommsKey#redirect}), as for a communicator that
 * stores its messages.
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

  /** From now on these carry out the program's operations. */
  final void redirect(MessageOperations toMessages, CollectiveOperations toCollectives, NumberOperations toNumbers) {
    messages = toMessages;
    collectives = toCollectives;
    numbers = toNumbers;
  }

  /**
   * After a blocking call, whose buffers may be null: gives them back, with the received data, and throws on an error.
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

  /** Keeps the buffers of a call that was left, as if they were a request's, until the rollback is over. */
  final void keep(Transfer transfer) {
    new Request(scope(), MPI.MPI_REQUEST_NULL, transfer, true);
  }

  /** The request of a call that has left its handle in this thread's scratch block; gives the staging back if it failed. */
  final Request started(int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    return new Request(scope(), Memory.getLong(Scratch.address()), transfer, true);
  }

  /** As {@link #started}, in place of the request that the transfer was taken from, if it was. */
  final Request startedAgain(Request spent, int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    long started = Memory.getLong(Scratch.address());
    return Request.transferOf(spent) == transfer ? spent.again(scope(), started) : new Request(scope(), started, transfer, true);
  }

  /** As {@link #started}, for an operation that is to be started later. */
  final PersistentRequest initialised(int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    return new PersistentRequest(scope(), Memory.getLong(Scratch.address()), transfer);
  }

  private void requireStarted(int code, String function, Transfer transfer) {
    if (code != MPI.MPI_SUCCESS) {
      transfer.release(); // a call that only starts something is never left in the middle
      check(code, function);
    }
  }
}
