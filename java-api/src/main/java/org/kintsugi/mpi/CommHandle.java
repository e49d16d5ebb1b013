// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * The basis of every operation of a communicator. It has the handle, its scope, and the checks of
 * arguments. The chain of its subclasses ({@link PointToPoint}, {@link Collectives},
 * {@link NonblockingCollectives}, ..., {@link Comm}) splits one large interface by the chapters of
 * the standard.
 *
 * <p>No public method of these classes is final. Only a method of a public class can be called by
 * reflection: javac adds bridges for non-final methods to the first public subclass.
 */
@InRecovery
abstract class CommHandle {
  private final Scope scope;
  private long handle;
  private final int rank;
  private final int size;
  private final int remoteSize;
  private CheckedComm checked; // null: its calls are not compared

  CommHandle(long handle, Scope scope) {
    this.handle = handle;
    this.scope = scope;
    // MPI returns errors as codes, and does not end the job; communicators made from this one
    // inherit that.
    Errors.check(MPI.MPI_Comm_set_errhandler(handle, MPI.MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    long scratch = Scratch.address();
    Errors.check(MPI.MPI_Comm_rank(handle, scratch), "MPI_Comm_rank");
    rank = Memory.getInt(scratch);
    Errors.check(MPI.MPI_Comm_size(handle, scratch), "MPI_Comm_size");
    size = Memory.getInt(scratch);
    Errors.check(MPI.MPI_Comm_test_inter(handle, scratch), "MPI_Comm_test_inter");
    if (Memory.getInt(scratch) != 0) {
      Errors.check(MPI.MPI_Comm_remote_size(handle, scratch), "MPI_Comm_remote_size");
      remoteSize = Memory.getInt(scratch);
    } else {
      remoteSize = size;
    }
  }

  /**
   * This process's rank in the communicator (in the local group of an intercommunicator). It stays the same when the communicator
   * is closed or its epoch has ended.
   *
   * @return from 0 on
   * @throws IllegalStateException inside the body of a Reinit run if the communicator is not of the
   *     run (as {@link Mpi#world}): a replacement has another rank there than the process that it
   *     replaces
   */
  public int rank() {
    refuseInBody();
    return rank;
  }

  /**
   * How many processes the communicator has (the local group of an intercommunicator). It stays the same when the communicator is
   * closed or its epoch has ended.
   *
   * @return at least 1
   * @throws IllegalStateException inside the body of a Reinit run if the communicator is not of the run (as {@link Mpi#world}):
   *     its spares would be counted
   */
  public int size() {
    refuseInBody();
    return size;
  }

  /** As {@link #rank}, also inside the body of a run. It is for messages and reports. */
  final int rawRank() {
    return rank;
  }

  /** As {@link #size}, also inside the body of a run. */
  final int rawSize() {
    return size;
  }

  /**
   * Refuses rank and size in the body of a run. Work that is divided by them would be divided
   * wrongly, without any error.
   */
  final void refuseInBody() {
    if (scope.isSuspended()) {
      throw scope.stale("communicator");
    }
  }

  /**
   * The number of ranks to which messages can go. This is the size of the remote group of an
   * intercommunicator, otherwise {@link #size}.
   */
  final int peers() {
    return remoteSize;
  }

  /**
   * The {@code MPI_Comm}, for the raw bindings. Communicators that are made from it there do not
   * belong to this object's scope, so a rollback does not revoke them.
   *
   * @return the handle, valid until the communicator is closed or its epoch ends
   * @throws IllegalStateException if it is closed or stale, inside the body of a Reinit run if it is not of the run (as {@link
   *     Mpi#world}), or on a thread that may not call MPI (see {@link ThreadLevel})
   */
  public long handle() {
    long usable = handleToLook();
    CallTrace.step(usable);
    return usable;
  }

  /** As {@link #handle}, for a test or probe. One that finds nothing does not count as progress. */
  final long handleToLook() {
    CallingThread.check();
    if (!scope.isUsable()) {
      throw scope.stale("communicator"); // first: the scope's end has closed it, too
    }
    if (handle == 0) {
      throw Rejections.state("communicator is closed");
    }
    return handle;
  }

  /** The handle, for calls that must work in any state of the communicator. 0 when closed. */
  final long rawHandle() {
    return handle;
  }

  final void clearHandle() {
    handle = 0;
  }

  final Scope scope() {
    return scope;
  }

  /** The name under which the launcher compares its calls. Null if it does not. */
  final CheckedComm checked() {
    return checked;
  }

  /** From now on the launcher compares its calls, under this name. */
  final void setChecked(CheckedComm as) {
    checked = as;
  }

  final void check(int code, String function) {
    if (code != MPI.MPI_SUCCESS) {
      if (CheckedComm.IS_ON && Errors.mayBeFault(code)) {
        CheckedComm.fail(this);
      }
      throw scope.failure(code, function, ((Comm) this).inScope());
    }
  }

  final int checkDestination(int dest) {
    CallTrace.about(dest);
    if (dest >= remoteSize || dest < 0 && dest != Comm.PROC_NULL) {
      throw badRank("dest", dest, "or PROC_NULL");
    }
    return dest;
  }

  final int checkSource(int source) {
    CallTrace.about(source);
    if (source >= remoteSize || source < 0 && source != Comm.PROC_NULL && source != Comm.ANY_SOURCE) {
      throw badRank("source", source, "ANY_SOURCE or PROC_NULL");
    }
    return source;
  }

  final int checkRoot(int root) {
    CallTrace.about(root);
    boolean inter = this instanceof Intercomm;
    if (root >= remoteSize || root < 0 && !(inter && (root == Intercomm.ROOT || root == Comm.PROC_NULL))) {
      throw badRank("root", root, inter ? "ROOT or PROC_NULL" : "on every rank the same");
    }
    return root;
  }

  private IllegalArgumentException badRank(String argument, int rank, String others) {
    return Rejections.argument(
        argument + " " + rank + " is no rank of this communicator: 0 to " + (remoteSize - 1) + ", " + others);
  }

  static int checkSendTag(int tag) {
    CallTrace.tagged(tag);
    if (tag < 0) {
      throw Rejections.argument("tag " + tag + " is negative");
    }
    return tag;
  }

  static int checkReceiveTag(int tag) {
    CallTrace.tagged(tag);
    if (tag < 0 && tag != Comm.ANY_TAG) {
      throw Rejections.argument("tag " + tag + " is negative and not ANY_TAG");
    }
    return tag;
  }

  /** The count of a buffer for MPI, of elements of {@link #type}. */
  static int count(Buf buf) {
    return LargeCounts.count(buf.datatype(), buf.count());
  }

  static long type(Buf buf) {
    return LargeCounts.type(buf.datatype(), buf.count());
  }

  @Override
  public String toString() {
    return "Comm[rank " + rank + " of " + size + "]";
  }

  static Buf require(Buf buf, String argument) {
    if (buf == null) {
      throw new NullPointerException(argument + " is null");
    }
    return buf.requireOpen(argument);
  }

  static void requireCount(Buf buf, long needed, String argument, String what) {
    if (buf.count() < needed) {
      throw Rejections.argument(
          argument + " has " + buf.count() + " elements, and " + what + " needs " + needed);
    }
  }
}
