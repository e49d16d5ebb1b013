// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.internal.calls.CountedReceive;
import org.kintsugi.mpi.internal.calls.CountedStarts;
import org.kintsugi.mpi.internal.calls.MessageOperations;
import org.kintsugi.mpi.internal.lifetime.Scope;

/** The operations on requests, statuses and probed messages that only Kintsugi's own packages may use: see {@link Access}. */
public interface MessageAccess {
  /** A request of an operation that had ended when it was started. The result may be null, if nothing was received. */
  Request completed(Scope scope, Status result);

  /**
   * A persistent request that does the whole operation at every start.
   *
   * @param operation if it receives, also a supplier of the last message's {@link Status}
   */
  PersistentRequest deferred(Scope scope, Runnable operation);

  /** Fills a status for a message that was not received by MPI. @return the status */
  Status fill(Status status, int source, int tag, long bytes);

  /** From now on these receive a probed message, as they have put something around those that found it. @return the message */
  Message receivedBy(Message found, MessageOperations outer);

  /** Counts a probed message as received. */
  void count(Message received, CountedReceive as);

  /** The request counts the message that it receives. Null: it does not. @return the request */
  Request counted(Request receive, CountedReceive as);

  /**
   * Waits as {@link Request#waitFor()}, but returns whether no process has failed instead of throwing. A recovery expects the
   * failure, and the exception, which nobody sees, would take the time of a step.
   */
  boolean awaitWithoutFault(Request request);

  /** The request counts a message at each start. @return the request */
  PersistentRequest counted(PersistentRequest request, CountedStarts as);
}
