// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Scratch;

/**
 * An operation that is set up once and started many times; made by {@code sendInit}, {@code recvInit}, .... An array is
 * read at every {@link #start}. Close it when it is not needed any more.
 */
public class PersistentRequest extends Request implements AutoCloseable {
  private final Transfer transfer;

  PersistentRequest(Scope scope, long handle, Transfer transfer) {
    super(scope, handle, transfer, false);
    this.transfer = transfer;
  }

  @Override
  boolean isPersistent() {
    return true;
  }

  /** Starts it. Local. {@code MPI_Start}. @throws IllegalStateException if it is in flight or closed */
  public void start() {
    checkScope();
    if (isActive()) {
      throw new IllegalStateException("request is in flight: wait for it before you start it again");
    }
    if (handle == 0) {
      throw new IllegalStateException("request is closed");
    }
    transfer.refill();
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    check(MPI.MPI_Start(scratch), "MPI_Start");
    activate();
  }

  /** Starts all. {@code MPI_Startall}. */
  public static void startAll(PersistentRequest... requests) {
    for (PersistentRequest request : requests) {
      request.start();
    }
  }

  /** Frees it; one in flight is waited for first. Idempotent. {@code MPI_Request_free}. */
  @Override
  public void close() {
    if (handle == 0 || scope().hasEnded() || !Mpi.isActive()) {
      return;
    }
    waitFor();
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    handle = 0;
    check(MPI.MPI_Request_free(scratch), "MPI_Request_free");
    transfer.release();
  }
}
