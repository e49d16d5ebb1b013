// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import static org.kintsugi.reinit.RepairPlan.SPARE;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.ProcessFailedException;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.MessageAccess;
import org.kintsugi.mpi.internal.collective.FailureExchange;
import org.kintsugi.mpi.internal.events.JobEvents;
import org.kintsugi.mpi.internal.events.RecoveryStep;
import org.kintsugi.mpi.internal.lifetime.RunState;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * Recovers the world with ULFM: revoke, shrink, and replace each failed process by a warm spare.
 *
 * <p>The protocol. {@code resilient} is a communicator of all living processes, spares included.
 * The program never sees it. Only this class, and {@link Admission} inside a repair, communicate on
 * it.
 *
 * <ol>
 *   <li><b>Meet.</b> Every process contributes to one agreement on {@code resilient} for each
 *       epoch: a spare when the epoch begins, the others when their body has ended or rolled back.
 *       An agreement is fault tolerant and uniform, so all get the same result: either all are done
 *       and no process has failed (FINISHED), or all repair. Spares, and processes that are done,
 *       sleep meanwhile ({@link MeetingWait}).
 *   <li><b>Shrink</b> {@code resilient} to the living processes.
 *   <li><b>Tell.</b> All gather the state of each process: its rank in the world or that it is a
 *       spare, its ending, the epoch, the size of the world, the policy, and what it knows of new
 *       processes. Two times belong to the state: how long before the end of the meeting the
 *       process last knew that no process had failed, and how long before it detected the failure.
 *       (The meeting ends on all nodes at nearly the same moment, so these times can be compared.)
 *   <li><b>Plan.</b> Every process computes the same plan from that: survivors keep their ranks,
 *       and the lowest spares get the free ranks in ascending order. If there are too few spares,
 *       the policy decides.
 *   <li><b>Split</b> off the new world.
 *   <li><b>Agree</b> that 3 to 5 worked on every process. If another process failed meanwhile, a
 *       process that noticed has revoked {@code resilient}, so all come here, and all repeat from 2
 *       with the processes that are left. Roles change only after this agreement, so a repeated
 *       round starts from valid roles.
 * </ol>
 *
 * <p>If 4 finds too few spares and the policy wants more processes, {@link Admission} adds some,
 * and all repeat from 3.
 *
 * <p>Invariants: between two meetings no process uses {@code resilient}. Every loop above ends
 * because each repetition needs another failure. A failure before the first epoch leaves a free
 * rank as any other does. Steps 2 to 6 make the first world, too, so the code of the repair is
 * loaded and linked long before it must be quick.
 */
@InRecovery
final class UlfmProvider extends RecoveringProvider {
  private static final int DONE_BIT = 1;
  private static final int NOT_THROWN_BIT = 2;
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Mpi mpi;
  private final Scope scope = new Scope("the Reinit run", null);
  private final Map<Integer, Integer> failures = new HashMap<>();
  private final MeetingWait meetingWait = new MeetingWait();
  private final MessageAccess requests = Access.messages();
  private final Buf verdictBits = Buf.allocateInts(1);
  private final Admission admission;

  private Comm resilient;
  private int role;
  private int worldSize;
  private int originalSize;
  private int spares;
  private long metNanos;
  private Comm world;

  UlfmProvider(Mpi mpi, Policy policy) {
    this.mpi = mpi;
    if (!mpi.isFaultTolerant()) {
      throw new UnsupportedOperationException("Reinit needs fault tolerance, which is off in this job: start it with "
          + "jmpirun, or with mpirun --with-ft ulfm (Open MPI 5.0 or newer, configured --with-ft=mpi)");
    }
    admission = new Admission(mpi, policy, scope);
  }

  @Override
  public Verdict begin() {
    resilient = admission.join();
    if (resilient != null) {
      return goOnAsSpare();
    }
    int processes = mpi.world().size();
    int wanted = (int) JobConfig.SPARES.longValue();
    if (wanted >= processes) {
      throw new IllegalArgumentException("-D" + JobConfig.SPARES.property() + "=" + wanted + " leaves no process of "
          + processes + " to work: start more, or ask for fewer spares");
    }
    worldSize = processes - wanted;
    originalSize = worldSize;
    role = mpi.world().rank() < worldSize ? mpi.world().rank() : SPARE;
    admission.keep(processes);
    RepairLimit limit = RepairLimit.ofBeginning();
    try {
      shrink(); // waits for all processes
      limit.count();
      Verdict verdict = repair(Ending.ROLLED_BACK, resilient);
      rehearse();
      return verdict;
    } finally {
      limit.close();
    }
  }

