// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.kintsugi.launch.internal.spares.PooledProcess.State;
import org.kintsugi.launch.internal.connections.WatchedRank;
import org.kintsugi.runtime.internal.protocol.FromLauncher;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.Line;

/**
 * Keeps the number of a job's processes constant.
 *
 * <p>For each failed process it orders a process of the job to start a new one, and it connects
 * waiting new processes with those that need one. It sees by the connections to {@link JobServer}
 * which processes are alive, so it does not matter which process has asked for a new one or has
 * started one, or whether that process is still there. Only JobServer's thread calls this class.
 *
 * <p>A new process begins MPI alone, and waits ({@link FromProcess.Ready}). Then it is called, and
 * the others admit it, or it ends itself. From then on its end is a process failure like any other.
 */
public final class SparePool {
  /**
   * Limit from a process's first line to the end of its {@code Mpi.init}.
   *
   * <p>PRRTE may never answer a process that connects while others die. After the shorter time
   * another process is started if one is needed. The first one may only be slow, on a busy host;
   * then it is used as well.
   */
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long WANTED_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Limit from the call to the process's line that it has joined. Its own limits and the others'
   * are shorter.
   */
  private static final long CALL_NANOS = TimeUnit.SECONDS.toNanos(20);

  /**
   * Limit for a repeated request that has crossed its answer.
   *
   * <p>A process that asks again within this time, with the same number left, has not received the
   * answer to its first request.
   */
  private static final long CROSSING_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * From the end of the run to the line that no process is needed. An admitted process has reported
   * that it joined by then.
   */
  private static final long OVER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Delay of starts after a failure, where there are several hosts.
   *
   * <p>The processes of a lost host are lost one by one, and mpirun may notice that later than this
   * class. A process started before that would be placed on the lost host.
   */
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * Delay of starts after a failure, on a single host.
   *
   * <p>The start of a JVM would take processors from the recovery. If a process needs a new one and
   * none is waiting, the new one is started at once.
   */
  private static final long RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Delay of starts after the report that all have recovered: they restore their state first. */
  private static final long GOING_ON_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** A process that is silent for longer starts others only if it must. */
  private static final long SILENT_MILLIS = 3000;

  /** After this time alone, a waiting process is dismissed. */
  private static final long ALONE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * After this number of consecutive failed starts, no more are made. The program or a host has a
   * fault.
   */
  private static final int FAILED_STARTS = 10;

  /**
   * A request is dropped after this time. A process that still needs a new one repeats its request
   * twice a second.
   */
  private static final long WANT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final String THIS_HOST = "";

  private static final int NOT_TOLD = Integer.MAX_VALUE;

  /**
   * A request for a process. {@code left} is the number of processes by the count of the requester.
   */
  private record Want(int left, long sinceNanos) {}

  private final String name;
  private final boolean isOnOneHost;
  private final PrintStream messages;
  private final Map<WatchedRank, PooledProcess> processes = new LinkedHashMap<>();
  private final PendingStarts orders;
  private final SuspectedProcesses suspects = new SuspectedProcesses(processes);
  private final Map<WatchedRank, Want> wanting = new LinkedHashMap<>();
  private final SpareHosts hosts = new SpareHosts();
  private int kept;
  private boolean isOver;
  private long overNanos;
  private int left = NOT_TOLD;
  private boolean isUnsettled;
  private long settledNanos;
  private boolean haveAllCome;
  private boolean hasSomebodyLeft;
  private int numbers;
  private int meetings;
  private int failures;
  private long aloneSince;

  /**
   * A pool without requests.
   *
   * @param name of the job
   * @param isOnOneHost whether mpirun knows of one host only, whatever names the processes have for theirs (in containers, say)
   * @param messages the stream for the user
   */
  public SparePool(String name, boolean isOnOneHost, PrintStream messages) {
    this.name = name;
    this.isOnOneHost = isOnOneHost;
    this.messages = messages;
    orders = new PendingStarts(isOnOneHost);
  }

  /**
   * A process has connected. The number is that of the order for which it was started; 0: it
   * belongs to the start of the job.
   */
  public void greet(WatchedRank rank, String job, String hostName, int number, long now) {
    String host = isOnOneHost ? THIS_HOST : hostName;
    orders.take(number);
    if (number == 0) {
      hosts.add(host);
    } else {
      hosts.accept(host);
    }
    processes.put(rank, new PooledProcess(job, host, number, number == 0 ? State.MEMBER : State.STARTED, now));
    if (number > 0 && kept == 0) {
      tellThatItIsOver(rank);
    }
    noteWhetherAllHaveCome();
  }

  /**
   * Notes whether all processes have connected.
   *
   * <p>If some have died before they connected here, all that the others know of are enough.
   */
  private void noteWhetherAllHaveCome() {
    haveAllCome |= kept > 0 && count(State.MEMBER) >= Math.min(kept, left);
  }

