// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.lifetime.Deadline;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/**
 * Adds a newly started process to the communicator of all living processes. This happens during a
 * recovery that has too few spares. The class has the code of both sides: the living processes, and
 * the new process.
 *
 * <p>There are two ways.
 *
 * <ul>
 *   <li><b>Spawned</b> (policy {@code SPAWN_TOGETHER}, {@link Replacements}): the living processes spawn the
 *       missing processes together and wait for them.
 *   <li><b>Called</b> (refill, {@link SpareCalls}): the new process has been ready for
 *       a long time. Only the lowest living process connects to it. Then both groups build a
 *       communicator over the connection of these two, by calls that report failures and that a
 *       revocation ends.
 * </ul>
 *
 * <p>In both ways, an agreement on the old communicator decides, so either all processes continue
 * with the larger communicator or none does. A process that sees a failure meanwhile joins that
 * agreement as well. A new process that is not admitted ends itself, and the others treat that as
 * any other failure. A called process continues only when it gets the message to do so, which is
 * sent after the agreement.
 */
@InRecovery
final class Admission {
  private static final int BRIDGE_TAG = 1;

  /** The lowest process broadcasts one of these after it has asked for a waiting process. */
  private static final int MET = 0;
  private static final int LATER = 1;
  private static final int NONE = 2;

  /** Whether this process has begun a run. Only the first run can admit new processes. */
  private static final AtomicBoolean HAS_BEGUN = new AtomicBoolean();

  private final boolean isFirst = HAS_BEGUN.compareAndSet(false, true);
  private final Mpi mpi;
  private final Policy policy;
  private final Scope scope;
  private final SpareCalls calls; // null: spares run out
  private final Buf answer = Buf.allocateInts(1);
  private boolean isNoneToCome;
  private Deadline admissionLimit; // in a new process only

  /** The communicators that this object makes belong to the scope. */
  Admission(Mpi mpi, Policy policy, Scope scope) {
    this.mpi = mpi;
    this.policy = policy;
    this.scope = scope;
    calls = isFirst ? SpareCalls.ofJob(policy) : null;
  }

  /** Whether processes may wait to be called. */
  boolean isRefilled() {
    return calls != null;
  }

  /** The policy of this process: the reaction to more failures than spares. */
  Policy policy() {
    return policy;
  }

  /** What this process knows of new processes, for its row. With a flag if one may still come. */
  int admits(boolean mayCome) {
    return (isFirst ? Admits.IN_FIRST_RUN : 0) | (mayCome ? Admits.MAY_COME : 0);
  }

  /**
   * For a run that ends for a lack of processes: the end of a sentence that says how to avoid that.
   */
  String remedy() {
    String property = "-D" + ReinitConfig.POLICY.property();
    if (policy == Policy.RESTART) {
      return "more --spares, or " + property + "=SHRINK or SPAWN, let it go on";
    }
    if (!isFirst) {
      return "more --spares, or " + property + "=SHRINK, let it go on: a process that is started now would come to the program's "
          + "first Reinit.run, and this is a later one";
    }
    if (policy == Policy.SPAWN && !isRefilled()) {
      return "more --spares, or " + property + "=SHRINK or SPAWN_TOGETHER, let it go on: SPAWN waits for processes that jmpirun "
          + "starts, which it does with --refill, the default but under a stock Open MPI on several hosts";
    }
    return "processes were started in their places, and none has come to Reinit.run in time: each runs the program from its "
        + "start, and has ended or waits there, or the host is too busy";
  }

  /** Sets the number of processes that the launcher keeps alive from now on. */
  void keep(int processes) {
    if (isRefilled()) {
      calls.keep(processes);
    }
  }

  /** Reports to the launcher how many processes are left after a recovery. Called by one process for all. */
  void tellLiving(int processes) {
    if (isRefilled()) {
      calls.tellLiving(processes);
    }
  }

  /**
   * Joins the run. Every process calls it at its start; a process that was started later waits in
   * here until a recovery needs it.
   *
   * @return a communicator of all living processes and this one; null if it was started with the
   *     job
   */
  Comm join() {
    Intercomm parent = mpi.parent();
    boolean isStartedLater = SpareCalls.isStartedLater();
    if (isStartedLater && !isRefilled() || parent != null && !isFirst) {
      Replacements.end("this process, started in place of a dead one, can take part in the program's first run only");
    }
    if (isStartedLater) {
      return joinWhenCalled();
    }
    return parent == null ? null : joinWhoSpawned(parent);
  }

  private Comm joinWhoSpawned(Intercomm parent) {
    admissionLimit = Replacements.admissionDeadline();
    try {
      return own(parent.merge(true));
    } catch (MpiFaultException fault) {
      Replacements.end("this process, spawned in place of a dead one, cannot be admitted: " + fault.getMessage());
      throw fault; // not reached
    }
  }