  /**
   * Joins at step 3, as this process was started in a recovery, or for one. The others send it the
   * epoch and the failures so far.
   */
  private Verdict goOnAsSpare() {
    role = SPARE;
    metNanos = System.nanoTime(); // counts as its meeting for the times
    Verdict verdict = repair(Ending.DONE, resilient);
    admission.cancelDeadline();
    if (verdict == Verdict.FINISHED) {
      // The run was not finished when this process was called, so no process that knew it is left.
      Replacements.end("only processes that were spawned in place of dead ones are left, and they do not have the state of the "
          + "run: start the job again");
    }
    if (epoch == 0) {
      // The others are in begin as well.
      rehearse();
    }
    admission.reportAdmitted();
    return verdict;
  }

  private void rehearse() {
    try {
      if (!Rehearsal.play(resilient.dup(), mpi.processorName())) {
        resilient.revoke();
      }
    } catch (MpiFaultException processFailed) {
      // Releases processes that still wait in the rehearsal: meetings and shrinking work on a revoked communicator, too.
      resilient.revoke();
    }
    endRehearsalTogether();
  }

  /**
   * A send that a revocation has interrupted ends when its receiver answers. Without this agreement
   * the receiver could already be in the program, which may compute for long without a call of MPI.
   */
  private void endRehearsalTogether() {
    try {
      resilient.agree(1);
    } catch (MpiFaultException somebodyFailed) {
      // The next meeting detects the failure.
    }
  }

  private Comm own(Comm comm) {
    return Access.comms().move(comm, scope);
  }

  @Override
  public Verdict meet(Ending ending, long lastSeen, long learned) {
    times.note(lastSeen, learned);
    RepairLimit limit = ending == Ending.THREW ? RepairLimit.ofMeetingAfter(RunState.traceOfFailure())
        : RepairLimit.ofMeeting(ending == Ending.ROLLED_BACK);
    try {
      return meet(ending, limit);
    } finally {
      limit.close();
    }
  }

  private Verdict meet(Ending ending, RepairLimit limit) {
    int bits = (ending == Ending.DONE ? DONE_BIT : 0) | (ending == Ending.THREW ? 0 : NOT_THROWN_BIT);
    verdictBits.putInt(0, bits);
    boolean everybodyLives = true;
    try {
      Request agreement = resilient.iAgree(verdictBits);
      if (ending == Ending.ROLLED_BACK) {
        JobEvents.now().step(RecoveryStep.MEET);
        everybodyLives = requests.awaitWithoutFault(agreement); // the others arrive at once
      } else {
        meetingWait.await(agreement, role == SPARE);
      }
    } catch (MpiFaultException fault) {
      everybodyLives = false;
    }
    metNanos = System.nanoTime();
    epoch++;
    int agreed = verdictBits.getInt(0);
    if (everybodyLives && agreed == (DONE_BIT | NOT_THROWN_BIT)) {
      return Verdict.FINISHED;
    }
    if (everybodyLives && (agreed & NOT_THROWN_BIT) == 0) {
      return Verdict.ABORTED;
    }
    limit.count();
    return repair(ending, null);
  }

  @Override
  public String tellWhy(String mine) {
    try {
      return FailureExchange.agree(resilient, mine);
    } catch (MpiFaultException processFailed) {
      // Releases processes that still wait in the exchange.
      resilient.revoke();
      return null;
    }
  }

  /**
   * Steps 2 to 6.
   *
   * @param made the communicator to begin with at step 3, where it was just shrunk or processes were added; null: begin at step 2
   */
  private Verdict repair(Ending ending, Comm made) {
    boolean shrinkFirst = made == null;
    boolean mayCome = admission.isRefilled();
    long began = System.nanoTime();
    while (true) {
      if (shrinkFirst) {
        JobEvents.now().step(RecoveryStep.SHRINK);
        shrink();
      }
      shrinkFirst = true;
      RepairPlan plan = null;
      boolean ok = true;
      Comm newWorld = null;
      try {
        JobEvents.now().step(RecoveryStep.EXCHANGE);
        plan = new RepairPlan(tell(ending, mayCome));
        if (!plan.isSpawnNeeded() && plan.verdict() == Verdict.RECOVERED) {
          int newRole = plan.roleOf(resilient.rank());
          teachFailures(plan);
          JobEvents.now().step(RecoveryStep.SPLIT);
          newWorld = resilient.split(newRole == SPARE ? Comm.UNDEFINED : 0, Math.max(newRole, 0));
        }
      } catch (MpiFaultException fault) {
        ok = false;
        resilient.revoke();
      }
      if (plan != null && plan.isSpawnNeeded()) {
        JobEvents.now().step(RecoveryStep.ADMIT);
        Comm larger =
            plan.mayCome() ? admission.admit(resilient, began) : admission.spawn(resilient, plan.missing(), originalSize);
        mayCome = mayCome && !admission.isNoneToCome();
        shrinkFirst = larger == null;
        resilient = larger == null ? resilient : larger;
      } else if (agreeOnRepair(ok)) {
        JobEvents.now().together(plan.epoch());
        return carryOut(plan, newWorld);
      } else if (newWorld != null) {
        newWorld.close();
      }
    }
  }

