// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.CommAccess;
import org.kintsugi.mpi.internal.calls.Recorder;
import org.kintsugi.mpi.internal.check.CheckedComm;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.lifetime.ScopedComm;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.variants.StoredCollectives;
import org.kintsugi.mpi.internal.variants.StoredMessages;
import org.kintsugi.runtime.internal.InRecovery;

/** See {@link CommAccess}. */
@InRecovery
final class CommInternals implements CommAccess {
  @Override
  public Comm move(Comm comm, Scope scope) {
    if (comm == null) {
      return null;
    }
    boolean predefined = comm.state().isPredefined();
    return new Comm(comm.state().giveAway(), scope, predefined);
  }

  @Override
  public Comm adopt(long handle, Comm origin) {
    return new Comm(handle, origin.state().scope(), false);
  }

  @Override
  public Comm move(Comm comm, Comm owner) {
    return move(comm, owner.state().scope());
  }

  @Override
  public Comm connectByName(Comm self, String name, boolean isCalled, Scope scope) {
    long text = Memory.allocateString(name);
    try {
      long scratch = Scratch.address();
      if (isCalled) {
        Errors.check(MPI.MPI_Comm_accept(text, MPI.MPI_INFO_NULL, 0, self.handle(), scratch), "MPI_Comm_accept");
      } else {
        Errors.check(MPI.MPI_Comm_connect(text, MPI.MPI_INFO_NULL, 0, self.handle(), scratch), "MPI_Comm_connect");
      }
      try (Intercomm other = new Intercomm(Memory.getLong(scratch), scope)) {
        return other.merge(isCalled);
      }
    } finally {
      Memory.free(text);
    }
  }

  @Override
  public Comm world(Scope scope) {
    return new Comm(MPI.MPI_COMM_WORLD, scope, true);
  }

  @Override
  public void beginCheck(Comm world, int epoch) {
    world.state().setCompared(CheckedComm.ofEpoch(epoch, world.rank(), world.size()));
  }

  @Override
  public void announce(Comm comm, String what) {
    CheckedComm.tellTogether(comm.state(), what, true);
  }

  @Override
  public void endCheck(Comm world, String what) {
    CheckedComm.tellEnd(world.state(), what);
  }

  @Override
  public void restoreErrorHandlers() {
    // The fork's rollback resets both error handlers.
    Errors.check(MPI.MPI_Comm_set_errhandler(MPI.MPI_COMM_WORLD, MPI.MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    Errors.check(MPI.MPI_Comm_set_errhandler(MPI.MPI_COMM_SELF, MPI.MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }

  @Override
  public ScopedComm inScope(Comm comm) {
    return comm.state();
  }

  @Override
  public Comm redirected(Comm plain) {
    return new RedirectedComm(plain);
  }

  @Override
  public void redirect(Comm redirected, Recorder recorder) {
    CommHandle comm = redirected.state();
    StoredCollectives collectives = new StoredCollectives(comm, recorder, new CollectiveCalls(comm), new NumberCalls(comm));
    redirected.redirect(new StoredMessages(comm, recorder, redirected.messages()), collectives, collectives);
  }

  @Override
  public void closeRedirected(Comm redirected) {
    ((RedirectedComm) redirected).closeByOwner();
  }

  @Override
  public void requireObjects(Comm comm, String method) {
    comm.requireObjects(method);
  }
}
