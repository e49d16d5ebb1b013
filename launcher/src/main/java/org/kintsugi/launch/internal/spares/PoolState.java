// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.kintsugi.launch.internal.spares.PooledProcess.State;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.FromLauncher;
import org.kintsugi.runtime.internal.protocol.FromProcess;

/**
 * The decisions about new processes: events in, commands out.
 *
 * <p>It has three parts: who lives ({@link LivingProcesses}), how many are ordered, where and
 * when ({@link StartPlan}), and who meets whom ({@link Meetings}). It has no connection and no
 * clock, so a recorded job can be replayed. docs/spares.md has a picture of the states.
 */
final class PoolState {

  private static final String THIS_HOST = "";

  private final boolean isOnOneHost;
  private final List<Command> out = new ArrayList<>();
  private final LivingProcesses living = new LivingProcesses();
  private final StartPlan plan;
  private final Meetings meetings;
  private boolean isOver;
  private long overNanos;

  /**
   * A job whose processes have not connected yet.
   *
   * @param name of the job
   * @param isOnOneHost whether mpirun knows of one host only
   */
  PoolState(String name, boolean isOnOneHost) {
    this.isOnOneHost = isOnOneHost;
    plan = new StartPlan(isOnOneHost, out);
    meetings = new Meetings(name, out);
  }

  /** See {@link SparePool#hostsAreLostForGood}. */
  void hostsAreLostForGood() {
    plan.hostsAreLostForGood();
  }

  /** The commands since the last call. */
  List<Command> takeCommands() {
    List<Command> all = List.copyOf(out);
    out.clear();
    return all;
  }

  /** A process has connected. */
  PooledProcess greet(String job, int rank, String host, int number, long now) {
    PooledProcess process = new PooledProcess(job, rank, isOnOneHost ? THIS_HOST : host, number, now);
    plan.connected(process);
    living.add(process);
    if (number > 0 && living.kept() == 0) {
      dismiss(process);
    }
    return process;
  }

  /** A process has sent a line; false: it is not about these decisions. */
  boolean hear(PooledProcess process, FromProcess line, long now) {
    if (!living.contains(process)) {
      return false; // it counts as failed, and its connection is still open
    }
    if (line instanceof FromProcess.Keep keep) {
      process.isInRun = true;
      keep(keep.processes(), now);
    } else if (line instanceof FromProcess.Ready) {
      process.state = State.READY;
      plan.succeeds();
      introduce(process);
      if (living.kept() == 0) {
        dismiss(process);
      } else {
        meetings.offer(process, now);
      }
    } else if (line instanceof FromProcess.Living report) {
      living.report(report.processes());
      plan.awaitRestore(now);
    } else if (line instanceof FromProcess.Need need) {
      need(process, need.left(), now);
    } else if (line instanceof FromProcess.Joined) {
      living.join(process);
    } else if (line instanceof FromProcess.ProcessFailed failed) {
      suspect(failed, now);
    } else if (line instanceof FromProcess.Alive) {
      process.hasAnswered = true;
    } else if (line instanceof FromProcess.Unable unable) {
      if (plan.refuse(unable.number(), now)) {
        countFailure("one could not be started: " + unable.why(), now);
      }
    } else {
      return false;
    }
    look(now);
    return true;
  }

  private void keep(int processes, long now) {
    living.keep(processes);
    isOver = processes == 0;
    overNanos = now;
    if (isOver) {
      meetings.clear();
      dismissWaiting();
    }
  }

  /**
   * Has processes request each other's addresses before they meet.
   *
   * <p>Each address takes a request to mpirun. No process waits for it now; during a recovery all
   * would.
   */
  private void introduce(PooledProcess ready) {
    for (PooledProcess each : living.all()) {
      if (each.state == State.MEMBER) {
        say(ready, new FromLauncher.Prefetch(each.job, each.rank));
        say(each, new FromLauncher.Prefetch(ready.job, ready.rank));
      }
    }
  }

  private void need(PooledProcess asker, int left, long now) {
    Meetings.Outcome outcome = meetings.need(asker, left, living.all(), now);
    if (outcome == Meetings.Outcome.WAITS || outcome == Meetings.Outcome.BEGINS_TO_WAIT) {
      plan.hurry();
      if (plan.areHostsSeveral() && outcome == Meetings.Outcome.BEGINS_TO_WAIT && left < living.count(State.MEMBER)) {
        plan.settleHosts(now); // until the connections show which processes have died, and on which host
      }
    }
  }

  /**
   * Another process reports this one dead, but its connection is open. On a host that is alive it
   * would have ended.
   */
  private void suspect(FromProcess.ProcessFailed failed, long now) {
    if (!plan.areHostsSeveral()) {
      return;
    }
    for (PooledProcess suspect : living.named(failed.job(), failed.rank())) {
      List<PooledProcess> asked = living.suspects().add(suspect);
      asked.forEach(process -> say(process, new FromLauncher.Alive()));
      if (!asked.isEmpty()) {
        plan.settleHosts(now);
      }
    }
  }

