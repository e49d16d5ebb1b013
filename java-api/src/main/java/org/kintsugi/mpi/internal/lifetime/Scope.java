// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.lifetime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * The lifetime of handles: until MPI ends, or one epoch of a Reinit run. Only this class handles
 * epochs.
 *
 * <p>A handle of an old epoch is refused as stale. After a failure the old epoch's communicators are revoked, their groups
 * contain failed processes, and MPI may have freed the handles: a call with one would fail, wait, or crash.
 *
 * <p>Every communicator and request belongs to a scope; communicators made from another (by dup, split, ...) inherit its scope.
 * A scope knows all its live handles, for two reasons: a request that the user dropped must keep its buffers until MPI is done
 * with them, and a rollback must revoke every communicator of its epoch.
 *
 * <p>Invariant: once {@link #end()} has returned, no operation on a handle of this scope reaches MPI any more; operations throw,
 * and closing is silent.
 */
@InRecovery
public final class Scope implements CallTrace.Communicators {
  /** Handles a fault in this scope: returns the exception for the caller to throw, or throws a rollback itself. */
  @FunctionalInterface
  public interface FaultHandler {
    RuntimeException onFault(RuntimeException fault, Scope scope);
  }

  /**
   * A rollback may meet some operations in {@code finally} blocks on its way up the stack. If it is
   * thrown this often, the body catches it in a loop.
   */
  private static final int SURELY_CAUGHT = 100;

  private static final AtomicLong NUMBERS = new AtomicLong();
  /** The scope that {@link #follow}s a communicator; one at a time, the newest. */
  private static volatile Scope follower;

  private final String name;
  private final FaultHandler faultHandler;
  /**
   * Communicators with the same number are revoked together (native/src/revoke.c). With 0 each is
   * revoked by itself.
   */
  private final long togetherNumber;
  private final List<ScopedComm> comms = new ArrayList<>();
  private volatile LiveRequests requests; // null: there was none yet
  /** The communicator of another scope that this one follows, and its handle; null: none. */
  private volatile ScopedComm leader;
  private volatile long leaderHandle;
  private volatile boolean cutOff;
  private volatile boolean ended;
  private volatile Error rollback;
  private volatile String suspension;
  /** Neither ended nor suspended. Every operation checks only this field. */
  private volatile boolean usable = true;
  private int rethrown;
  private Deadline limit; // of a body that has caught its rollback

  public Scope(String name, FaultHandler faultHandler) {
    this.name = name;
    this.faultHandler = faultHandler;
    togetherNumber = faultHandler != null && Flavour.current() == Flavour.ULFM ? NUMBERS.incrementAndGet() : 0;
  }

  public boolean hasEnded() {
    return ended;
  }

  /** Whether operations on its communicators may reach MPI now. */
  public boolean isUsable() {
    return usable;
  }

  /**
   * Whether it is {@link #suspend}ed. Then it has not ended, but its communicators must not be used
   * now.
   */
  public boolean isSuspended() {
    return suspension != null && !ended;
  }

  /** Until {@link #resume} operations on its communicators throw. Its handles stay alive, and can be closed. */
  public void suspend(String reason) {
    suspension = reason;
    usable = false;
  }

  /** Ends what {@link #suspend} began. */
  public void resume() {
    suspension = null;
    usable = !ended;
  }

  public String name() {
    return name;
  }

  /** From now on every handle of this scope is stale. */
  public void end() {
    ended = true;
    usable = false;
    rollback = null;
  }

  /**
   * Ends the scope by a rollback that is still on its way up the stack. An operation that is tried
   * before it arrives (in a {@code finally} block, for instance) throws the rollback again, so that
   * no other exception hides it.
   */
  public void endBy(Error rollback) {
    this.rollback = rollback;
    ended = true;
    usable = false;
  }

  /**
   * The exception for an operation on a stale handle, or in a suspended scope. If a rollback has
   * ended the scope, throws the rollback.
   */
  public RuntimeException stale(String what) {
    Error pending = rollback;
    if (pending != null) {
      if (++rethrown == SURELY_CAUGHT) {
        warnOfCaughtRollback();
      }
      throw pending;
    }
    String reason = suspension;
    if (reason != null && !ended) {
      return Rejections.state(what + " of " + name + ": " + reason);
    }
    return Rejections.state(what + " is stale: " + name + " has ended");
  }

  /**
   * Warns, and sets a limit. The body may catch the rollback for ever, while the other processes
   * wait.
   */
  private void warnOfCaughtRollback() {
    CallTrace.Site site = CallTrace.site(true);
    String text =
        name + " has ended by a rollback, which its body has caught " + rethrown + " times by now, the last time in "
            + site.call() + ", " + site.line() + ": let it pass (it is an Error: catch Exception instead)";
    System.err.println("kintsugi: " + text);
    limit = Deadline.begin(JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue(), null,
        text + ". The body has not ended in time (-D" + JobConfig.RECOVERY_TIMEOUT_SECONDS.property() + ")");
  }

  /** The rollback has left the body. */
  public void rollbackHasPassed() {
    if (limit != null) {
      limit.close();
    }
  }

  /**
   * Turns a return code into an exception for the caller to throw. For a fault in a Reinit run it
   * throws the rollback itself.
   */
  public RuntimeException failure(int code, String function) {
    // Any communicator of an epoch may be the one that failed. Communicators of the job are not
    // considered: some may have failed long ago.
    return thrown(Errors.classified(code, function), faultHandler == null ? List.of() : comms());
  }

  /** As {@link #failure(int, String)}, for a call on a communicator. */
  public RuntimeException failure(int code, String function, ScopedComm comm) {
    return thrown(Errors.classified(code, function), List.of(comm));
  }

  private RuntimeException thrown(Errors.Classified error, List<ScopedComm> suspects) {
    Errors.Classified known = error.mayBeFault() && haveFault(suspects) ? error.asFault() : error;
    RuntimeException exception = known.exception();
    if (known.isFault()) {
      Kintsugi.kintsugi_wake_waits_again();
    }
    return known.isFault() && faultHandler != null ? faultHandler.onFault(exception, this) : exception;
  }

  /** Whether its faults are handled here, and a process of one of its communicators has failed. */
  public boolean hasFault() {
    return faultHandler != null && !ended && haveFault(comms());
  }

  private static boolean haveFault(List<ScopedComm> suspects) {
    for (ScopedComm comm : suspects) {
      if (comm.hasFault()) {
        return true;
      }
    }
    return false;
  }

  /** Adds a communicator to this scope. */
  public void register(ScopedComm comm, long handle) {
    synchronized (comms) {
      comms.add(comm);
    }
    if (togetherNumber != 0) {
      // If this fails, a process whose split succeeded may wait for one whose split failed.
      Kintsugi.kintsugi_revoke_together(togetherNumber, handle);
    }
  }

  /**
   * Ties this scope to a communicator of another scope. As soon as that is revoked, all
   * communicators of this scope are revoked. Must be called before any is made.
   */
  public void follow(ScopedComm comm) {
    if (togetherNumber != 0) {
      leaderHandle = comm.handle();
      leader = comm;
      follower = this;
      Kintsugi.kintsugi_revoke_together(togetherNumber, leaderHandle);
    }
  }

  /**
   * Stops following a communicator before it is freed. MPI must not be called with its handle any
   * more.
   */
  private static void unfollowFreed(ScopedComm comm) {
    Scope scope = follower;
    if (scope != null && scope.leader == comm) {
      scope.unfollow();
    }
  }

  private void unfollow() {
    if (leader != null) {
      cutOff = isCutOff();
      Kintsugi.kintsugi_revoke_alone(togetherNumber, leaderHandle);
      leader = null;
    }
  }

  /**
   * Whether a failure has ended the work on its communicators. This is after {@link #revokeAll}, or
   * if the communicator that it follows is revoked.
   */
  public boolean isCutOff() {
    ScopedComm follows = leader;
    return cutOff || follows != null && follows.isRevoked();
  }

  /** Releases all processes that wait in one of its communicators, here or elsewhere. */
  public void revokeAll() {
    cutOff = true;
    for (ScopedComm comm : comms()) {
      comm.revokeQuietly();
    }
  }

  /** Removes a communicator that is about to be freed, or moves to another scope. */
  public void forget(ScopedComm comm, long handle) {
    synchronized (comms) {
      comms.remove(comm);
    }
    unfollowFreed(comm);
    if (togetherNumber != 0) {
      Kintsugi.kintsugi_revoke_alone(togetherNumber, handle);
    }
  }

  /**
   * Ends it after a failure. It releases processes that wait in one of its communicators, waits a
   * limited time until MPI has ended its requests, and frees handles.
   */
  public void abandon(long drainNanos) {
    revokeAll();
    drain(System.nanoTime() + drainNanos);
    free();
  }

  /** Ends it without a failure; requests that the program has left under way are dropped. */
  public void finish() {
    drain(System.nanoTime());
    free();
  }

  /** See {@link LiveRequests#drain}. */
  public void drain(long deadlineNanos) {
    LiveRequests live = requests;
    if (live != null) {
      live.drain(deadlineNanos);
    }
  }

  private void free() {
    unfollow();
    end();
    for (ScopedComm comm : comms()) {
      comm.freeStale();
    }
  }

  /** The communicators alive in this scope, in the order in which they were made. */
  public List<ScopedComm> comms() {
    synchronized (comms) {
      return new ArrayList<>(comms);
    }
  }

  @Override
  public String nameOf(long handle, String first) {
    List<ScopedComm> all = comms();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).rawHandle() == handle) {
        return all.get(i).name(i == 0 ? first : null);
      }
    }
    return null;
  }

  /**
   * Reports handles that the program has left open, if {@link Leaks} are reported. Called before an
   * end without a failure.
   */
  public void reportLeaks() {
    if (Leaks.ARE_REPORTED) {
      for (ScopedComm comm : comms()) {
        Leaks.report(comm.origin(), "is still open at the end of " + name);
      }
      LiveRequests live = requests;
      if (live != null) {
        live.reportLeaks(name);
      }
    }
  }

  /** The requests in flight; null if there was none yet. */
  public LiveRequests requests() {
    return requests;
  }

  /**
   * Sets its list of requests, if it has none.
   *
   * @return its list of requests, which another thread may have set in the meantime
   */
  public LiveRequests begin(LiveRequests list) {
    synchronized (comms) {
      if (requests == null) {
        requests = list;
      }
      return requests;
    }
  }
}
