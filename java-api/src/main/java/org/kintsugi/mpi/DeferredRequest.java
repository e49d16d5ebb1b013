// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.function.Supplier;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Refusal;
import org.kintsugi.mpi.internal.Scope;

/**
 * An operation that is done as a whole whenever it is started, without MPI. One that receives is a {@link Supplier} as well, of
 * the {@link Status} of the message that it received last; null if there is none yet.
 */
class DeferredRequest extends PersistentRequest {
  private Runnable operation;
  private CompletedRequest last; // what came of the last start; null before the first

  DeferredRequest(Scope scope, Runnable operation) {
    super(scope, MPI.MPI_REQUEST_NULL, null);
    this.operation = operation;
  }

  @Override
  public void start() {
    checkScope();
    if (operation == null) {
      throw Refusal.state("request is closed");
    }
    operation.run();
    Status received = operation instanceof Supplier<?> receive && receive.get() instanceof Status status ? status : null;
    last = new CompletedRequest(scope(), received);
  }

  @Override
  boolean reportsOnce() {
    return last != null && last.reportsOnce();
  }

  @Override
  public Status waitFor(Status status) {
    return last == null ? status : last.waitFor(status);
  }

  @Override
  public boolean test(Status status) {
    return last == null || last.test(status);
  }

  @Override
  public void close() {
    operation = null;
  }
}