  private void shrink() {
    Comm old = resilient;
    while (true) {
      try {
        resilient = own((old == null ? mpi.world() : old).shrink());
        break;
      } catch (ProcessFailedException diedMeanwhile) {
        // Try again: each repetition needs another failure.
      }
    }
    if (old != null) {
      old.close();
    }
  }

  /** Whether all processes succeeded; false also where a failure is known. The same on all processes. */
  static boolean agree(Comm comm, boolean ok) {
    try {
      return comm.agree(ok);
    } catch (MpiFaultException fault) {
      return false;
    }
  }

  private boolean agreeOnRepair(boolean ok) {
    JobEvents.now().step(RecoveryStep.AGREE);
    return agree(resilient, ok);
  }

  private int[] tell(Ending ending, boolean mayCome) {
    boolean learned = role != SPARE && ending == Ending.ROLLED_BACK && metNanos != 0;
    int[] mine = RepairPlan.row(role, ending, epoch, worldSize, originalSize, admission.policy(), admission.admits(mayCome));
    RepairPlan.tellTimes(mine, times, learned, metNanos);
    int[] all = new int[mine.length * resilient.size()];
    resilient.allGather(Buf.wrap(mine), Buf.wrap(all));
    return all;
  }

  /** Sends new processes each rank's number of failures, so that injected kills do not strike twice. */
  private void teachFailures(RepairPlan plan) {
    if (plan.teacher() < 0) {
      return;
    }
    int[] counts = new int[plan.oldSize()];
    for (int rank = 0; rank < counts.length; rank++) {
      counts[rank] = failures(rank);
    }
    resilient.bcast(Buf.wrap(counts), plan.teacher());
    for (int rank = 0; rank < counts.length; rank++) {
      failures.put(rank, counts[rank]);
    }
  }

  /** Adopts the plan on this process, after all have agreed on it. */
  private Verdict carryOut(RepairPlan plan, Comm newWorld) {
    int newRole = plan.roleOf(resilient.rank());
    replacement = role == SPARE && newRole != SPARE;
    role = newRole;
    worldSize = plan.worldSize();
    originalSize = plan.originalSize();
    spares = plan.spares();
    epoch = plan.epoch();
    plan.hearTimes(times, metNanos);
    failedRanks = plan.failedRanks();
    for (int rank : failedRanks) {
      failures.put(rank, failures(rank) + 1);
    }
    world = newWorld;
    // In epoch 0 only if a process has died before the run: the launcher may never have seen all
    // processes at the same time.
    if ((epoch > 0 || resilient.size() < mpi.world().size()) && resilient.rank() == 0) {
      admission.tellLiving(resilient.size());
    }
    return plan.verdict();
  }

  /**
   * Completes requests before it frees communicators: only then MPI releases the program's buffers.
   */
  @Override
  public void release(Scope old, Verdict verdict) {
    if (verdict == Verdict.FINISHED) {
      old.finish();
    } else {
      old.abandon(DRAIN_NANOS);
    }
  }

  @Override
  public void poll(Comm world) {
    // A probe makes MPI progress, and so detects failures and revocations, only if it finds no
    // message (pml_ob1_iprobe.c): so it probes for a message that no process sends.
    world.iProbe(Comm.ANY_SOURCE, Mpi.current().tagUpperBound(), null);
    if (world.isRevoked()) {
      world.barrier(); // fails at once on a revoked communicator, and reports that as any fault
    }
  }

  @Override
  public String remedy() {
    return admission.remedy();
  }

  @Override
  public void awaitOthers() {
    // The meeting was at most a collective ago.
  }

  @Override
  public Comm takeWorld() {
    Comm taken = world;
    world = null;
    return taken;
  }

  @Override
  public int worldSize() {
    return worldSize;
  }

  @Override
  public int role() {
    return role;
  }

  @Override
  public int spares() {
    return spares;
  }

  @Override
  public int failuresReported() {
    return RepairLimit.failuresReported();
  }

  @Override
  public boolean isShrunk() {
    return worldSize < originalSize;
  }

  @Override
  public int failures(int rank) {
    return failures.getOrDefault(rank, 0);
  }

  @Override
  public void close() {
    admission.close();
    resilient.close();
    verdictBits.close();
    scope.end();
    RepairLimit.forgetFailures();
  }
}
