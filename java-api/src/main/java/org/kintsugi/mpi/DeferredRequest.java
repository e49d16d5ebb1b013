// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.function.Supplier;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Scope;

/**
 * An operation that is done as a whole whenever it is started: MPI has nothing to do with it. One that receives is a
 * {@link Supplier} as well, of the {@link Status} of what it received last; null if there is nothing yet.
 */
final class DeferredRequest extends PersistentRequest {
  private Runnable operation;
  private boolean reported = true;

  DeferredRequest(Scope scope, Runnable operation) {
    super(scope, MPI.MPI_REQUEST_NULL, null);
    this.operation = operation;
  }

  @Override
  public void start() {
    checkScope();
    if (operation == null) {
      throw new IllegalStateException("request is closed");
    }
    operation.run();
    reported = false;
  }

  @Override
  boolean reportsOnce() {
    boolean first = !reported;
    reported = true;
    return first;
  }

  @Override
  public Status waitFor(Status status) {
    tell(status);
    return status;
  }

  @Override
  public boolean test(Status status) {
    tell(status);
    return true;
  }

  private void tell(Status status) {
    reported = true;
    if (status != null && operation instanceof Supplier<?> receive && receive.get() instanceof Status received) {
      status.fill(received.source(), received.tag(), received.bytes());
    }
  }

  @Override
  public void close() {
    operation = null;
  }
}
