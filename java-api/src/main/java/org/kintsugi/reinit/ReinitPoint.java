// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.inject.FaultPlan;
import org.kintsugi.inject.Killer;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.events.JobEvents;
import org.kintsugi.mpi.internal.events.RecoveryStep;
import org.kintsugi.mpi.internal.files.LockOwner;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.lifetime.Deadline;
import org.kintsugi.mpi.internal.lifetime.RunState;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.lifetime.ScopedComm;
import org.kintsugi.mpi.internal.objects.ClassLoaders;
import org.kintsugi.persist.internal.PersistSession;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/**
 * The restart point of one process. It enters the body, rolls it back, and keeps the state that
 * survives an epoch.
 *
 * <p>The protocol, with every provider:
 *
 * <ol>
 *   <li>An epoch is a {@link Scope}. Every communicator and request made from its world belongs to it.
 *   <li>The first operation that reports a fault runs {@link OnFault}: the time is taken, all communicators of the epoch are
 *       revoked (on the Reinit++ fork the runtime signals all processes instead), the scope ends, and {@link Rollback} is
 *       thrown. The revocation also interrupts processes that wait on a communicator without failed
 *       members. Each of them waits for a process that is running, or that itself waits for a
 *       failed process or on a revoked communicator. Along this chain all are interrupted in turn,
 *       unless the program would hang without any failure.
 *   <li>{@link Rollback} unwinds to {@link #attempt}; cleanup handlers run, the newest first. Closing handles on the way is
 *       silent; using one throws the same rollback again.
 *   <li>Every process ends every epoch by exactly one {@link Provider#meet}: with DONE, ROLLED_BACK or THREW; spares with
 *       DONE, and as soon as the epoch begins. The meeting's verdict is the same everywhere.
 *   <li>Then the provider frees the handles of the old epoch: {@link Provider#release}.
 * </ol>
 *
 * <p>Used by one thread, the one that initialised MPI.
 */
@InRecovery
public final class ReinitPoint {
  private final Mpi mpi;
  private final Reinit.Options options;
  private final Provider provider;
  private final List<Recovery> recoveries = new ArrayList<>();
  private FaultPlan faultPlan;
  private Checkpoint checkpoint;

  private int epoch = -1;
  private boolean recovered;
  private Scope scope;
  private EpochRun run;
  private EpochRun lastRun;
  private Provider.Ending ending = Provider.Ending.DONE;
  private boolean finished;
  private SpareWarmUp warmUp;

  private volatile long lastSeenAlive;
  private Deadline bodyWatch;
  private volatile long faultNanos;
  private volatile Thread faultThread;

  ReinitPoint(Mpi mpi, Reinit.Options options, Provider provider) {
    this.mpi = mpi;
    this.options = options;
    this.provider = provider;
  }

  /**
   * Ends the last pass, if there was one, and decides whether another follows. Collective. A spare
   * waits in here.
   *
   * @return whether the body is to be entered; false: it has ended everywhere
   * @throws IllegalStateException if the body threw on another process; says on which rank, and what. If another run is open in
   *     this process
   */
  public boolean enter() {
    if (epoch < 0) {
      requireNoOtherRun();
    }
    try {
      return !finished && nextPass();
    } catch (RuntimeException | Error failed) {
      RunState.open(false);
      CallTrace.enter(Phase.PROGRAM);
      RunState.endsBy(failed);
      throw failed;
    }
  }

  /** A second run would wait for ever, because spares and new processes are in the first run. */
  static void requireNoOtherRun() {
    if (RunState.isOpen()) {
      throw new IllegalStateException("a Reinit run is open in this process: Reinit.run, call or point was called inside the "
          + "body of another one. A process is in one run at a time: let the first one end, or do the work of the second in its "
          + "body");
    }
  }

  private boolean nextPass() {
    while (true) {
      Provider.Verdict verdict = epoch < 0 ? begin() : endEpoch();
      switch (verdict) {
        case FINISHED:
          if (lastRun != null && lastRun.endsForRestart()) {
            CheckpointAccess.get().leave(checkpoint);
            RestartCode.announce(provider);
            finish();
            RestartCode.end(mpi);
            return false;
          }
          UnusedKills.note(lastRun);
          checkpoint.close();
          PersistSession.end();
          finish();
          return false;
        case ABORTED:
          String why = tellWhy(null);
          CheckpointAccess.get().leave(checkpoint);
          finish();
          throw threwOn(why);
        case RESTART:
          finish();
          RestartCode.endUnrepaired(mpi, provider);
          return false;
        default:
          if (beginEpoch()) {
            return true;
          }
      }
    }
  }

