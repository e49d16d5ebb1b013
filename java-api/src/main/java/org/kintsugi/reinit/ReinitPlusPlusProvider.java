// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.bindings.ReinitPlusPlus;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.collective.FailureExchange;
import org.kintsugi.mpi.internal.events.JobEvents;
import org.kintsugi.mpi.internal.events.RecoveryStep;
import org.kintsugi.mpi.internal.launcher.Launcher;
import org.kintsugi.mpi.internal.lifetime.Deadline;
import org.kintsugi.mpi.internal.lifetime.LiveRequests;
import org.kintsugi.mpi.internal.lifetime.RunState;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.lifetime.ScopedComm;
import org.kintsugi.mpi.internal.memory.Errno;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * Recovers the world by the runtime of the Reinit++ fork. The runtime starts a failed process
 * again, and {@code MPI_COMM_WORLD} is complete.
 *
 * <p>The protocol (native/reinit/rollback.c has the part below MPI):
 *
 * <ol>
 *   <li><b>Enter.</b> The restart point of {@code OMPI_Reinit} is entered, for the first time or after a rollback.
 *   <li><b>Roll call.</b> On the recovered world every process contributes its state: whether it is
 *       a replacement, how its body has ended, the epoch, how long ago it last knew that no process
 *       had failed, and how long ago it detected the failure. From that all processes compute the
 *       same verdict, and replacements the history. After another failure: roll back, and repeat
 *       from 1.
 *   <li><b>Meet.</b> A process whose body has ended waits in a barrier on the world. If the barrier
 *       returns, the run is over; if a failure interrupts it, all roll back. A process that rolled
 *       back goes to 1 at once. A process whose body threw has the launcher roll all processes
 *       back: the roll call reports it to them.
 * </ol>
 *
 * <p>Two failures that overlap make the runtime miscount its fences and hang for ever. So a
 * recovery that takes longer than {@link JobConfig#RECOVERY_TIMEOUT_SECONDS} ends the job, for a
 * restart. A recovery from a failure at which other processes were still in {@code MPI_Init} ends
 * it as well, and so does a failure in the microseconds between the last barrier and {@code
 * MPI_Finalize} ({@link Mpi#close}).
 *
 * <p>The handles of an abandoned epoch are not used any more: the runtime has freed its
 * communicators, and its requests never complete. Their buffers are kept for one more epoch, as
 * messages may still arrive in them.
 */
@InRecovery
final class ReinitPlusPlusProvider extends RecoveringProvider {
  private static final int TIMES = 3;
  private static final int FIELDS = TIMES + RecoveryTimes.FIELDS;

  private static final long ROLL_BACK_SECONDS = 10;

  private final Mpi mpi;
  private final Scope scope = new Scope("the Reinit run", null);
  private final int[] failures;
  /** The same object for all epochs: the runtime repairs the communicator that it refers to. */
  private final Comm world;
  private boolean isNew;
  private boolean rolledBack;
  private LiveRequests abandoned;
  private Deadline deadline;

  ReinitPlusPlusProvider(Mpi mpi) {
    this.mpi = mpi;
    world = mpi.world();
    failures = new int[world.size()];
  }

  @Override
  public Verdict begin() {
    // A process failure during MPI_Init may corrupt the fence counters: then MPI_Init returns, and
    // the processes hang in kintsugi_reinit_enter. The deadline ends the job only if a failure is
    // known: a process may also just start late.
    Deadline start = Deadline.begin(JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue(),
        new FailureIsKnown(),
        "a process died before all had begun their Reinit run, and the job did not recover from that in time");
    int state = ReinitPlusPlus.kintsugi_reinit_enter();
    start.close();
    if (state < 0) {
      throw new IllegalStateException(
          "cannot enter OMPI_Reinit: " + Errno.text(-state) + "; on the Reinit++ fork a process can have one Reinit run");
    }
    warnUnlessAdapted(ReinitPlusPlus.KINTSUGI_LINKS,
        "a failure while messages go over TCP may end or hang the job, or give a wrong result");
    warnUnlessAdapted(ReinitPlusPlus.KINTSUGI_FINALIZE, "MPI_Finalize may hang after a failure");
    warnUnlessAdapted(ReinitPlusPlus.KINTSUGI_QUIESCE,
        "a failure while long messages are under way may crash or hang the job, or give a wrong result");
    isNew = ReinitPlusPlus.kintsugi_reinit_is_replacement() != 0;
    rolledBack = state == ReinitPlusPlus.OMPI_REINIT_REINITED;
    if (state == ReinitPlusPlus.OMPI_REINIT_NEW) {
      rehearse();
    }
    return settle(Ending.ROLLED_BACK);
  }

  private static void warnUnlessAdapted(int part, String consequence) {
    int error = ReinitPlusPlus.kintsugi_reinit_not_adapted(part);
    if (error != 0) {
      System.err.println("kintsugi: " + consequence + ": the fork's libraries cannot be adapted: " + Errno.text(error));
    }
  }

  @Override
  public int failuresReported() {
    return ReinitPlusPlus.kintsugi_reinit_is_pending();
  }

  /** The condition of a deadline: {@link #isFailureKnown}. */
  private static final class FailureIsKnown implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      return isFailureKnown();
    }
  }

  /** Whether the launcher has signalled a failure to this process for which it has not rolled back yet. */
  private static boolean isFailureKnown() {
    return ReinitPlusPlus.kintsugi_reinit_is_pending() != 0;
  }

  private void rehearse() {
    try {
      Rehearsal.play(world.dup(), mpi.processorName());
    } catch (MpiFaultException processFailed) {
      rollBack(Ending.ROLLED_BACK);
    }
  }

  @Override
  public Verdict meet(Ending ending, long lastSeen, long learned) {
    times.note(lastSeen, learned);
    epoch++;
    rolledBack = false;
    if (ending == Ending.DONE) {
      Kintsugi.kintsugi_idle(); // the others may take long
      try {
        world.barrier();
        return Verdict.FINISHED;
      } catch (MpiFaultException processFailed) {
        times.note(lastSeen, System.nanoTime());
      } finally {
        Kintsugi.kintsugi_idle_is_over();
      }
    } else if (ending == Ending.THREW) {
      awaitRollBack();
    }
    rollBack(ending);
    return settle(ending);
  }

  @Override
  public String tellWhy(String mine) {
    try {
      return FailureExchange.agree(world, mine);
    } catch (MpiFaultException processFailed) {
      return null;
    }
  }

  /** Makes the others roll back. Only the launcher can do that, anywhere in their bodies. */
  private void awaitRollBack() {
    if (!isFailureKnown()) {
      Launcher.rollBackAll();
    }
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(ROLL_BACK_SECONDS);
    while (!isFailureKnown()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      if (System.nanoTime() - until > 0) {
        Launcher.endJob(1, "a body threw, and this cannot be reported to the other processes: the job ends. It threw "
            + RunState.traceOfFailure());
      }
    }
  }

  private void rollBack(Ending ending) {
    rolledBack = true;
    if (deadline == null && ending == Ending.THREW) {
      deadline = RepairLimit.deadlineAfter(RunState.traceOfFailure(), null);
    } else if (deadline == null) {
      deadline = Deadline.begin(JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue(), null,
          "a recovery has not ended in time, as when two failures overlap");
    }
    JobEvents.now().step(RecoveryStep.RUNTIME);
    int state = ReinitPlusPlus.kintsugi_reinit_roll_back();
    if (state < 0) {
      throw new IllegalStateException("cannot roll back: " + Errno.text(-state));
    }
  }

  private Verdict settle(Ending ending) {
    while (true) {
      try {
        Access.comms().restoreErrorHandlers();
        Verdict verdict = rollCall(ending);
        if (deadline != null) {
          deadline.close();
          deadline = null;
        }
        return verdict;
      } catch (MpiFaultException processFailed) {
        rollBack(ending);
      }
    }
  }

  private Verdict rollCall(Ending ending) {
    int size = world.size();
    // Before its first meeting a process has completed no epoch, and has no times to report.
    boolean learned = epoch > 0 && ending != Ending.THREW;
    long now = System.nanoTime();
    int[] mine = {isNew ? 1 : 0, ending.ordinal(), epoch, 0, 0};
    times.tell(mine, TIMES, learned, now);
    // One collective for both: first the fields of each process, each at its own offset; then the
    // number of failures of each rank so far.
    int[] known = new int[FIELDS * size + size];
    Arrays.fill(known, Integer.MIN_VALUE);
    System.arraycopy(mine, 0, known, FIELDS * world.rank(), FIELDS);
    System.arraycopy(failures, 0, known, FIELDS * size, size);
    int[] told = new int[known.length];
    ReinitPlusPlus.kintsugi_reinit_gather(ReinitPlusPlus.KINTSUGI_AT_ROLL_CALL);
    JobEvents.now().step(RecoveryStep.ROLL_CALL);
    world.allReduce(Buf.wrap(known), Buf.wrap(told), Op.MAX);
    System.arraycopy(told, FIELDS * size, failures, 0, size);
    Verdict verdict = understand(told, now);
    JobEvents.now().together(epoch);
    return verdict;
  }

  /** Computes the verdict. Apart from the times, it depends only on the gathered fields. */
  private Verdict understand(int[] told, long now) {
    List<Integer> failed = new ArrayList<>();
    boolean anyThrew = false;
    boolean allDone = true;
    times.begin();
    for (int rank = 0; rank < failures.length; rank++) {
      int at = rank * FIELDS;
      if (told[at] != 0) {
        failed.add(rank);
        failures[rank]++;
      }
      anyThrew |= told[at + 1] == Ending.THREW.ordinal();
      allDone &= told[at + 1] == Ending.DONE.ordinal();
      epoch = Math.max(epoch, told[at + 2]);
      times.hear(told, at + TIMES);
    }
    times.end(now);
    failedRanks = List.copyOf(failed);
    replacement = isNew;
    isNew = false;
    return anyThrew ? Verdict.ABORTED : allDone ? Verdict.FINISHED : Verdict.RECOVERED;
  }

  @Override
  public void release(Scope old, Verdict verdict) {
    if (abandoned != null) {
      abandoned.abandon();
      abandoned = null;
    }
    old.end();
    if (rolledBack) {
      abandoned = old.requests();
    } else {
      for (ScopedComm comm : old.comms()) {
        comm.freeStale();
      }
    }
  }

  @Override
  public void poll(Comm epochWorld) {
    // Reports a known failure like every call; whether there is a message does not matter.
    epochWorld.iProbe(Comm.ANY_SOURCE, Comm.ANY_TAG, null);
  }

  @Override
  public void awaitOthers() {
    ReinitPlusPlus.kintsugi_reinit_gather(ReinitPlusPlus.KINTSUGI_AT_BODY);
  }

  @Override
  public Comm takeWorld() {
    // An object of the epoch's own, which becomes stale with it.
    return Access.comms().world(scope);
  }

  @Override
  public int worldSize() {
    return failures.length;
  }

  @Override
  public int role() {
    return world.rank();
  }

  @Override
  public int failures(int rank) {
    return failures[rank];
  }

  @Override
  public boolean isExitAFailure() {
    return true;
  }

  @Override
  public void close() {
    scope.end();
    ReinitPlusPlus.kintsugi_reinit_leave(0);
    if (abandoned != null) {
      abandoned.abandon();
    }
  }
}
