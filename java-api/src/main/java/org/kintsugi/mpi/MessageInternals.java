// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.MessageAccess;
import org.kintsugi.mpi.internal.calls.CountedReceive;
import org.kintsugi.mpi.internal.calls.CountedStarts;
import org.kintsugi.mpi.internal.calls.MessageOperations;
import org.kintsugi.mpi.internal.lifetime.Scope;

/** See {@link MessageAccess}. */
final class MessageInternals implements MessageAccess {
  @Override
  public Request completed(Scope scope, Status result) {
    return new CompletedRequest(scope, result);
  }

  @Override
  public PersistentRequest deferred(Scope scope, Runnable operation) {
    return new DeferredRequest(scope, operation);
  }

  @Override
  public Status fill(Status status, int source, int tag, long bytes) {
    return status.fill(source, tag, bytes);
  }

  @Override
  public Message receivedBy(Message found, MessageOperations outer) {
    return found.receivedBy(outer);
  }

  @Override
  public void count(Message received, CountedReceive as) {
    received.countIn(as);
  }

  @Override
  public Request counted(Request receive, CountedReceive as) {
    return receive.awaits(as);
  }

  @Override
  public boolean awaitWithoutFault(Request request) {
    return request.awaitWithoutFault();
  }

  @Override
  public PersistentRequest counted(PersistentRequest request, CountedStarts as) {
    return request.checkedAs(as);
  }
}
