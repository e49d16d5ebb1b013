// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.lang.ref.Reference;
import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ULFM;
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
 * The {@code MPI_Comm} of a {@link Comm}: its state and scope, the checks of arguments, and the work after MPI's functions.
 * Whatever carries out a call works on this class.
 */
@InRecovery
class CommHandle implements ScopedComm {
  /** As the size of the other group: there is none. */
  private static final int ONE_GROUP = -1;

  private final Scope scope;
  private long handle;
  private final boolean predefined;
  private final Leaks.Origin origin;
  private final int rank;
  private final int size;
  private final int remoteSize;
  private CheckedComm checked; // null: its calls are not compared
  private String givenName; // null: none

  /** Takes over a handle. */
  CommHandle(long handle, Scope scope, boolean predefined) {
    this(handle, scope, predefined, predefined ? null : Leaks.origin("a communicator"), ONE_GROUP);
  }

  /**
   * Takes over a handle.
   *
   * @param origin the place where the program made the communicator
   */
  CommHandle(long handle, Scope scope, Leaks.Origin origin) {
    this(handle, scope, false, origin, ONE_GROUP);
  }

  /** Takes over the handle of an intercommunicator. */
  CommHandle(long handle, Scope scope, int remoteSize) {
    this(handle, scope, false, Leaks.origin("a communicator"), remoteSize);
  }

