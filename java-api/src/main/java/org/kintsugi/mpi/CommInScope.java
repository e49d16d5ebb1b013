// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.ScopedComm;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.runtime.internal.protocol.RankPlace;

/** See {@link ScopedComm}. */
final class CommInScope implements ScopedComm {
  private final Comm comm;

  CommInScope(Comm comm) {
    this.comm = comm;
  }

  Comm comm() {
    return comm;
  }

  @Override
  public long handle() {
    return comm.handle();
  }

  @Override
  public long rawHandle() {
    return comm.rawHandle();
  }

  /**
   * The name of an intercommunicator always says its kind: the launcher looks for that
   * (StallReport).
   */
  @Override
  public String name(String otherwise) {
    String given = comm.givenName();
    if (given != null) {
      return "\"" + given + "\"" + (comm instanceof Intercomm ? ", " + whatItIs() : "");
    }
    return otherwise != null ? otherwise : whatItIs();
  }

  private String whatItIs() {
    return comm instanceof Intercomm ? RankPlace.INTERCOMM + comm.rawSize() + " and " + comm.peers() + " ranks"
        : "a communicator of " + comm.rawSize() + (comm.rawSize() == 1 ? " rank" : " ranks");
  }

  @Override
  public boolean isRevoked() {
    return Mpi.current().isFaultTolerant() && comm.isRevoked();
  }

  @Override
  public boolean hasFault() {
    if (!Mpi.current().isFaultTolerant()) {
      return false;
    }
    try (Group failed = comm.failedGroup()) {
      return failed.size() > 0 || comm.isRevoked();
    }
  }

  @Override
  public void revokeQuietly() {
    comm.revokeQuietly();
  }

  @Override
  public void freeStale() {
    if (comm.rawHandle() != 0 && !comm.isPredefined()) {
      comm.scope().forget(this, comm.rawHandle());
      long scratch = Scratch.address();
      Memory.putLong(scratch, comm.rawHandle());
      comm.clearHandle();
      // The communicator is revoked and not used any more: an error here changes nothing.
      int ignored = MPI.MPI_Comm_free(scratch);
      assert ignored >= MPI.MPI_SUCCESS;
    }
  }

  @Override
  public Leaks.Origin origin() {
    return comm.origin();
  }
}