  private Comm joinWhenCalled() {
    Rehearsal.play(mpi.self().dup(), mpi.processorName());
    CallTrace.enter(Phase.SPARE, -1);
    // The first deadline of a JVM costs 5 ms, and all others would wait for that in a recovery.
    Replacements.admissionDeadline().close();
    Comm two = calls.awaitCall(mpi, scope);
    CallTrace.enter(Phase.RECOVERS, -1);
    admissionLimit = Replacements.admissionDeadline();
    calls.enter();
    Comm all = null;
    try (Intercomm others = mpi.self().intercomm(0, two, 0, BRIDGE_TAG)) {
      all = own(others.merge(true));
      two.recv(answer, 0, BRIDGE_TAG);
    } catch (MpiException fault) {
      Replacements
          .end("this process, started in place of a dead one, cannot be admitted, and ends; if it is still needed, another "
              + "one is started: " + fault.getMessage());
    }
    calls.leave();
    two.close();
    return all;
  }

  /** Cancels the deadline: this process has joined and taken part in a repair with the others. */
  void cancelDeadline() {
    admissionLimit.close();
  }

  /**
   * Reports to the launcher that this process, if it was started later, is a spare or a rank now.
   */
  void reportAdmitted() {
    if (isRefilled() && SpareCalls.isStartedLater()) {
      calls.reportAdmitted();
    }
  }

  /**
   * Starts processes and adds them.
   *
   * @param all the living processes
   * @param ranks of the run, spares not counted
   * @return the living and the new processes, which replaces {@code all}; null: a process has died, and all must shrink first
   */
  Comm spawn(Comm all, int processes, int ranks) {
    Comm merged = null;
    boolean agreed;
    Deadline deadline = Replacements.deadline(processes);
    try {
      try (Intercomm children = Replacements.spawn(all, processes, ranks)) {
        merged = own(children.merge(false));
      } catch (MpiFaultException fault) {
        all.revoke();
      }
      agreed = UlfmProvider.agree(all, merged != null);
    } finally {
      deadline.close();
    }
    return goOn(all, merged, agreed);
  }

  /**
   * Adds one waiting process, if there is one.
   *
   * @param all the living processes
   * @param began when the repair began, as System.nanoTime has it
   * @return the living and the new process, which replaces {@code all}; {@code all} itself: none now, see {@link #isNoneToCome};
   *     null: a process has died, and all must shrink first
   */
  Comm admit(Comm all, long began) {
    boolean asks = all.rank() == 0;
    Comm two = null;
    Comm merged = null;
    boolean ok = true;
    if (asks) {
      two = calls.fetch(mpi, scope, all.size());
      answer.putInt(0, two != null ? MET : calls.isNoneToCome() || isLate(began) ? NONE : LATER);
    }
    try {
      all.bcast(answer, 0);
      if (answer.getInt(0) == MET) {
        calls.enter();
        try (Intercomm joining = all.intercomm(0, asks ? two : all, 1, BRIDGE_TAG)) {
          merged = own(mergeOrRevoke(joining));
        }
      }
    } catch (MpiException fault) {
      // Any exception, not only a fault: a new process that has died cannot be reached.
      ok = false;
      all.revoke();
    }
    calls.leave();
    ok = UlfmProvider.agree(all, ok);
    isNoneToCome = ok && answer.getInt(0) == NONE;
    if (two != null) {
      sendVerdict(two, ok);
    }
    return goOn(all, merged, ok);
  }

  /**
   * Without the revocation, a new process would wait in its merge for those that have left theirs.
   */
  private static Comm mergeOrRevoke(Intercomm joining) {
    try {
      return joining.merge(false);
    } catch (MpiFaultException fault) {
      joining.revoke();
      throw fault;
    }
  }

  /** Whether the last {@link #admit} has shown that asking again is useless. The same on all processes. */
  boolean isNoneToCome() {
    return isNoneToCome;
  }

  /** Chooses the communicator to go on with, after the agreement on {@code all}. */
  private static Comm goOn(Comm all, Comm merged, boolean agreed) {
    if (merged != null && agreed) {
      all.close();
      return merged;
    }
    if (merged != null) {
      // The processes that were spawned wait on it; the revocation makes them end themselves.
      merged.revoke();
      merged.close();
    }
    return agreed ? all : null;
  }

  /** Makes the new process go on, or end. */
  private void sendVerdict(Comm two, boolean goOn) {
    try {
      if (goOn) {
        two.send(answer, 1, BRIDGE_TAG);
      } else {
        two.revoke();
      }
    } catch (MpiFaultException itHasDied) {
      // The next call on the communicator of all processes reports the failure to every one of them.
    }
    two.close();
  }

  private static boolean isLate(long began) {
    return System.nanoTime() - began > TimeUnit.SECONDS.toNanos(JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue()) * 3 / 4;
  }

  private Comm own(Comm comm) {
    return Access.comms().move(comm, scope);
  }

  /** Ends the admission of processes: the run has ended. */
  void close() {
    if (isRefilled()) {
      calls.end();
    }
    answer.close();
  }
}