  /** Handles a line if it is for the pool; false: it is not. */
  public boolean hear(WatchedRank rank, FromProcess line, long now) {
    PooledProcess process = processes.get(rank);
    if (process == null) {
      return false;
    }
    if (line instanceof FromProcess.Keep order) {
      process.isInRun = true;
      keep(order.processes(), now);
    } else if (line instanceof FromProcess.Ready) {
      process.state = State.READY;
      failures = 0;
      tellOfEachOther(rank, process);
      callTo(rank, process, now);
    } else if (line instanceof FromProcess.Living living) {
      left = living.processes();
      noteWhetherAllHaveCome();
      if (!hosts.areSeveral()) {
        settleFor(GOING_ON_NANOS, now);
      }
    } else if (line instanceof FromProcess.Need need) {
      need(rank, need.left(), now);
    } else if (line instanceof FromProcess.Joined) {
      left += process.state == State.CALLED && left != NOT_TOLD ? 1 : 0;
      process.state = State.MEMBER;
      process.isInRun = true;
      noteWhetherAllHaveCome();
    } else if (line instanceof FromProcess.Dead dead) {
      suspect(dead.job(), dead.rank(), now);
    } else if (line instanceof FromProcess.Alive) {
      process.hasAnswered = true;
    } else if (line instanceof FromProcess.Unable unable) {
      takeRefusal(unable.number(), unable.why(), now);
    } else {
      return false;
    }
    look(now);
    return true;
  }

  private void keep(int wanted, long now) {
    kept = wanted;
    isOver = kept == 0;
    overNanos = now;
    noteWhetherAllHaveCome();
    if (kept == 0) {
      wanting.clear();
      tellThatItIsOver();
    }
  }

  private void callTo(WatchedRank rank, PooledProcess process, long now) {
    if (kept == 0) {
      tellThatItIsOver(rank);
    } else if (!wanting.isEmpty()) {
      WatchedRank first = wanting.keySet().iterator().next();
      call(first, wanting.remove(first).left, rank, process, now);
    }
  }

