// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ULFM;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.RollbackSignal;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.lifetime.ScopedComm;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.threads.CallingThread;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * The {@code MPI_Comm} of a communicator: its handle and scope, its ranks, its name, and the checks of arguments. What works on
 * buffers, requests and groups is in its subclass, next to the public classes.
 */
@InRecovery
public abstract class CommState implements ScopedComm {
  /** As the size of the other group: there is none. */
  protected static final int ONE_GROUP = -1;

  private final Scope scope;
  private long handle;
  private final boolean predefined;
  private final Leaks.Origin origin;
  private final int rank;
  private final int size;
  private final int remoteSize;
  private ComparedComm compared; // null: its calls are not compared
  private String givenName; // null: none

  /**
   * Takes over a handle.
   *
   * @param origin the place where the program made the communicator; null: it is not reported
   * @param remoteSize the size of the other group; {@link #ONE_GROUP}: there is none
   */
  protected CommState(long handle, Scope scope, boolean predefined, Leaks.Origin origin, int remoteSize) {
    this.handle = handle;
    this.scope = scope;
    this.predefined = predefined;
    this.origin = origin;
    // MPI returns errors as codes, and does not end the job; communicators made from this one
    // inherit that.
    Errors.check(MPI.MPI_Comm_set_errhandler(handle, MPI.MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Comm_rank(handle, scratch), "MPI_Comm_rank");
    rank = Memory.getInt(scratch);
    Errors.check(MPI.MPI_Comm_size(handle, scratch), "MPI_Comm_size");
    size = Memory.getInt(scratch);
    this.remoteSize = remoteSize == ONE_GROUP ? size : remoteSize;
    scope.register(this, handle);
  }

  /** This process's rank. @throws IllegalStateException inside the body of a run, if the communicator is not of the run */
  public final int rank() {
    refuseInBody();
    return rank;
  }

  /** How many processes it has, or its local group. @throws IllegalStateException as {@link #rank} */
  public final int size() {
    refuseInBody();
    return size;
  }

  /** As {@link #rank}, also inside the body of a run. It is for messages and reports. */
  public final int rawRank() {
    return rank;
  }

  /** As {@link #size}, also inside the body of a run. */
  public final int rawSize() {
    return size;
  }

  /**
   * Refuses rank and size in the body of a run. Work that is divided by them would be divided
   * wrongly, without any error.
   */
  public final void refuseInBody() {
    if (scope.isSuspended()) {
      throw scope.stale("communicator");
    }
  }

  /**
   * The number of ranks to which messages can go. This is the size of the remote group of an
   * intercommunicator, otherwise {@link #size}.
   */
  public final int peers() {
    return remoteSize;
  }

  /** Whether ranks in its operations are those of another group. */
  public boolean isBetweenGroups() {
    return false;
  }

  /** Refuses an intercommunicator, as Open MPI does not check this everywhere. */
  public void requireOneGroup(String function) {}

  /** Whether this process is the root. */
  public boolean isRoot(int root) {
    return root == rank();
  }

  /** Whether this process takes no part in a collective, as it is in the root's group and is not the root. */
  public boolean isIdle(int root) {
    return false;
  }

  @Override
  public final long handle() {
    long usable = handleToLook();
    CallTrace.step(usable);
    return usable;
  }

  /** As {@link #handle}, for a test or probe. One that finds nothing does not count as progress. */
  public final long handleToLook() {
    CallingThread.check();
    if (!scope.isUsable()) {
      throw scope.stale("communicator"); // first: the scope's end has closed it, too
    }
    if (handle == 0) {
      throw Rejections.state("communicator is closed");
    }
    return handle;
  }

  @Override
  public final long rawHandle() {
    return handle;
  }

  public final Scope scope() {
    return scope;
  }

  public final boolean isPredefined() {
    return predefined;
  }

  public final boolean isClosed() {
    return handle == 0 || scope.hasEnded();
  }

  @Override
  public final Leaks.Origin origin() {
    return origin;
  }

  /** The name under which the launcher compares its calls. Null if it does not. */
  public final ComparedComm compared() {
    return compared;
  }

  /** From now on the launcher compares its calls, under this name. */
  public final void setCompared(ComparedComm as) {
    compared = as;
  }

  public final void check(int code, String function) {
    if (code != MPI.MPI_SUCCESS) {
      if (compared != null && Errors.mayBeFault(code)) {
        compared.fail();
      }
      throw scope.failure(code, function, this);
    }
  }

  public final int checkDestination(int dest) {
    CallTrace.about(dest);
    if (dest >= remoteSize || dest < 0 && dest != Comm.PROC_NULL) {
      throw badRank("dest", dest, "or PROC_NULL");
    }
    return dest;
  }

  public final int checkSource(int source) {
    CallTrace.about(source);
    if (source >= remoteSize || source < 0 && source != Comm.PROC_NULL && source != Comm.ANY_SOURCE) {
      throw badRank("source", source, "ANY_SOURCE or PROC_NULL");
    }
    return source;
  }

  public int checkRoot(int root) {
    return checkSame(root, "root");
  }

  /** For a rank that all processes name. */
  public final int checkSame(int rank, String argument) {
    CallTrace.about(rank);
    if (rank >= remoteSize || rank < 0) {
      throw badRank(argument, rank, "on every rank the same");
    }
    return rank;
  }

  public final IllegalArgumentException badRank(String argument, int rank, String others) {
    return Rejections.argument(
        argument + " " + rank + " is no rank of this communicator: 0 to " + (remoteSize - 1) + ", " + others);
  }

  public static int checkSendTag(int tag) {
    CallTrace.tagged(tag);
    if (tag < 0) {
      throw Rejections.argument("tag " + tag + " is negative");
    }
    return tag;
  }

  public static int checkReceiveTag(int tag) {
    CallTrace.tagged(tag);
    if (tag < 0 && tag != Comm.ANY_TAG) {
      throw Rejections.argument("tag " + tag + " is negative and not ANY_TAG");
    }
    return tag;
  }

  /** See {@link RollbackSignal#isLeft}. */
  public static boolean isLeft(int code) {
    return code != MPI.MPI_SUCCESS && RollbackSignal.isLeft(code);
  }

  // Its members, its name and its end.

  /** Its processes, or its local group's; the caller closes it. */
  public abstract Group group();

  /** The name that MPI has; empty for none. */
  public final String name() {
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_get_name(handle(), scratch + Scratch.TEXT, scratch + Scratch.LENGTH), "MPI_Comm_get_name");
    return Memory.getString(scratch + Scratch.TEXT, Memory.getInt(scratch + Scratch.LENGTH));
  }

