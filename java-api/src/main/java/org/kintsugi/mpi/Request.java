// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.CountedReceive;
import org.kintsugi.mpi.internal.events.JobEvents;
import org.kintsugi.mpi.internal.events.TimedCall;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.RollbackSignal;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.threads.CallingThread;
import org.kintsugi.mpi.internal.threads.VirtualThreads;

/**
 * An operation that MPI works on in the background.
 *
 * <p>It keeps its buffers until it completes, even if the program drops it or closes them; the
 * program must complete it (wait or test), as in C. Data reach a Java array when it completes. A
 * virtual thread that waits releases its carrier. {@code MPI_Request}.
 */
public class Request {
  private Scope scope;
  long handle;
  private Transfer transfer;
  /** Its neighbours in the {@link LiveList}. */
  Request previous;
  Request next;
  private boolean active;
  Leaks.Origin origin; // of the operation that is under way
  private CountedReceive awaited; // null, except for a receive that is reported to the launcher

  Request(Scope scope, long handle, Transfer transfer, boolean active) {
    this.scope = scope;
    this.handle = handle;
    this.transfer = transfer;
    if (active) {
      activate();
    }
  }

  /**
   * The transfer of a request that has ended, for reuse. Null if there is no request, or if it is
   * not one that MPI made for a single operation.
   */
  static Transfer transferOf(Request spent) {
    return spent == null || spent.active || !spent.isPlain() ? null : spent.transfer;
  }

  /** @throws IllegalStateException if it is under way */
  static void requireSpent(Request request) {
    if (request != null && request.active && !request.scope.hasEnded()) {
      throw Rejections.state("request is in flight: wait for it before you use it again");
    }
  }

  /**
   * From now on represents another operation, which was started with its {@link #transferOf}.
   *
   * @return this
   */
  final Request again(Scope newScope, long newHandle) {
    scope = newScope;
    handle = newHandle;
    activate();
    return this;
  }

  /** Whether it represents a single operation of MPI, and ends with it. */
  private boolean isPlain() {
    return getClass() == Request.class;
  }

  /** Reports the received message to the launcher. May be null. @return this */
  final Request awaits(CountedReceive receive) {
    awaited = receive;
    return this;
  }

  final void activate() {
    active = true;
    origin = Leaks.origin("a request");
    LiveList.of(scope).add(this);
  }

  /**
   * Whether it is in flight: started, and not yet found complete.
   *
   * @return false as well for one that was never started
   */
  public boolean isActive() {
    return active;
  }

  final void checkScope() {
    CallingThread.check();
    if (scope.hasEnded()) {
      throw scope.stale("request");
    }
  }

  /**
   * Waits until it completes. Blocking, local. {@code MPI_Wait}.
   *
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void waitFor() {
    waitFor(null);
  }

  /**
   * Waits until it completes.
   *
   * @param status filled for the received message, if not null
   * @return {@code status}
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public Status waitFor(Status status) {
    if (!active) {
      return status;
    }
    checkScope();
    if (VirtualThreads.isCurrent()) {
      VirtualThreads.await(() -> test(status));
      return status;
    }
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    long mpiStatus = scratch + Scratch.STATUS;
    int code = JobEvents.ARE_ON ? TimedCall.waitFor(scratch, mpiStatus) : MPI.MPI_Wait(scratch, mpiStatus);
    finish(code, Memory.getLong(scratch), mpiStatus, "MPI_Wait");
    return status == null ? null : status.fill(mpiStatus);
  }

  /** See {@link MessageInternals#awaitWithoutFault}. */
  boolean awaitWithoutFault() {
    if (VirtualThreads.isCurrent() || !active) {
      try {
        waitFor();
        return true;
      } catch (MpiFaultException fault) {
        return false;
      }
    }
    checkScope();
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    int code = MPI.MPI_Wait(scratch, scratch + Scratch.STATUS);
    long left = Memory.getLong(scratch);
    int errorClass = code == MPI.MPI_SUCCESS ? code : errorClass(code);
    if (errorClass == MPI.MPI_ERR_PROC_FAILED || errorClass == MPI.MPI_ERR_REVOKED) {
      complete(left, false, 0);
      Kintsugi.kintsugi_wake_waits_again();
      return false;
    }
    finish(code, left, scratch + Scratch.STATUS, "MPI_Wait");
    return true;
  }

  /**
   * Whether it has completed; does not block. {@code MPI_Test}.
   *
   * @return whether it has completed; true as well if it was not in flight
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public boolean test() {
    return test(null);
  }

  /**
   * Whether it has completed; does not block.
   *
   * @param status filled if it has completed, and if not null
   * @return whether it has completed; true as well if it was not in flight
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public boolean test(Status status) {
    if (!active) {
      return true;
    }
    checkScope();
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    long mpiStatus = scratch + Scratch.STATUS;
    int code = MPI.MPI_Test(scratch, scratch + Scratch.FLAG, mpiStatus);
    if (code == MPI.MPI_SUCCESS && Memory.getInt(scratch + Scratch.FLAG) == 0) {
      return false;
    }
    finish(code, Memory.getLong(scratch), mpiStatus, "MPI_Test");
    if (status != null) {
      status.fill(mpiStatus);
    }
    return true;
  }

  /** Asks MPI to cancel a receive that has not matched; it must still be completed. {@code MPI_Cancel}. */
  public void cancel() {
    if (active) {
      checkScope();
      long scratch = Scratch.address();
      Memory.putLong(scratch, handle);
      check(MPI.MPI_Cancel(scratch), "MPI_Cancel");
    }
  }

