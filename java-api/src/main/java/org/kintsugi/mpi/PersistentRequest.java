// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.CountedStarts;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.threads.CallingThread;
import org.kintsugi.runtime.Flavour;

/**
 * An operation that is set up once and started many times. Methods like {@code sendInit} and
 * {@code recvInit} make it. A Java array is read at every {@link #start}. The caller closes it.
 */
public class PersistentRequest extends Request implements AutoCloseable {
  private final Transfer transfer;
  private final Leaks.Watch watch;
  private boolean closed;
  private CountedStarts checked; // null: nothing is reported to the launcher

  PersistentRequest(Scope scope, long handle, Transfer transfer) {
    super(scope, handle, transfer, false);
    this.transfer = transfer;
    // A request without an MPI_Request leaks nothing.
    this.watch = handle == MPI.MPI_REQUEST_NULL ? null : Leaks.watch(this, scope, Leaks.origin("a persistent request"));
  }

  /** Reports each message to the launcher. @return this */
  final PersistentRequest checkedAs(CountedStarts as) {
    checked = as;
    return this;
  }

  @Override
  boolean isPersistent() {
    return true;
  }

  /**
   * Starts it. Local. {@code MPI_Start}.
   *
   * @throws IllegalStateException if it is in flight or closed
   */
  public void start() {
    checkScope();
    checkStart();
    if (isActive()) {
      throw Rejections.state("request is in flight: wait for it before you start it again");
    }
    if (closed) {
      throw Rejections.state("request is closed");
    }
    if (handle == MPI.MPI_REQUEST_NULL) {
      throw Rejections.state("request has ended with a failure, and MPI has freed it: set it up again");
    }
    transfer.refill();
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    check(MPI.MPI_Start(scratch), "MPI_Start");
    activate();
    reportStart();
  }

  /** With {@code --check}: counts the message that has been started. */
  final void reportStart() {
    if (checked != null) {
      awaits(checked.start());
    }
  }

  /** A start needs a scope that is not suspended; a wait for a started operation does not. */
  private void checkStart() {
    if (!scope().isUsable()) {
      throw scope().stale("persistent request");
    }
  }

  /**
   * Starts all. {@code MPI_Startall}.
   *
   * @param requests the requests to start, in this order
   * @throws IllegalStateException if one is in flight or closed; those before it are started
   */
  public static void startAll(PersistentRequest... requests) {
    for (PersistentRequest request : requests) {
      request.start();
    }
  }

  /**
   * Frees it; if it is in flight, waits first. In a {@code finally} block that a rollback passes it
   * does not wait: the rollback completes the request, and it is freed then. Idempotent.
   * {@code MPI_Request_free}.
   */
  @Override
  public void close() {
    if (closed || !Mpi.isActive()) {
      return;
    }
    CallingThread.check();
    closed = true;
    Leaks.closed(watch);
    if (!isActive()) {
      free();
    } else if (!scope().hasEnded()) {
      waitFor();
    }
  }

  /**
   * Records its end, and frees it if it was closed in flight. Until then MPI may write to its
   * memory.
   */
  @Override
  Throwable complete(long newHandle, boolean success, long status) {
    Throwable thrown = super.complete(newHandle, success, status);
    if (closed) {
      free();
    }
    return thrown;
  }

  private void free() {
    long freed = handle;
    handle = MPI.MPI_REQUEST_NULL;
    transfer.release();
    boolean stale = scope().hasEnded();
    // The Reinit++ fork has freed all requests of an epoch that is over.
    if (freed != MPI.MPI_REQUEST_NULL && !(stale && Flavour.current() == Flavour.REINIT)) {
      long scratch = Scratch.address();
      Memory.putLong(scratch, freed);
      int code = MPI.MPI_Request_free(scratch);
      if (!stale) {
        check(code, "MPI_Request_free");
      }
    }
  }
}