  /** A connection has ended; in order: its process has left MPI. */
  void lose(PooledProcess gone, boolean inOrder, long now) {
    if (!living.remove(gone)) {
      return;
    }
    meetings.loseCaller(gone, living.all());
    if (inOrder && gone.state == State.MEMBER) {
      living.hasLeft();
      return;
    }
    plan.orders().takeThoseOf(gone);
    if (plan.areHostsSeveral()) {
      plan.settleHosts(now);
    } else if (!meetings.isAnybodyWaiting() && gone.state == State.MEMBER && living.isNewFailure()) {
      // (Recovered processes may report their number before this connection has ended.)
      plan.awaitRecovery(now);
    }
    meetings.loseCalled(gone);
    if (gone.state == State.STARTED) {
      countFailure("it has ended before it was ready", now);
    } else {
      boolean isMet = gone.state != State.READY;
      reportToOtherJobs(gone, isMet ? new FromLauncher.ProcessFailed(gone.job, gone.rank) : new FromLauncher.Forget(gone.job));
    }
    look(now);
  }

  /**
   * Reports a failure to processes of other jobs. The runtime itself reports it to the failed
   * process's own job.
   */
  private void reportToOtherJobs(PooledProcess gone, FromLauncher line) {
    for (PooledProcess each : living.all()) {
      // A process that waits, or is about to, may be called by processes that do not know of this
      // failure yet.
      if (!each.job.equals(gone.job)) {
        say(each, line);
      }
    }
  }

  /** Time has passed: handles limits. */
  void look(long now) {
    plan.settle(now);
    if (!living.suspects().isEmpty() && !plan.isUnsettled()) {
      // The other processes have reported their failure, and wait for the answer.
      living.suspects().judge().forEach(lost -> lose(lost, false, now));
    }
    if (plan.failLate(now)) {
      countFailure("it was not heard of in time", now);
    }
    meetings.lookAtCalls(living.all(), now);
    endStuck(now);
    if (isOver && now - overNanos > TimeLimits.nanos(TimeLimits.OVER_MILLIS)) {
      living.all().stream().filter(process -> process.number > 0 && !process.isInRun).forEach(this::dismiss);
    }
    meetings.dropOld(now);
    orderMissing(now);
    refuseIfNoneComes(now);
    if (living.isAbandoned(now)) {
      dismissWaiting();
    }
  }

  private void orderMissing(long now) {
    int known = meetings.lowestLeft(living.members());
    if (!plan.isUnsettled() && living.kept() > 0 && known != LivingProcesses.NOT_TOLD) {
      plan.order(living.kept() - known - underWay(now), living.all(), meetings.first(), now);
      living.forgetReport();
    }
  }

  /**
   * New processes to come. While one is needed, those on a host that may be lost, or that are late,
   * do not count.
   */
  private int underWay(long now) {
    boolean isNeeded = meetings.isAnybodyWaiting();
    long late = living.all().stream()
        .filter(process -> isNeeded && process.isStuck(TimeLimits.nanos(TimeLimits.WANTED_MILLIS), now)).count();
    return plan.orders().count(!isNeeded) - (int) late + living.onTheWay();
  }

  private void countFailure(String why, long now) {
    // After the run they end on request.
    if (living.kept() > 0 && plan.countFailure(why)) {
      refuseIfNoneComes(now);
    }
  }

  private void refuseIfNoneComes(long now) {
    if (underWay(now) == 0 && !plan.isUnsettled()) {
      meetings.refuseAll();
    }
  }

  private void endStuck(long now) {
    for (PooledProcess process : List.copyOf(living.all())) {
      if (process.isStuck(TimeLimits.nanos(TimeLimits.READY_MILLIS), now)) {
        dismiss(process);
        living.remove(process);
        countFailure("it did not become ready in time", now);
      }
    }
  }

  private void dismissWaiting() {
    for (PooledProcess process : living.all()) {
      if (process.state == State.READY || process.state == State.STARTED) {
        dismiss(process);
      }
    }
  }

  private void dismiss(PooledProcess process) {
    if (!process.isUnneeded) {
      process.isUnneeded = true;
      plan.orders().addUnneeded(process.number);
      say(process, new FromLauncher.Over());
    }
  }

  private void say(PooledProcess to, FromLauncher line) {
    out.add(new Command.Say(to, line));
  }

  /** Whether it is time to call {@link #see} with the running processes. */
  boolean isToSee(long now) {
    return plan.orders().isToBeLookedAt(now);
  }

  /** The order numbers of all started processes that are running. Some may not have begun MPI. */
  void see(Set<Integer> started, long now) {
    if (plan.failEnded(started, now)) {
      countFailure("it has ended before it came to MPI", now);
    }
    look(now);
  }

  /** The order numbers of started processes that must be ended. */
  Set<Integer> takeUnneeded(long now) {
    return plan.orders().takeUnneeded(living.isAnybodyNeeded(), now);
  }

  /** The time until {@link #look} must be called, if nothing else happens before. */
  long millisToNextLook(long now) {
    return Math.min(plan.millisToSettled(now), plan.orders().millisToNextLook(living.isAnybodyNeeded(), now));
  }
}
