// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ULFM;
import org.kintsugi.mpi.internal.check.CheckedComm;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.runtime.internal.protocol.RankPlace;

/** The {@code MPI_Comm} of an {@link Intercomm}. */
final class IntercommHandle extends CommHandle {
  IntercommHandle(long handle, Scope scope) {
    super(handle, scope, remoteSize(handle));
  }

  private static int remoteSize(long handle) {
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Comm_remote_size(handle, scratch), "MPI_Comm_remote_size");
    return Memory.getInt(scratch);
  }

  @Override
  public boolean isBetweenGroups() {
    return true;
  }

  @Override
  public void requireOneGroup(String function) {
    check(MPI.MPI_ERR_COMM, function);
  }

  @Override
  public boolean isRoot(int root) {
    return root == Intercomm.ROOT;
  }

  @Override
  public boolean isIdle(int root) {
    return root == Comm.PROC_NULL;
  }

  @Override
  public int checkRoot(int root) {
    CallTrace.about(root);
    if (root >= peers() || root < 0 && root != Intercomm.ROOT && root != Comm.PROC_NULL) {
      throw badRank("root", root, "ROOT or PROC_NULL");
    }
    return root;
  }

  @Override
  void name(CommHandle made) {
    if (CheckedComm.IS_ON) {
      CheckedComm.nameBetweenGroups(made, this, new CollectiveCalls(made));
    }
  }

  /** The name always says what it is: the launcher looks for that (StallReport). */
  @Override
  protected String inQuotes(String name) {
    return super.inQuotes(name) + ", " + whatItIs();
  }

  @Override
  protected String whatItIs() {
    return RankPlace.INTERCOMM + rawSize() + " and " + peers() + " ranks";
  }

  /**
   * Adds the failed processes of the remote group. Open MPI 5.0.7 without our patches names those
   * of the local group only; if the remote processes are of the same job, MPI_COMM_WORLD has their
   * failures, too.
   */
  @Override
  Group failedGroup() {
    Group failed = super.failedGroup();
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Comm_remote_group(handle(), scratch), "MPI_Comm_remote_group");
    try (Group local = failed; Group remote = new Group(Memory.getLong(scratch)); Group ofJob = failedOfJob();
        Group failedRemotes = remote.intersection(ofJob)) {
      return local.union(failedRemotes);
    }
  }

  private static Group failedOfJob() {
    long scratch = Scratch.address();
    Errors.check(ULFM.MPIX_Comm_get_failed(MPI.MPI_COMM_WORLD, scratch), "MPIX_Comm_get_failed");
    return new Group(Memory.getLong(scratch));
  }

  /**
   * Acknowledges failures in both groups. Open MPI 5.0.7 without our patches considers the local
   * group only; ULFM's earlier function acknowledges all failures.
   */
  @Override
  int acknowledge(int number) {
    int known = sizeOfFailedGroup();
    int wanted = Math.min(number, known);
    long scratch = Scratch.address();
    int code = ULFM.MPIX_Comm_ack_failed(handle(), wanted, scratch);
    if (code != MPI.MPI_SUCCESS && wanted > size()) {
      code = ULFM.MPIX_Comm_ack_failed(handle(), size(), scratch);
    }
    Errors.check(code, "MPIX_Comm_ack_failed");
    int acknowledged = Memory.getInt(scratch);
    if (acknowledged < known && number >= known) {
      Errors.check(ULFM.MPIX_Comm_failure_ack(handle()), "MPIX_Comm_failure_ack");
      return known;
    }
    return acknowledged;
  }

  private int sizeOfFailedGroup() {
    try (Group failed = failedGroup()) {
      return failed.size();
    }
  }
}
