// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.io.Serializable;
import java.util.List;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.lifetime.Scope;

/**
 * Two groups of processes that communicate with each other. Ranks in its operations are those of
 * the remote group.
 *
 * <p>What a collective sends and what it receives are independent there. So no collective works in
 * place, and the two groups may send each other parts of different lengths: in
 * {@link #allGather(Buf, Buf)} and {@link #allToAll(Buf, Buf)} the receive buffer has exactly
 * {@link #remoteSize} parts, of the length that the other group sends. The length of a reduction is
 * the same in both groups. Scans and grids are not defined between groups, and are refused.
 */
public final class Intercomm extends Comm {
  /**
   * As a root of a collective: this process is the root. The others of its group pass
   * {@link Comm#PROC_NULL}.
   */
  public static final int ROOT = MPI.MPI_ROOT;

  Intercomm(long handle, Scope scope) {
    super(new IntercommHandle(handle, scope));
  }

  /**
   * How many processes the other group has. Local. {@code MPI_Comm_remote_size}.
   *
   * @return the ranks that messages and roots can name
   * @throws IllegalStateException where {@link #size} throws it
   */
  public int remoteSize() {
    state().refuseInBody();
    return state().peers();
  }

  /**
   * One communicator of both groups. {@code MPI_Intercomm_merge}.
   *
   * @param high whether this group's ranks follow the other's
   * @return the caller closes it
   */
  public Comm merge(boolean high) {
    return communicators().merge(high);
  }

  @Override
  Comm adopt(long newHandle) {
    return newHandle == MPI.MPI_COMM_NULL ? null : new Intercomm(newHandle, state().scope());
  }

  @Override
  public <T extends Serializable> T bcastObject(Class<T> type, T value, int root, Class<?>... others) {
    throw betweenGroups("bcastObject");
  }

  @Override
  public <T extends Serializable> List<T> gatherObjects(Class<T> type, T value, int root, Class<?>... others) {
    throw betweenGroups("gatherObjects");
  }

  @Override
  public <T extends Serializable> List<T> allGatherObjects(Class<T> type, T value, Class<?>... others) {
    throw betweenGroups("allGatherObjects");
  }

  private static UnsupportedOperationException betweenGroups(String method) {
    return new UnsupportedOperationException(method + " between two groups: use sendObject there, or merge() the groups");
  }
}