  /**
   * Has processes request each other's addresses before they meet.
   *
   * <p>Each address takes a request to mpirun. No process waits for it now; during a recovery all
   * would.
   */
  private void tellOfEachOther(WatchedRank rank, PooledProcess process) {
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      if (each.getValue().state == State.MEMBER) {
        rank.say(new FromLauncher.Prefetch(each.getValue().job, each.getKey().launchRank()));
        each.getKey().say(new FromLauncher.Prefetch(process.job, rank.launchRank()));
      }
    }
  }

  private void call(WatchedRank caller, int leftToCaller, WatchedRank called, PooledProcess process, long now) {
    process.state = State.CALLED;
    process.sinceNanos = now;
    process.caller = caller;
    process.leftToCaller = leftToCaller;
    process.meeting = "kintsugi-" + name + "-" + ++meetings;
    called.say(new FromLauncher.Come(process.meeting));
    caller.say(new FromLauncher.Called(process.meeting));
  }

  /**
   * The lowest process of a communicator asks, and counts its remaining members. Some failures may
   * not be known here yet.
   */
  private void need(WatchedRank asker, int leftToIt, long now) {
    if (processes.values().stream().anyMatch(process -> process.state == State.CALLED && process.caller == asker
        && process.leftToCaller == leftToIt && now - process.sinceNanos < CROSSING_NANOS)) {
      return;
    }
    boolean isNew = wanting.remove(asker) == null;
    PooledProcess ready = null;
    WatchedRank readyRank = null;
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      PooledProcess process = each.getValue();
      if (process.isCalled() && process.caller == asker) {
        // None of them reports that it has joined before the whole recovery ends, and this request
        // shows that it goes on.
        process.state = State.COUNTED;
        process.sinceNanos = now;
      } else if (process.state == State.READY && (ready == null || readyRank.silentMillis(now) >= SILENT_MILLIS)) {
        ready = process;
        readyRank = each.getKey();
      }
    }
    if (ready == null) {
      isUnsettled &= hosts.areSeveral();
      if (hosts.areSeveral() && isNew && leftToIt < count(State.MEMBER)) {
        settleFor(SETTLE_NANOS, now); // until the connections show which processes have died, and on which host
      }
      wanting.put(asker, new Want(leftToIt, now));
    } else {
      call(asker, leftToIt, readyRank, ready, now);
    }
  }

  private int count(State state) {
    return (int) processes.values().stream().filter(process -> process.state == state).count();
  }

  /**
   * New processes to come. While one is needed, those on a host that may be lost, or that are late,
   * do not count.
   */
  private int underWay(long now) {
    int sure = orders.count(wanting.isEmpty());
    long late = processes.entrySet().stream().filter(each -> !wanting.isEmpty() && isStuck(each, WANTED_NANOS, now)).count();
    return sure - (int) late + processes.size() - count(State.MEMBER) - count(State.COUNTED);
  }

  /**
   * Whether a process is late in its {@code Mpi.init}. After that the program has no limit until it
   * is ready.
   */
  private static boolean isStuck(Map.Entry<WatchedRank, PooledProcess> process, long nanos, long now) {
    return process.getValue().isFor(State.STARTED, nanos, now) && process.getKey().isStarting();
  }

  /**
   * Orders the missing processes.
   *
   * <p>The lowest of three counts is right: the connections, the report of a process on its
   * communicator (the processes of a silent host are no longer in it, but their connections are
   * open), and the counts of the requesters.
   */
  private void orderMissing(long now) {
    int known = haveAllCome ? count(State.MEMBER) + count(State.COUNTED) : NOT_TOLD;
    known = wanting.values().stream().mapToInt(Want::left).reduce(Math.min(known, left), Math::min);
    if (!isUnsettled && kept > 0 && known != NOT_TOLD) {
      order(kept - known - underWay(now), now);
      left = NOT_TOLD;
    }
  }

  private void order(int missing, long now) {
    if (failures >= FAILED_STARTS) {
      return;
    }
    for (int i = 0; i < missing; i++) {
      WatchedRank starter = starter(now);
      SpareHosts.Choice choice =
          hosts.choose(perHost(), PooledProcess.hosts(processes.values()), orders.isHostReturning(), !wanting.isEmpty(), now)
              .orElse(null);
      if (starter == null || choice == null) {
        return;
      }
      int number = ++numbers;
      orders.add(number, starter, choice.host(), choice.isReturn(), now);
      starter.say(new FromLauncher.Start(number, choice.host(), choice.isReturn()));
    }
  }

  /** The number of processes of each host, including those that are being started. */
  private Map<String, Integer> perHost() {
    Map<String, Integer> count = new HashMap<>();
    processes.values().forEach(process -> count.merge(process.host, 1, Integer::sum));
    orders.countPerHost(count);
    return count;
  }

  /**
   * Chooses the process that starts a new one.
   *
   * <p>It must be in the run, because only there it reads the order. If a process needs a new one,
   * it waits for it anyway, so it is chosen; otherwise the last process to come, which is likely to
   * be a spare.
   */
  private WatchedRank starter(long now) {
    if (!wanting.isEmpty()) {
      return wanting.keySet().iterator().next();
    }
    WatchedRank last = null;
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      boolean isMember = each.getValue().state == State.MEMBER && each.getValue().isInRun;
      boolean isBetter = last == null || each.getKey().silentMillis(now) < SILENT_MILLIS;
      last = isMember && isBetter ? each.getKey() : last;
    }
    return last;
  }

  private void takeRefusal(int number, String why, long now) {
    PendingStarts.Order order = orders.take(number);
    if (order != null && !order.host.isEmpty()) {
      hosts.refuse(order.host, now);
    } else if (order != null) { // else it has failed already
      countFailure("one could not be started: " + why, now);
    }
  }

  private void countFailure(String why, long now) {
    failures += kept == 0 ? 0 : 1; // after the run they end on request
    if (kept > 0 && failures == FAILED_STARTS) {
      messages.println("jmpirun: spares are not filled up again any more: " + FAILED_STARTS + " times in a row a new process "
          + "was not there in the end, the last time as " + why);
      answerThoseWhoWant(now);
    }
  }

  private void answerThoseWhoWant(long now) {
    if (underWay(now) == 0 && !isUnsettled) {
      wanting.keySet().forEach(rank -> rank.say(new FromLauncher.None()));
      wanting.clear();
    }
  }

  /** A connection has ended. */
  public void lose(WatchedRank rank, boolean inOrder, long now) {
    PooledProcess gone = processes.remove(rank);
    if (gone == null) {
      return;
    }
    wanting.remove(rank);
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      if (each.getValue().isCalled() && each.getValue().caller == rank) {
        each.getKey().say(new FromLauncher.Gone(each.getValue().meeting));
      }
    }
    if (inOrder && gone.state == State.MEMBER) {
      hasSomebodyLeft = true;
      return;
    }
    orders.takeThoseOf(rank);
    if (hosts.areSeveral()) {
      settleFor(SETTLE_NANOS, now);
    } else if (wanting.isEmpty() && gone.state == State.MEMBER && (left == NOT_TOLD || count(State.MEMBER) < left)) {
      // (Recovered processes may report their number before this connection has ended.)
      settleFor(RECOVERY_NANOS, now);
    }
    if (gone.isCalled()) {
      gone.caller.say(new FromLauncher.Gone(gone.meeting));
    }
    if (gone.state == State.STARTED) {
      countFailure("it has ended before it was ready", now);
    } else {
      boolean isMet = gone.state != State.READY;
      tellOthers(gone, isMet ? new FromLauncher.Died(gone.job, rank.launchRank()) : new FromLauncher.Forget(gone.job));
    }
    look(now);
  }

  /**
   * Another process reports this one dead, but its connection is open. On a host that is alive it
   * would have ended.
   */
  private void suspect(String job, int rank, long now) {
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      boolean isMeant = each.getValue().job.equals(job) && each.getKey().launchRank() == rank;
      if (isMeant && hosts.areSeveral() && suspects.add(each.getKey())) {
        settleFor(SETTLE_NANOS, now);
      }
    }
  }

  private void settleFor(long nanos, long now) {
    isUnsettled = true;
    settledNanos = now + nanos;
  }

  /**
   * Treats suspects as failed. The other processes have reported their failure, and wait for the
   * answer.
   */
  private void loseSuspects(long now) {
    if (!suspects.isEmpty() && !isUnsettled) {
      suspects.judge().forEach(lost -> lose(lost, false, now));
    }
  }

  /**
   * Reports a failure to processes of other jobs. The runtime itself reports it to the failed
   * process's own job.
   */
  private void tellOthers(PooledProcess gone, Line line) {
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      // A process that waits, or is about to, may be called by processes that do not know of this
      // failure yet.
      if (!each.getValue().job.equals(gone.job)) {
        each.getKey().say(line);
      }
    }
  }

  /** Handles limits. */
  public void look(long now) {
    isUnsettled &= now - settledNanos < 0;
    loseSuspects(now);
    fail(orders.takeLate(now), "it was not heard of in time", now);
    for (PooledProcess process : processes.values()) {
      // Either a long recovery admits it, or it ends itself, which its connection shows. Keep it:
      // its failure must be reported.
      if (process.isFor(State.CALLED, CALL_NANOS, now) || process.isFor(State.COUNTED, CALL_NANOS, now)) {
        process.state = State.MEMBER;
      }
    }
    endStuck(now);
    if (isOver && now - overNanos > OVER_NANOS) {
      processes.entrySet().stream().filter(each -> each.getValue().number > 0 && !each.getValue().isInRun)
          .forEach(each -> tellThatItIsOver(each.getKey()));
    }
    wanting.values().removeIf(want -> now - want.sinceNanos > WANT_NANOS);
    orderMissing(now);
    answerThoseWhoWant(now);
    if (count(State.MEMBER) > 0 || processes.isEmpty()) {
      aloneSince = now;
    } else if (hasSomebodyLeft || now - aloneSince > ALONE_NANOS) {
      tellThatItIsOver();
    }
  }

  /** Whether it is time to call {@link #see} with the running processes. */
  public boolean isToSee(long now) {
    return orders.isToBeLookedAt(now);
  }

  /**
   * Takes the order numbers of all started processes that are running. Some may not have begun MPI.
   */
  public void see(Set<Integer> started, long now) {
    fail(orders.takeEnded(started, now), "it has ended before it came to MPI", now);
    look(now);
  }

  /** The order numbers of started processes that must be ended. */
  public Set<Integer> takeUnneeded(long now) {
    return orders.takeUnneeded(isAnybodyNeeded(), now);
  }

  /** The time until {@link #look} must be called, if nothing else happens before. */
  public long millisToNextLook(long now) {
    long settled = isUnsettled ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(settledNanos - now) + 1) : Long.MAX_VALUE;
    return Math.min(settled, orders.millisToNextLook(isAnybodyNeeded(), now));
  }

  /** Orders that fail together count as one failure, because they have one cause. */
  private void fail(List<PendingStarts.Order> orders, String why, long now) {
    orders.stream().filter(order -> order.isReturn).forEach(order -> hosts.refuse(order.host, now));
    if (orders.stream().anyMatch(order -> !order.isReturn)) {
      countFailure(why, now);
    }
  }

  private void endStuck(long now) {
    for (Map.Entry<WatchedRank, PooledProcess> each : List.copyOf(processes.entrySet())) {
      if (isStuck(each, READY_NANOS, now)) {
        tellThatItIsOver(each.getKey());
        processes.remove(each.getKey());
        countFailure("it did not become ready in time", now);
      }
    }
  }

  private boolean isAnybodyNeeded() {
    return processes.values().stream().anyMatch(process -> !process.isUnneeded);
  }

  private void tellThatItIsOver() {
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      if (each.getValue().state == State.READY || each.getValue().state == State.STARTED) {
        tellThatItIsOver(each.getKey());
      }
    }
  }

  private void tellThatItIsOver(WatchedRank rank) {
    PooledProcess process = processes.get(rank);
    if (!process.isUnneeded) {
      process.isUnneeded = true;
      orders.addUnneeded(process.number);
      rank.say(new FromLauncher.Over());
    }
  }
}
