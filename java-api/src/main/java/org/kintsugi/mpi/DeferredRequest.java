// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.function.Supplier;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.Scope;

/**
 * A persistent operation that each start performs completely, without an MPI_Request. If it
 * receives, it is also a {@link Supplier} of the {@link Status} of the last received message, which
 * is null before the first.
 */
class DeferredRequest extends PersistentRequest {
  private Runnable operation;
  private CompletedRequest last; // the result of the last start; null before the first

  DeferredRequest(Scope scope, Runnable operation) {
    super(scope, MPI.MPI_REQUEST_NULL, null);
    this.operation = operation;
  }

  @Override
  public void start() {
    checkScope();
    if (operation == null) {
      throw Rejections.state("request is closed");
    }
    operation.run();
    reportStart();
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
