// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import static org.kintsugi.reinit.RepairPlan.SPARE;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiConfig;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.ProcessFailedException;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.internal.Comms;
import org.kintsugi.mpi.internal.Deadline;
import org.kintsugi.mpi.internal.FailureExchange;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Whereabouts;
import org.kintsugi.runtime.RankPlace.Phase;

/**
 * Mends the world with ULFM: revoke, shrink, put a warm spare in each dead process's place.
 *
 * <p>The protocol. {@code resilient} is a communicator of all living processes, spares included; the program never sees it,
 * and nothing but this class communicates on it.
 *
 * <ol>
 *   <li><b>Meet.</b> Every process contributes to one agreement on {@code resilient} for each epoch: a spare right when the
 *       epoch begins, the others when their body has ended or rolled back. An agreement is fault tolerant and uniform, so
 *       all learn the same: everybody done and nobody dead (FINISHED), or not, and then all repair. A spare, and whoever
 *       is done, sleeps, looking at its pending agreement now and then, until the launcher tells of a death
 *       ({@link DeathWatch}).
 *   <li><b>Shrink</b> {@code resilient} to the living.
 *   <li><b>Tell.</b> All gather what each is: its rank in the world or spare, its ending, the epoch, the size of the world,
 *       and how long before the end of the meeting it was still well and it learned of the failure. (The meeting ends
 *       everywhere within moments, so differences against its end compare clocks of several nodes.)
 *   <li><b>Plan.</b> Every process computes the same from that: survivors keep their ranks, the lowest spares fill the holes
 *       in ascending order; too few spares: the policy decides.
 *   <li><b>Split</b> off the new world.
 *   <li><b>Agree</b> that 3 to 5 worked on every process. If not (somebody died meanwhile), whoever noticed has revoked
 *       {@code resilient}, so all come here, and all repeat from 2 with what is left. Roles change only after this agreement,
 *       so a repeated round starts from the truth.
 * </ol>
 *
 * <p>Where spares are filled up again ({@link SpareCalls}) and 4 finds too few of them, {@link #takeIn} adds a process that was
 * started meanwhile, and all repeat from 3. Only the communicator of the lowest process and that one is made by calls without
 * fault tolerance, and no third process waits in them.
 *
 * <p>Invariants: between two meetings no process uses {@code resilient}; every loop above ends because each repetition needs
 * another death; a failure before the first epoch is a hole like any other (2 to 6 are also how the first world is made,
 * which has the welcome effect that the repair's code is loaded and linked long before it must be quick).
 */
final class UlfmProvider implements Provider {
  private static final int DONE_BIT = 1;
  private static final int NOT_THROWN_BIT = 2;
  /** Open MPI hands on what the launcher tells (deaths) in every eighth turn of its progress engine only. */
  private static final int PROGRESS_TURNS = 8;

  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** How long a process that is called gives up sleeping: the survivors may be slow to learn why. */
  private static final long SPIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long one whose body has ended does not sleep yet: the others may be about to end, too. */
  private static final long SOON_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** Its first sleep; the next ones are longer, a part of what it has waited by then. */
  private static final long FIRST_SLEEP_MICROS = 20;
  private static final long SLEEP_PART = 8;
  private static final long LONGEST_SLEEP_MICROS = 1000;

  private static final int BRIDGE_TAG = 1;

  /** What {@link #takeIn} has done. */
  private static final int TAKEN = 0;
  private static final int LATER = 1;
  private static final int NONE = 2;
  private static final int FAILED = 3;

  private final Mpi mpi;
  private final Policy policy;
  private final Scope scope = new Scope("the Reinit run", null);
  private final Map<Integer, Integer> deaths = new HashMap<>();
  private final long sparePollMicros = MpiConfig.SPARE_POLL_MICROS.longValue();
  private DeathWatch deathWatch;
  private final Buf verdictBits = Buf.ofInts(1);
  private final SpareCalls spareCalls; // null: spares run out

  private Comm resilient;
  private int role;
  private int worldSize;
  private int originalSize;
  private int epoch;
  private boolean replacement;
  private int spares;
  private List<Integer> failedRanks = List.of();
  private long metNanos;
  private final RecoveryTimes times = new RecoveryTimes();
  private Comm world;

