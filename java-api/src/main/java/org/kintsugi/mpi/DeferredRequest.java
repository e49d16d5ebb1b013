// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Scope;

/** An operation that is done as a whole whenever it is started: MPI has nothing to do with it. */
final class DeferredRequest extends PersistentRequest {
  private Runnable operation;

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
  }

  @Override
  public void close() {
    operation = null;
  }
}