  /**
   * The {@code MPI_Request}, for the raw bindings.
   *
   * @return the handle; {@code MPI_REQUEST_NULL} when it has ended
   */
  public long handle() {
    return handle;
  }

  final void check(int code, String function) {
    if (code != MPI.MPI_SUCCESS) {
      throw scope.failure(code, function);
    }
  }

  /**
   * Records its end.
   *
   * @param newHandle the handle that MPI has left: null once a non-persistent request has ended
   * @param status the address of its {@code MPI_Status}
   */
  final void finish(int code, long newHandle, long status, String function) {
    if (code != MPI.MPI_SUCCESS) {
      if (!goesOn(code)) {
        complete(newHandle, false, 0);
      }
      throw scope.failure(code, function);
    }
    Errors.rethrow(complete(newHandle, true, status));
  }

  /** Whether it is still under way after a call with this error, and MPI may still touch its buffers. */
  private static boolean goesOn(int code) {
    // A pending receive, whose sender may have failed, goes on until the failures are acknowledged.
    return RollbackSignal.isLeft(code) || errorClass(code) == MPI.MPI_ERR_PROC_FAILED_PENDING;
  }

  /**
   * Records an end that another call has found.
   *
   * @param status the address of its {@code MPI_Status}; meaningless without success
   * @return what an operation written in Java threw meanwhile, or null
   */
  Throwable complete(long newHandle, boolean success, long status) {
    handle = newHandle;
    active = false;
    CallTrace.step();
    LiveList.of(scope).remove(this);
    if (awaited != null) {
      if (success) {
        awaited.countReceive(status);
      }
      awaited = null;
    }
    return transfer.complete(success, isPersistent(), status);
  }

  /** Not instanceof, because that could load a class in the middle of a recovery. */
  boolean isPersistent() {
    return false;
  }

  static int errorClass(int code) {
    long errorClass = Scratch.address() + Scratch.ERROR_CLASS;
    MPI.MPI_Error_class(code, errorClass);
    return Memory.getInt(errorClass);
  }

  /** Tests it in MPI, whatever the state of the scope, and records its end. */
  boolean hasEnded() {
    long scratch = Scratch.address();
    Memory.putLong(scratch, handle);
    int code = MPI.MPI_Test(scratch, scratch + Scratch.FLAG, scratch + Scratch.STATUS);
    boolean ended = code == MPI.MPI_SUCCESS ? Memory.getInt(scratch + Scratch.FLAG) != 0 : !goesOn(code);
    if (ended) {
      complete(Memory.getLong(scratch), false, 0);
    }
    return ended;
  }

  /**
   * For a request without an MPI_Request: whether it is complete and not reported yet. The call
   * reports it.
   */
  boolean reportsOnce() {
    return false;
  }

  /**
   * Waits until all complete or fail; then throws the first error, if any. {@code MPI_Waitall}.
   *
   * @param requests the requests; those that have ended, or are not started, count as complete
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public static void waitAll(Request... requests) {
    RequestSet.waitAll(requests);
  }

  /**
   * Whether all have completed; if not, none is completed. {@code MPI_Testall}.
   *
   * @param requests the requests; those that have ended, or are not started, count as complete
   * @return true: all have completed now
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public static boolean testAll(Request... requests) {
    return RequestSet.testAll(requests);
  }

  /**
   * Waits for one of them.
   *
   * @param requests the requests; those that have ended, or are not started, are skipped
   * @return its index, or -1 if none is active. {@code MPI_Waitany}.
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public static int waitAny(Request... requests) {
    return RequestSet.any(requests, true);
  }

  /**
   * Completes one if one can be.
   *
   * @param requests the requests; those that have ended, or are not started, are skipped
   * @return its index, or -1 if none has completed. {@code MPI_Testany}.
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public static int testAny(Request... requests) {
    return RequestSet.any(requests, false);
  }

  /**
   * Waits for at least one.
   *
   * @param requests the requests; those that have ended, or are not started, are skipped
   * @return the indices of those that completed. {@code MPI_Waitsome}.
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public static int[] waitSome(Request... requests) {
    return RequestSet.some(requests, true);
  }

  /**
   * Completes those that can be.
   *
   * @param requests the requests; those that have ended, or are not started, are skipped
   * @return their indices. {@code MPI_Testsome}.
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public static int[] testSome(Request... requests) {
    return RequestSet.some(requests, false);
  }

  final Scope scope() {
    return scope;
  }
}
