// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.lifetime.Scope;

/** An operation that had ended when it was started, without an MPI_Request. */
final class CompletedRequest extends Request {
  private final Status result;
  private boolean reported;

  /** The result may be null, if nothing was received. */
  CompletedRequest(Scope scope, Status result) {
    super(scope, MPI.MPI_REQUEST_NULL, null, false);
    this.result = result;
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

  @Override
  boolean reportsOnce() {
    boolean first = !reported;
    reported = true;
    return first;
  }

  private void tell(Status status) {
    reported = true;
    if (status != null && result != null) {
      status.fill(result.source(), result.tag(), result.bytes());
    }
  }
}