  private CommHandle(long handle, Scope scope, boolean predefined, Leaks.Origin origin, int remoteSize) {
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
  final int rank() {
    refuseInBody();
    return rank;
  }

  /** How many processes it has, or its local group. @throws IllegalStateException as {@link #rank} */
  final int size() {
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

  /** Whether ranks in its operations are those of another group. */
  boolean isBetweenGroups() {
    return false;
  }

  /** Refuses an intercommunicator, as Open MPI does not check this everywhere. */
  void requireOneGroup(String function) {}

  /** Whether this process is the root. */
  boolean isRoot(int root) {
    return root == rank();
  }

  /** Whether this process takes no part in a collective, as it is in the root's group and is not the root. */
  boolean isIdle(int root) {
    return false;
  }

  @Override
  public final long handle() {
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

  @Override
  public final long rawHandle() {
    return handle;
  }

  final Scope scope() {
    return scope;
  }

  final boolean isPredefined() {
    return predefined;
  }

  final boolean isClosed() {
    return handle == 0 || scope.hasEnded();
  }

  @Override
  public final Leaks.Origin origin() {
    return origin;
  }

  /** The name under which the launcher compares its calls. Null if it does not. */
  final CheckedComm checked() {
    return checked;
  }

  /** From now on the launcher compares its calls, under this name. */
  final void setChecked(CheckedComm as) {
    checked = as;
  }

  /** With {@code --check}: reports to the launcher that this function is about to be called. */
  final void tell(String function, int root) {
    CheckedComm.tell(this, function, true, root, null, 0, null);
  }

  /** With {@code --check}: names a communicator that this one's last call made. */
  void name(CommHandle made) {
    CheckedComm.name(made, this);
  }

  final void check(int code, String function) {
    if (code != MPI.MPI_SUCCESS) {
      if (checked != null && Errors.mayBeFault(code)) {
        CheckedComm.fail(this);
      }
      throw scope.failure(code, function, this);
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

  int checkRoot(int root) {
    CallTrace.about(root);
    if (root >= remoteSize || root < 0) {
      throw badRank("root", root, "on every rank the same");
    }
    return root;
  }

  final IllegalArgumentException badRank(String argument, int rank, String others) {
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

  /**
   * Finishes a blocking call: releases its buffers, copies received data, and throws on an error.
   * Either buffer may be null.
   *
   * @param received the bytes of data that a message has brought
   */
  final void ended(int code, String function, Buf send, long from, Buf receive, long to, long received) {
    if (isLeft(code)) {
      keep(Transfer.of(send, from, receive, to));
      check(code, function);
    }
    if (send != null) {
      Transfer.stageOut(send, from, 0);
    }
    if (receive != null) {
      Transfer.stageOut(receive, to, code == MPI.MPI_SUCCESS ? received : 0);
    }
    check(code, function);
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
  }

  /** See {@link RollbackSignal#isLeft}. */
  static boolean isLeft(int code) {
    return code != MPI.MPI_SUCCESS && RollbackSignal.isLeft(code);
  }

  /**
   * Keeps the buffers of an interrupted call until the rollback is over.
   */
  final void keep(Transfer transfer) {
    new Request(scope, MPI.MPI_REQUEST_NULL, transfer, true);
  }

  /**
   * The request of a call that has written its handle to this thread's scratch block. If the call
   * failed, its staging blocks are released.
   */
  final Request started(int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    return new Request(scope, Memory.getLong(Scratch.address()), transfer, true);
  }

  /** As {@link #started}, reusing the request that the transfer was taken from, if there is one. */
  final Request startedAgain(Request spent, int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    long started = Memory.getLong(Scratch.address());
    return Request.transferOf(spent) == transfer ? spent.again(scope, started) : new Request(scope, started, transfer, true);
  }

  /** As {@link #started}, for an operation that is started later. */
  final PersistentRequest initialised(int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    return new PersistentRequest(scope, Memory.getLong(Scratch.address()), transfer);
  }

  private void requireStarted(int code, String function, Transfer transfer) {
    if (code != MPI.MPI_SUCCESS) {
      transfer.release(); // a call that only starts an operation is never interrupted
      check(code, function);
    }
  }

  // After a failure.

  final void revoke() {
    Mpi.requireFaultTolerance("revoke");
    CheckedComm.fail(this);
    Errors.check(ULFM.MPIX_Comm_revoke(handle()), "MPIX_Comm_revoke");
  }

  @Override
  public final boolean isRevoked() {
    return Mpi.current().isFaultTolerant() && isKnownRevoked();
  }

  final boolean isKnownRevoked() {
    Mpi.requireFaultTolerance("isRevoked");
    long scratch = Scratch.address();
    Errors.check(ULFM.MPIX_Comm_is_revoked(handle(), scratch), "MPIX_Comm_is_revoked");
    return Memory.getInt(scratch) != 0;
  }

  @Override
  public final boolean hasFault() {
    if (!Mpi.current().isFaultTolerant()) {
      return false;
    }
    try (Group failed = failedGroup()) {
      return failed.size() > 0 || isKnownRevoked();
    }
  }

  final Request iAgree(Buf value) {
    Mpi.requireFaultTolerance("iAgree");
    requireCount(require(value, "value"), 1, "value", "an agreement");
    if (value.isArray() || value.datatype() != Datatype.INT) {
      throw Rejections.argument("value " + value + " is not off-heap memory of int: use Buf.allocateInts(1)");
    }
    Transfer transfer = new Transfer(null, value);
    return started(ULFM.MPIX_Comm_iagree(handle(), value.address(), Scratch.address()), "MPIX_Comm_iagree", transfer);
  }

  Group failedGroup() {
    Mpi.requireFaultTolerance("failedGroup");
    long scratch = Scratch.address();
    Errors.check(ULFM.MPIX_Comm_get_failed(handle(), scratch), "MPIX_Comm_get_failed");
    return new Group(Memory.getLong(scratch));
  }

  final int ackFailed(int number) {
    Mpi.requireFaultTolerance("ackFailed");
    if (number < 0) {
      throw Rejections.argument("number " + number + " is negative");
    }
    return acknowledge(number);
  }

  int acknowledge(int number) {
    long scratch = Scratch.address();
    Errors.check(ULFM.MPIX_Comm_ack_failed(handle(), Math.min(number, size()), scratch), "MPIX_Comm_ack_failed");
    return Memory.getInt(scratch);
  }

  /** Errors are ignored: then there is nothing left to revoke. */
  @Override
  public final void revokeQuietly() {
    if (handle != 0 && Flavour.current() == Flavour.ULFM) {
      int ignored = ULFM.MPIX_Comm_revoke(handle);
      assert ignored >= MPI.MPI_SUCCESS;
    }
  }

  // Its properties and its end.

  final Group group() {
    long comm = handle();
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_group(comm, scratch), "MPI_Comm_group");
    return new Group(Memory.getLong(scratch));
  }

  /** The name that MPI has; empty for none. */
  final String name() {
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_get_name(handle(), scratch + Scratch.TEXT, scratch + Scratch.LENGTH), "MPI_Comm_get_name");
    return Memory.getString(scratch + Scratch.TEXT, Memory.getInt(scratch + Scratch.LENGTH));
  }

  final void setName(String name) {
    long text = Memory.allocateString(name);
    try {
      check(MPI.MPI_Comm_set_name(handle(), text), "MPI_Comm_set_name");
      givenName = name;
      if (checked != null) {
        checked.setName(name);
      }
    } finally {
      Memory.free(text);
    }
  }

  @Override
  public final String name(String otherwise) {
    return givenName != null ? inQuotes(givenName) : otherwise != null ? otherwise : whatItIs();
  }

  String inQuotes(String name) {
    return "\"" + name + "\"";
  }

  String whatItIs() {
    return "a communicator of " + size + (size == 1 ? " rank" : " ranks");
  }

  final Info info() {
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_get_info(handle(), scratch), "MPI_Comm_get_info");
    return Info.owned(Memory.getLong(scratch));
  }

  final void setInfo(Info info) {
    check(MPI.MPI_Comm_set_info(handle(), Info.handleOf(info)), "MPI_Comm_set_info");
  }

  final boolean isCongruent(CommHandle other) {
    long scratch = Scratch.address();
    check(MPI.MPI_Comm_compare(handle(), other.handle(), scratch), "MPI_Comm_compare");
    int result = Memory.getInt(scratch);
    return result == MPI.MPI_IDENT || result == MPI.MPI_CONGRUENT;
  }

  /** Frees it, whatever the state of the scope. */
  final void free() {
    scope.forget(this, handle);
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    handle = 0;
    if (!predefined) {
      check(MPI.MPI_Comm_free(scratch), "MPI_Comm_free");
    }
  }

  /** Leaves the handle to another object. @return the handle */
  final long giveAway() {
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

  @Override
  public String toString() {
    return "Comm[rank " + rank + " of " + size + "]";
  }
}