  UlfmProvider(Mpi mpi, Policy policy) {
    this.mpi = mpi;
    this.policy = policy;
    if (!mpi.isFaultTolerant()) {
      throw new UnsupportedOperationException("Reinit needs fault tolerance, which is off in this job: start it with "
          + "jmpirun, or with mpirun --with-ft ulfm (Open MPI 5.0 or newer, configured --with-ft=mpi)");
    }
    spareCalls = SpareCalls.ofJob(policy);
  }

  @Override
  public Verdict begin() {
    if (spareCalls != null && SpareCalls.isStartedLater()) {
      return joinWhenCalled();
    }
    Intercomm parent = mpi.parent();
    if (parent != null) {
      // Spawned in the middle of a recovery: a spare that joins at step 3. What it does not know, the others tell it.
      return join(parent);
    }
    int processes = mpi.world().size();
    int wanted = (int) MpiConfig.SPARES.longValue();
    if (wanted >= processes) {
      throw new IllegalArgumentException("-D" + MpiConfig.SPARES.property() + "=" + wanted + " leaves no process of "
          + processes + " to work: start more, or ask for fewer spares");
    }
    worldSize = processes - wanted;
    originalSize = worldSize;
    role = mpi.world().rank() < worldSize ? mpi.world().rank() : SPARE;
    if (spareCalls != null) {
      spareCalls.keep(processes);
    }
    RepairLimit limit = RepairLimit.ofBeginning();
    try {
      shrink(); // for which all have to come
      limit.count();
      Verdict verdict = repair(Ending.ROLLED_BACK, resilient);
      rehearse();
      return verdict;
    } finally {
      limit.close();
    }
  }

  private Verdict join(Intercomm parent) {
    Deadline deadline = Newcomers.deadlineToBeTakenIn();
    try {
      resilient = own(parent.merge(true));
    } catch (MpiFaultException fault) {
      Newcomers.end("this process, spawned in place of a dead one, cannot be taken in: " + fault.getMessage());
    }
    return goOnAsSpare(deadline);
  }

  /** Started while the job was running, because somebody had died: waits for the recovery from another death. */
  private Verdict joinWhenCalled() {
    Rehearsal.play(mpi.self().dup(), mpi.processorName());
    Whereabouts.enter(Phase.SPARE, -1);
    Comm two = spareCalls.awaitCall(mpi, scope);
    Whereabouts.enter(Phase.RECOVERS, -1);
    Deadline deadline = Newcomers.deadlineToBeTakenIn();
    spareCalls.enter();
    try (Intercomm others = mpi.self().intercomm(0, two, 0, BRIDGE_TAG)) {
      resilient = own(others.merge(true));
      two.recv(verdictBits, 0, BRIDGE_TAG);
    } catch (MpiException fault) {
      Newcomers.end("this process, started in place of a dead one, cannot be taken in: " + fault.getMessage());
    }
    spareCalls.leave();
    two.close();
    Verdict verdict = goOnAsSpare(deadline);
    spareCalls.isTakenIn();
    return verdict;
  }

  private Verdict goOnAsSpare(Deadline deadline) {
    role = SPARE;
    metNanos = System.nanoTime(); // its meeting, as far as times go
    Verdict verdict = repair(Ending.DONE, resilient);
    deadline.close();
    if (verdict == Verdict.FINISHED) {
      // It was not when this process was called.
      Newcomers.end("all have died but for processes that were spawned in place of dead ones, and they know nothing");
    }
    if (epoch == 0) {
      // The others are in begin as well.
      rehearse();
    }
    return verdict;
  }

  private void rehearse() {
    try {
      if (!Rehearsal.play(resilient.dup(), mpi.processorName())) {
        resilient.revoke();
      }
    } catch (MpiFaultException somebodyDied) {
      // Whoever still waits in there must not: meetings and shrinking work on what is revoked, too.
      resilient.revoke();
    }
  }

  private Comm own(Comm comm) {
    return Comms.get().move(comm, scope);
  }

