// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Scratch;

/** Two groups of processes that communicate with each other: ranks in its operations are those of the remote group. */
public final class Intercomm extends Comm {
  /** As a root of a collective: this process is it; the others of its group pass {@link Comm#PROC_NULL}. */
  public static final int ROOT = MPI.MPI_ROOT;

  Intercomm(long handle, Scope scope) {
    super(handle, scope, false);
  }

  /**
   * How many processes the other group has. Local. {@code MPI_Comm_remote_size}.
   *
   * @return the ranks that messages and roots can name
   * @throws IllegalStateException where {@link #size} throws it
   */
  public int remoteSize() {
    refuseInBody();
    return peers();
  }

  /**
   * One communicator of both groups. {@code MPI_Intercomm_merge}.
   *
   * @param high whether this group's ranks come behind the other's
   * @return the caller closes it
   */
  public Comm merge(boolean high) {
    return VirtualThreads.needsPlatformThread() ? VirtualThreads.onPlatformThread(() -> makeMerged(high)) : makeMerged(high);
  }

  private Comm makeMerged(boolean high) {
    long comm = handle();
    tell("MPI_Intercomm_merge", -1);
    long scratch = Scratch.address();
    check(MPI.MPI_Intercomm_merge(comm, high ? 1 : 0, scratch), "MPI_Intercomm_merge");
    return named(new Comm(Memory.getLong(scratch), scope(), false));
  }

  @Override
  Comm adopt(long newHandle) {
    return newHandle == MPI.MPI_COMM_NULL ? null : new Intercomm(newHandle, scope());
  }
}