  public final void setName(String name) {
    long text = Memory.allocateString(name);
    try {
      check(MPI.MPI_Comm_set_name(handle(), text), "MPI_Comm_set_name");
      givenName = name;
      if (compared != null) {
        compared.setName(name);
      }
    } finally {
      Memory.free(text);
    }
  }

  @Override
  public final String name(String otherwise) {
    return givenName != null ? inQuotes(givenName) : otherwise != null ? otherwise : whatItIs();
  }

  protected String inQuotes(String name) {
    return "\"" + name + "\"";
  }

  protected String whatItIs() {
    return "a communicator of " + size + (size == 1 ? " rank" : " ranks");
  }

  public final boolean isCongruent(CommState other) {
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_compare(handle(), other.handle(), scratch), "MPI_Comm_compare");
    int result = Memory.getInt(scratch);
    return result == MPI.MPI_IDENT || result == MPI.MPI_CONGRUENT;
  }

  /** Frees it, whatever the state of the scope. */
  public final void free() {
    scope.forget(this, handle);
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    handle = 0;
    if (!predefined) {
      check(MPI.MPI_Comm_free(scratch), "MPI_Comm_free");
    }
  }

  /** Leaves the handle to another object. @return the handle */
  public final long giveAway() {
    scope.forget(this, handle);
    return handle;
  }

  @Override
  public final void freeStale() {
    if (handle != 0 && !predefined) {
      scope.forget(this, handle);
      long scratch = Scratch.address();
      Memory.putLong(scratch, handle);
      handle = 0;
      // The communicator is revoked and not used any more: an error here changes nothing.
      int ignored = MPI.MPI_Comm_free(scratch);
      assert ignored >= MPI.MPI_SUCCESS;
    }
  }

  /** Errors are ignored: then there is nothing left to revoke. */
  @Override
  public final void revokeQuietly() {
    if (handle != 0 && Flavour.current() == Flavour.ULFM) {
      int ignored = ULFM.MPIX_Comm_revoke(handle);
      assert ignored >= MPI.MPI_SUCCESS;
    }
  }

  @Override
  public String toString() {
    return "Comm[rank " + rank + " of " + size + "]";
  }
}
