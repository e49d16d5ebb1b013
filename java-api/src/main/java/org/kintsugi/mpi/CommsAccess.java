// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.CommsKey;
import org.kintsugi.mpi.internal.Errors;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Recorder;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.ScopedComm;
import org.kintsugi.mpi.internal.Scratch;

/** See {@link CommsKey}. */
final class CommsAccess extends CommsKey<Comm, Buf> {
  @Override
  public Comm move(Comm comm, Scope scope) {
    if (comm == null) {
      return null;
    }
    comm.scope().forget(comm.inScope(), comm.rawHandle());
    return new Comm(comm.rawHandle(), scope, comm.isPredefined());
  }

  @Override
  public Comm adopt(long handle, Comm origin) {
    return new Comm(handle, origin.scope(), false);
  }

  @Override
  public Comm move(Comm comm, Comm owner) {
    return move(comm, owner.scope());
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
    world.setChecked(CheckedComm.ofEpoch(epoch, world.rank(), world.size()));
  }

  @Override
  public void announce(Comm comm, String what) {
    if (CheckedComm.IS_ON) {
      CheckedComm.tellTogether(comm, what, true);
    }
  }

  @Override
  public void endCheck(Comm world, String what) {
    if (CheckedComm.IS_ON) {
      CheckedComm.tellEnd(world, what);
    }
  }

  @Override
  public void restoreErrorHandlers() {
    // The fork's rollback resets both error handlers.
    Errors.check(MPI.MPI_Comm_set_errhandler(MPI.MPI_COMM_WORLD, MPI.MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    Errors.check(MPI.MPI_Comm_set_errhandler(MPI.MPI_COMM_SELF, MPI.MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }

  @Override
  public ScopedComm inScope(Comm comm) {
    return comm.inScope();
  }

  @Override
  public Buf uncleared(long bytes) {
    return Buf.uncleared(bytes);
  }

  @Override
  public void copyTo(Buf buf, long address) {
    buf.copyTo(address);
  }

  @Override
  public void copyFrom(Buf buf, long address, long bytes) {
    buf.copyFrom(address, 0, buf.count(), bytes);
  }

  @Override
  public Object base(Buf buf) {
    return buf.base();
  }

  @Override
  public long offset(Buf buf) {
    return buf.offset();
  }

  @Override
  public boolean isOfPredefinedType(Buf buf) {
    return !buf.datatype().isDerived();
  }

  @Override
  public Comm redirected(Comm plain) {
    return new RedirectedComm(plain);
  }

  @Override
  public void redirect(Comm redirected, Recorder<Buf> recorder) {
    StoredCollectives collectives = new StoredCollectives(redirected, recorder);
    redirected.redirect(new StoredMessages(redirected, recorder), collectives, collectives);
  }

  @Override
  public void closeRedirected(Comm redirected) {
    ((RedirectedComm) redirected).closeByOwner();
  }
}