  @Override
  public Verdict meet(Ending ending, long lastSeen, long learned) {
    times.note(lastSeen, learned);
    RepairLimit limit = ending == Ending.THREW ? RepairLimit.ofMeetingAfter(Comms.get().traceOfFailure(mpi))
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
      await(agreement, ending);
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
    } catch (MpiFaultException somebodyDied) {
      // Whoever still waits in there must not.
      resilient.revoke();
      return null;
    }
  }

  /** Whoever rolls back is waited for, and the others come at once. Everybody else sleeps between two looks. */
  private void await(Request agreement, Ending ending) {
    if (ending == Ending.ROLLED_BACK) {
      agreement.waitFor();
      return;
    }
    long began = System.nanoTime();
    long spinUntil = role == SPARE ? began : began + SOON_NANOS;
    int looks = 0;
    while (!agreement.test()) {
      long now = System.nanoTime();
      if (now - spinUntil < 0) {
        // At the end of a run nobody is to wait for this process; after a death the agreement is under way, and waits for it
        // at every step.
        Thread.yield();
      } else if (++looks % PROGRESS_TURNS == 0 && isWokenByDeath(now - began)) {
        spinUntil = System.nanoTime() + SPIN_NANOS;
      }
    }
  }

  private boolean isWokenByDeath(long waitedNanos) {
    if (deathWatch == null) {
      deathWatch = new DeathWatch();
    }
    long micros = TimeUnit.NANOSECONDS.toMicros(waitedNanos) / SLEEP_PART;
    return deathWatch
        .await(role == SPARE ? sparePollMicros : Math.min(Math.max(micros, FIRST_SLEEP_MICROS), LONGEST_SLEEP_MICROS));
  }

  /**
   * Steps 2 to 6.
   *
   * @param made the communicator to begin with at step 3, where it was just shrunk or processes were added; null: begin at step 2
   */
  private Verdict repair(Ending ending, Comm made) {
    boolean shrinkFirst = made == null;
    boolean mayCome = spareCalls != null;
    long began = System.nanoTime();
    while (true) {
      if (shrinkFirst) {
        shrink();
      }
      shrinkFirst = true;
      RepairPlan plan = null;
      boolean ok = true;
      Comm newWorld = null;
      try {
        plan = new RepairPlan(mayCome ? Policy.SPAWN : policyWithoutSpares(), tell(ending));
        if (!plan.isSpawnNeeded() && plan.verdict() == Verdict.MENDED) {
          int newRole = plan.roleOf(resilient.rank());
          teachDeaths(plan);
          newWorld = resilient.split(newRole == SPARE ? Comm.UNDEFINED : 0, Math.max(newRole, 0));
        }
      } catch (MpiFaultException fault) {
        ok = false;
        resilient.revoke();
      }
      if (mayCome && plan != null && plan.isSpawnNeeded()) {
        int fetched = takeIn(began);
        shrinkFirst = fetched == FAILED;
        mayCome = fetched != NONE;
      } else if (plan != null && plan.isSpawnNeeded()) {
        shrinkFirst = !spawn(plan.missing());
      } else if (agreed(ok)) {
        return carryOut(plan, newWorld);
      } else if (newWorld != null) {
        newWorld.close();
      }
    }
  }

  private Policy policyWithoutSpares() {
    // Where spares are filled up again, SPAWN means to wait for one. If none comes, only another start helps.
    return spareCalls != null && policy == Policy.SPAWN ? Policy.RESTART : policy;
  }

  private void shrink() {
    Comm old = resilient;
    while (true) {
      try {
        resilient = own((old == null ? mpi.world() : old).shrink());
        break;
      } catch (ProcessFailedException diedMeanwhile) {
        // Once more: each repetition needs another death.
      }
    }
    if (old != null) {
      old.close();
    }
  }

  private boolean agreed(boolean ok) {
    try {
      return resilient.agree(ok);
    } catch (MpiFaultException fault) {
      return false;
    }
  }

  private int[] tell(Ending ending) {
    boolean learned = role != SPARE && ending == Ending.ROLLED_BACK && metNanos != 0;
    int[] mine = RepairPlan.row(role, ending, epoch, worldSize, originalSize);
    RepairPlan.tellTimes(mine, times, learned, metNanos);
    int[] all = new int[mine.length * resilient.size()];
    resilient.allGather(Buf.wrap(mine), Buf.wrap(all));
    return all;
  }

  /** Tells newcomers how often each rank has died, so that they do not die of faults that have been injected already. */
  private void teachDeaths(RepairPlan plan) {
    if (plan.teacher() < 0) {
      return;
    }
    int[] counts = new int[plan.oldSize()];
    for (int rank = 0; rank < counts.length; rank++) {
      counts[rank] = deaths(rank);
    }
    resilient.bcast(Buf.wrap(counts), plan.teacher());
    for (int rank = 0; rank < counts.length; rank++) {
      deaths.put(rank, counts[rank]);
    }
  }

  /** Makes the plan come true here, when everybody has agreed on it. */
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
      deaths.put(rank, deaths(rank) + 1);
    }
    world = newWorld;
    return plan.verdict();
  }

  /**
   * Adds {@link Newcomers}. Whoever comes here, and whoever was told of a failure instead, goes through one agreement on the
   * communicator as it was, so that all go on with the larger one or none.
   *
   * @return whether {@code resilient} now has them; false: the round is to be repeated without them
   */
  private boolean spawn(int processes) {
    Comm merged = null;
    boolean agreed;
    Deadline deadline = Newcomers.deadline(processes);
    try {
      try (Intercomm children = Newcomers.spawn(resilient, processes)) {
        merged = own(children.merge(false));
      } catch (MpiFaultException fault) {
        resilient.revoke();
      }
      agreed = agreed(merged != null);
    } finally {
      deadline.close();
    }
    if (!agreed) {
      if (merged != null) {
        // The children wait on it; nobody answers, so they end (see begin).
        merged.revoke();
        merged.close();
      }
      return false;
    }
    resilient.close();
    resilient = merged;
    return true;
  }

  /**
   * Takes in one process that waits ({@link SpareCalls}). The first of {@code resilient} meets it, which nobody else has a
   * part in. Then both groups build a communicator over that of these two, by calls that report failures and that a revocation
   * ends. An agreement on {@code resilient} as it was decides, and only then the new process is told to go on.
   *
   * @param began when the repair began, as System.nanoTime has it
   * @return {@link #TAKEN}: {@code resilient} now has it; {@link #LATER}; {@link #NONE}; {@link #FAILED}: somebody has died
   */
  private int takeIn(long began) {
    boolean asks = resilient.rank() == 0;
    Comm two = null;
    Comm merged = null;
    boolean ok = true;
    if (asks) {
      two = spareCalls.fetch(mpi, scope, resilient.size());
      verdictBits.putInt(0, two != null ? TAKEN : spareCalls.isNoneToCome() || isLate(began) ? NONE : LATER);
    }
    try {
      resilient.bcast(verdictBits, 0);
      if (verdictBits.getInt(0) == TAKEN) {
        spareCalls.enter();
        try (Intercomm newcomer = resilient.intercomm(0, asks ? two : resilient, 1, BRIDGE_TAG)) {
          merged = own(newcomer.merge(false));
        }
      }
    } catch (MpiException fault) {
      // Also what is no fault in itself: that the new process cannot be reached, as it has died.
      ok = false;
      resilient.revoke();
    }
    spareCalls.leave();
    int fetched = verdictBits.getInt(0);
    ok = agreed(ok);
    if (two != null) {
      bid(two, ok);
    }
    if (!ok && merged != null) {
      merged.revoke();
      merged.close();
    }
    if (ok && merged != null) {
      resilient.close();
      resilient = merged;
    }
    return ok ? fetched : FAILED;
  }

  /** Has the new process go on, or end. */
  private void bid(Comm two, boolean goOn) {
    try {
      if (goOn) {
        two.send(verdictBits, 1, BRIDGE_TAG);
      } else {
        two.revoke();
      }
    } catch (MpiFaultException itHasDied) {
      // The next call on the communicator of all tells everybody.
    }
    two.close();
  }

  private static boolean isLate(long began) {
    return System.nanoTime() - began > TimeUnit.SECONDS.toNanos(MpiConfig.RECOVERY_TIMEOUT_SECONDS.longValue()) * 3 / 4;
  }

  /** Requests are driven to their end before communicators are freed: only then has MPI let go of the program's buffers. */
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
    // A probe makes MPI progress, by which it learns of failures and revocations, if it finds nothing (pml_ob1_iprobe.c): so it
    // is for a message that nobody sends.
    world.iProbe(Comm.ANY_SOURCE, Mpi.current().tagUpperBound(), null);
    if (world.isRevoked()) {
      world.barrier(); // on a revoked communicator: fails at once, the way every fault is reported
    }
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
  public int epoch() {
    return epoch;
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
  public boolean isReplacement() {
    return replacement;
  }

  @Override
  public int spares() {
    return spares;
  }

  @Override
  public boolean isShrunk() {
    return worldSize < originalSize;
  }

  @Override
  public List<Integer> failedRanks() {
    return failedRanks;
  }

  @Override
  public RecoveryTimes times() {
    return times;
  }

  @Override
  public int deaths(int rank) {
    return deaths.getOrDefault(rank, 0);
  }

  @Override
  public void close() {
    if (spareCalls != null) {
      spareCalls.end();
    }
    resilient.close();
    verdictBits.close();
    scope.end();
    RepairLimit.forgetDeaths();
  }
}