  /**
   * Enters the body once. A rollback ends this pass and nothing else, even if the body catches or replaces the exception. An
   * exception of the body itself, or of one of its cleanup handlers, ends the run on all ranks and is thrown from here.
   *
   * @param body the program's part of one epoch
   * @throws IllegalStateException if no pass is open
   */
  public void attempt(Reinit.Body body) {
    if (run == null) {
      throw new IllegalStateException("no pass is open: call enter() first, and stop when it says false");
    }
    try {
      pass(body);
    } catch (Throwable thrown) {
      if (thrown instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      ending = Provider.Ending.THREW;
      RunState.endsBy(thrown);
      // Other processes may wait for this one in the epoch's communicators: revoke them first.
      revoke(scope);
      tellOthers("rank " + run.world().rank() + ": " + thrown, thrown);
      throw ReinitPoint.<RuntimeException>unchecked(thrown);
    }
  }

  private void tellOthers(String why, Throwable thrown) {
    try {
      Provider.Verdict verdict = endEpoch();
      assert verdict == Provider.Verdict.ABORTED;
      tellWhy(why);
      CheckpointAccess.get().leave(checkpoint);
      finish();
    } catch (RuntimeException | Error failed) {
      // The caller gets the body's exception; no run is open any more.
      thrown.addSuppressed(failed);
      RunState.bodyIsEntered(false);
      RunState.open(false);
      CallTrace.enter(Phase.PROGRAM);
    }
  }

  private void pass(Reinit.Body body) throws Exception {
    try {
      Killer.check(run.nextKill());
      ClassLoaders.enterBody(Reinit.programClass(body));
      leftOrReturned(body);
      if (scope.hasEnded()) {
        rolledBack(faultThread == Thread.currentThread() ? "its body caught the rollback: let it pass (it is an Error)"
            : "another thread of it met the failure while its body ended");
      } else {
        checkpoint.awaitSave();
        ending = Provider.Ending.DONE;
      }
    } catch (Throwable thrown) {
      if (!scope.hasEnded() || ending == Provider.Ending.ROLLED_BACK) {
        throw thrown;
      }
      rolledBack(thrown instanceof Rollback ? null : "on the way its body threw " + thrown);
    } finally {
      bodyWatch.close();
    }
  }

  /** Enters the body. After {@link Run#endForRestart} it has ended, however it was left; this rank meets the others then. */
  private void leftOrReturned(Reinit.Body body) throws Exception {
    Throwable left = null;
    try {
      body.enter(run);
    } catch (Throwable thrown) {
      if (!run.endsForRestart() || scope.hasEnded()) {
        throw thrown;
      }
      left = thrown;
    }
    if (run.endsForRestart() && !scope.hasEnded() && !(left instanceof EndForRestart)) {
      System.err.println("kintsugi: rank " + run.world().rank() + ": after endForRestart the body "
          + (left == null ? "caught the end, and went on: let it pass (it is an Error)" : "threw " + left));
    }
  }

  private void rolledBack(String remark) {
    JobEvents.now().step(RecoveryStep.ROLL_BACK);
    ending = Provider.Ending.ROLLED_BACK;
    scope.rollbackHasPassed();
    if (remark != null) {
      System.err.println("kintsugi: rank " + run.world().rank() + " rolls back; " + remark);
    }
    run.cleanUp();
  }

  @SuppressWarnings("unchecked")
  static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /**
   * The pass that is open.
   *
   * @return valid until the pass ends
   * @throws IllegalStateException if none is open
   */
  public Run run() {
    if (run == null) {
      throw new IllegalStateException("no pass is open: call enter() first");
    }
    return run;
  }

  /**
   * As {@link Run#recoveries}; stays readable after the run.
   *
   * @return the recoveries, the oldest first; grows, and cannot be changed
   */
  public List<Recovery> recoveries() {
    return Collections.unmodifiableList(recoveries);
  }

  // The operations for the run of an epoch.

  Provider provider() {
    return provider;
  }

  Checkpoint checkpoint() {
    return checkpoint;
  }

  FaultPlan faultPlan() {
    return faultPlan;
  }

  /** Notes that no failure is known now. */
  void allIsWell() {
    lastSeenAlive = System.nanoTime();
  }

  private Provider.Verdict begin() {
    // Before the provider: there, others may already wait for this process, if it is a replacement.
    checkpoint = CheckpointAccess.get().ofJob(mpi.processorName());
    CallTrace.enter(Phase.RECOVERS);
    if (SpareCalls.isStartedLater()) {
      // This process waits in begin, and must be quick after that.
      warmClasses();
      WarmClasses.initialise(Provider.Verdict.class, RepairPlan.class, Admits.class, RepairLimit.class);
      FaultPlan.ofJob(Integer.MAX_VALUE);
      startWarmUp();
    }
    Provider.Verdict verdict = provider.begin();
    RunState.open(true);
    faultPlan = FaultPlan.ofJob(provider.worldSize());
    // No recovery has run in this process yet, and a spare has not begun an epoch. In a real
    // recovery all processes would wait while it loads these classes, and while Killer queries the
    // system as it is initialised.
    warmClasses();
    if (!faultPlan.kills().isEmpty()) {
      Killer.prepare();
    }
    // A process that the runtime has just started begins in the middle of a recovery.
    recovered = provider.isReplacement() && provider.epoch() > 0;
    return verdict;
  }

  private static void warmClasses() {
    WarmClasses.initialise(Killer.class, PersistSession.class, Recovery.class, State.class, OnFault.class, EpochRun.class,
        Reinit.ValueKeeper.class, ClassLoaders.class, SpareCalls.OtherProcess.class, KeepsOthersWaiting.class,
        ProcessFailureWatch.class, RecoveryStep.class, LockOwner.class);
  }

  private Provider.Verdict endEpoch() {
    Scope old = scope;
    RunState.bodyIsEntered(false);
    if (old != null) {
      CallTrace.enter(ending == Provider.Ending.DONE ? Phase.LEFT_BODY : Phase.RECOVERS);
    }
    if (old != null && ending == Provider.Ending.DONE) {
      Access.comms().endCheck(run.world(), "end of the body");
      old.reportLeaks();
      old.end();
    }
    Provider.Verdict verdict = provider.meet(ending, lastSeenAlive, faultNanos);
    if (verdict == Provider.Verdict.RECOVERED) {
      JobEvents.now().step(RecoveryStep.ENTER);
    }
    if (old != null) {
      provider.release(old, verdict);
      scope = null;
    }
    lastRun = run;
    run = null;
    recovered = verdict == Provider.Verdict.RECOVERED;
    return verdict;
  }

  /**
   * Exchanges the reason for the end. Collective over all processes, new ones too. Otherwise the
   * job could end before the process whose body threw has printed its exception.
   */
  private String tellWhy(String mine) {
    if (mine == null) {
      RunState.endsBy(threwOn(null));
    }
    Deadline deadline = RunState.endDeadline("the exchange of what was thrown");
    try {
      return provider.tellWhy(mine);
    } finally {
      if (deadline != null) {
        deadline.close();
      }
    }
  }

  /** Without a stack trace: those of many ranks would hide that of the process whose body threw. */
  private static IllegalStateException threwOn(String rankAndReason) {
    IllegalStateException told = new IllegalStateException(
        "the body threw on " + (rankAndReason == null ? "another process: see its output" : rankAndReason));
    told.setStackTrace(new StackTraceElement[0]);
    return told;
  }

  /** Begins an epoch, and returns whether this process has a rank in it. */
  private boolean beginEpoch() {
    epoch = provider.epoch();
    LockOwner.enter(epoch);
    ending = Provider.Ending.DONE;
    if (provider.role() < 0) {
      CallTrace.enter(Phase.SPARE);
      record();
      JobEvents.now().epoch(epoch, -1, provider.worldSize(), "SPARE", provider.failedRanks());
      startWarmUp();
      return false;
    }
    stopWarmUp();
    scope = new Scope("epoch " + epoch + " of the Reinit run", new OnFault());
    Comm world = Access.comms().move(provider.takeWorld(), scope);
    State state = provider.isReplacement() ? State.RESTARTED : epoch == 0 ? State.NEW : State.REINITED;
    Access.comms().beginCheck(world, epoch);
    CheckpointAccess.get().bind(checkpoint, world);
    PersistSession.bind(world);
    run = new EpochRun(this, world, state);
    provider.awaitOthers();
    record();
    JobEvents.now().epoch(epoch, world.rank(), world.size(), state.name(), provider.failedRanks());
    RunState.bodyIsEntered(true);
    CallTrace.enterBody(scope, world.rank());
    allIsWell();
    bodyWatch = Deadline.beginWarning(TimeUnit.SECONDS.toMillis(KeepsOthersWaiting.LIMIT_SECONDS) / 2, new KeepsOthersWaiting(),
        "rank " + world.rank() + KeepsOthersWaiting.WARNING);
    return true;
  }

  /** The last step before the body is entered again: all before it is a part of the recovery. */
  private void record() {
    if (recovered) {
      recovered = false;
      double detectionMillis = provider.times().detectionNanos() / 1e6;
      double repairMillis = (System.nanoTime() - provider.times().repairBeganNanos()) / 1e6;
      Recovery recovery =
          new Recovery(epoch - 1, provider.failedRanks(), detectionMillis, repairMillis, detectionMillis + repairMillis);
      recoveries.add(recovery);
      if (provider.role() == 0) {
        tell(recovery);
      }
    }
  }

  /** Prints the line that users see of a recovery. */
  private static void tell(Recovery recovery) {
    System.err.println(
        "kintsugi: " + (recovery.failedRanks().isEmpty() ? "a spare or a spawned process" : "rank(s) " + recovery.failedRanks())
            + " died; recovered in " + Math.round(recovery.totalMillis()) + " ms (epoch " + (recovery.epoch() + 1) + ")");
  }

  private void startWarmUp() {
    if (warmUp == null) {
      warmUp = new SpareWarmUp(checkpoint, options.warmUp());
      warmUp.start();
    }
  }

  private void stopWarmUp() {
    if (warmUp != null) {
      warmUp.interrupt();
    }
  }

  /** Whether a failure is known, and the body does nothing since that would have shown it. */
  private final class KeepsOthersWaiting implements BooleanSupplier {
    private static final long LIMIT_SECONDS = Math.max(1, JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue());
    private static final String WARNING =
        ": a process has failed, and the body has called neither run.iteration, run.poll nor MPI for " + LIMIT_SECONDS / 2.0
            + " s since: the recovery waits for this rank, and ends the job after " + LIMIT_SECONDS + " s (-D"
            + JobConfig.RECOVERY_TIMEOUT_SECONDS.property() + "). Call run.poll() in long computations";

    private final int reportedBefore = provider.failuresReported();
    private long steps;
    private long seenAlive;

    @Override
    public boolean getAsBoolean() {
      if (provider.failuresReported() == reportedBefore) {
        return false;
      }
      boolean isSame = CallTrace.steps() == steps && lastSeenAlive == seenAlive;
      steps = CallTrace.steps();
      seenAlive = lastSeenAlive;
      return isSame;
    }
  }

  /** The fault handler of an epoch. */
  private final class OnFault implements Scope.FaultHandler {
    @Override
    public RuntimeException onFault(RuntimeException fault, Scope of) {
      long now = System.nanoTime();
      if (!of.hasEnded()) { // a thread that detects the failure late must not disturb the next epoch
        // First of all: blocked processes wait for this.
        revoke(of);
      }
      Rollback rollback = new Rollback("rolled back: " + fault.getMessage(), fault);
      boolean isFirst = false;
      synchronized (ReinitPoint.this) {
        if (!of.hasEnded()) {
          faultNanos = now;
          faultThread = Thread.currentThread();
          of.endBy(rollback);
          isFirst = true;
        }
      }
      if (isFirst) {
        JobEvents.now().failure(fault.getMessage());
      }
      throw rollback;
    }
  }

  private static void revoke(Scope epochs) {
    for (ScopedComm comm : epochs.comms()) {
      comm.revokeQuietly();
    }
  }

  private void finish() {
    finished = true;
    RunState.open(false);
    CallTrace.enter(Phase.PROGRAM);
    run = null;
    stopWarmUp();
    PersistSession.unbind();
    provider.close();
  }
}
