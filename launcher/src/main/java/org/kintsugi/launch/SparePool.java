// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.kintsugi.launch.PooledProcess.State;
import org.kintsugi.runtime.internal.WatchLines;

/**
 * Keeps the number of a job's processes: has one of them start a new one for each that has died, and connects waiting processes
 * with those that need one. It sees by the connections to {@link StallWatch}, whose thread calls all of this, which processes
 * are alive. So it does not matter which process has asked for one or has started one, and whether that is still there.
 *
 * <p>A new process begins MPI alone, waits ({@link WatchLines#READY}), is called, and is taken in by the others, or ends itself.
 * Its end is then a death like any other.
 */
final class SparePool {
  /**
   * From a process's first line to the end of its {@code Mpi.init}. A process that connects to PRRTE while others die may never
   * be answered. Behind the shorter time it is not counted on any more where one is needed, and another one is started; on a busy
   * host it may only be slow, and serve all the same.
   */
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long WANTED_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** From the call to its line that it has been taken in: its own limits and the others' are shorter. */
  private static final long CALL_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** A process that asks again so soon, with as many left, has not heard yet of the one that was called for it. */
  private static final long CROSSING_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** From the end of the run to the line that nobody needs a process: one that was taken in has said so by then. */
  private static final long OVER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * After a death, where there are several hosts: a host is lost process by process, and mpirun may notice that later than this
   * class. A process started just then would go to the lost host.
   */
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * After a death, on a single host, for as long a recovery is waited for: a JVM that starts takes the processors from it. A
   * process that needs one and finds none waiting does not wait for the end of this.
   */
  private static final long RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** After the report that all have recovered: they restore their state, and go on. */
  private static final long GOING_ON_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** A process that has left a question unanswered for longer does not start another one, if there is a better one. */
  private static final long SILENT_MILLIS = 3000;

  /** If for so long no other process is there, a waiting process gets the line that nobody will call it. */
  private static final long ALONE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** After so many that die one after the other before they wait, no more are started: something is wrong with them. */
  private static final int FAILED_STARTS = 10;

  /** A process that still needs one asks again twice a second. */
  private static final long WANT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final String THIS_HOST = "";

  private static final int NOT_TOLD = Integer.MAX_VALUE;

  /** A process needs one, when so many are left by its count. */
  private record Want(int left, long sinceNanos) {}

  private final String name;
  private final boolean isOnOneHost;
  private final PrintStream messages;
  private final Map<WatchedRank, PooledProcess> processes = new LinkedHashMap<>();
  private final StartOrders orders;
  private final Suspects suspects = new Suspects(processes);
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
  SparePool(String name, boolean isOnOneHost, PrintStream messages) {
    this.name = name;
    this.isOnOneHost = isOnOneHost;
    this.messages = messages;
    orders = new StartOrders(isOnOneHost);
  }

  /** A process has connected. The number is that of the order for which it was started; 0: it was there from the start. */
  void greet(WatchedRank rank, String job, String hostName, int number, long now) {
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

  /** All that are to be kept, or, where some have died before they came here, all that the others know of. */
  private void noteWhetherAllHaveCome() {
    haveAllCome |= kept > 0 && count(State.MEMBER) >= Math.min(kept, left);
  }

  /** Whether a line was meant for the pool. */
  boolean hear(WatchedRank rank, String line, long now) {
    PooledProcess process = processes.get(rank);
    if (process == null) {
      return false;
    }
    if (line.startsWith(WatchLines.KEEP)) {
      process.isInRun = true;
      keep(Integer.parseInt(line.substring(WatchLines.KEEP.length())), now);
    } else if (line.equals(WatchLines.READY)) {
      process.state = State.READY;
      failures = 0;
      tellOfEachOther(rank, process);
      callTo(rank, process, now);
    } else if (line.startsWith(WatchLines.LIVING)) {
      left = Integer.parseInt(line.substring(WatchLines.LIVING.length()));
      noteWhetherAllHaveCome();
      if (!hosts.areSeveral()) {
        settleFor(GOING_ON_NANOS, now);
      }
    } else if (line.startsWith(WatchLines.NEED)) {
      need(rank, Integer.parseInt(line.substring(WatchLines.NEED.length())), now);
    } else if (line.equals(WatchLines.JOINED)) {
      left += process.state == State.CALLED && left != NOT_TOLD ? 1 : 0;
      process.state = State.MEMBER;
      process.isInRun = true;
      noteWhetherAllHaveCome();
    } else if (line.startsWith(WatchLines.DEAD)) {
      suspect(line.substring(WatchLines.DEAD.length()), now);
    } else if (line.equals(WatchLines.ALIVE)) {
      process.hasAnswered = true;
    } else if (line.startsWith(WatchLines.UNABLE)) {
      takeRefusal(line.substring(WatchLines.UNABLE.length()), now);
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
   * What processes have to know of each other to meet (addresses) takes each of them a question to mpirun: they ask while nobody
   * waits for it.
   */
  private void tellOfEachOther(WatchedRank rank, PooledProcess process) {
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      if (each.getValue().state == State.MEMBER) {
        rank.say(WatchLines.AHEAD + each.getValue().job + " " + each.getKey().launchRank());
        each.getKey().say(WatchLines.AHEAD + process.job + " " + rank.launchRank());
      }
    }
  }

  private void call(WatchedRank caller, int leftToCaller, WatchedRank called, PooledProcess process, long now) {
    process.state = State.CALLED;
    process.sinceNanos = now;
    process.caller = caller;
    process.leftToCaller = leftToCaller;
    process.meeting = "kintsugi-" + name + "-" + ++meetings;
    called.say(WatchLines.COME + process.meeting);
    caller.say(WatchLines.CALLED + process.meeting);
  }

  /** The remaining members are those of a communicator, and its lowest process asks: deaths may not be known here yet. */
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
        // None of them has joined before the end of the whole recovery, which has just gone on.
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
        settleFor(SETTLE_NANOS, now); // until it is seen here as well who has died, and on which host
      }
      wanting.put(asker, new Want(leftToIt, now));
    } else {
      call(asker, leftToIt, readyRank, ready, now);
    }
  }

  private int count(State state) {
    return (int) processes.values().stream().filter(process -> process.state == state).count();
  }

  /** A process that needs one does not count on a host that may be lost, nor on one that may never be ready. */
  private int underWay(long now) {
    int sure = orders.count(wanting.isEmpty());
    long late = processes.entrySet().stream().filter(each -> !wanting.isEmpty() && isStuck(each, WANTED_NANOS, now)).count();
    return sure - (int) late + processes.size() - count(State.MEMBER) - count(State.COUNTED);
  }

  /** Behind its {@code Mpi.init} the program may take as long as it likes until it is ready. */
  private static boolean isStuck(Map.Entry<WatchedRank, PooledProcess> process, long nanos, long now) {
    return process.getValue().isFor(State.STARTED, nanos, now) && process.getKey().isStarting();
  }

  /**
   * Counts by the connections, and by a process's report of its communicator, which a silent host's processes have left already.
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
      String host =
          hosts.choose(perHost(), PooledProcess.hosts(processes.values()), orders.isHostReturning(), !wanting.isEmpty(), now)
              .orElse(null);
      if (starter == null || host == null) {
        return;
      }
      int number = ++numbers;
      boolean isReturn = host.startsWith(WatchLines.AGAIN);
      String name = isReturn ? host.substring(WatchLines.AGAIN.length()) : host;
      orders.add(number, starter, name, isReturn, now);
      starter.say(WatchLines.START + number + (host.isEmpty() ? "" : " " + host));
    }
  }

  /** The number of processes of each host, those included that are to come. */
  private Map<String, Integer> perHost() {
    Map<String, Integer> count = new HashMap<>();
    processes.values().forEach(process -> count.merge(process.host, 1, Integer::sum));
    orders.countPerHost(count);
    return count;
  }

  /**
   * Any member that lives and has come to the run, where it hears of this: one that needs a process waits for it anyway;
   * otherwise the last to have come, which is likely to be a spare.
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

  private void takeRefusal(String numberAndReason, long now) {
    int blank = numberAndReason.indexOf(' ');
    int number = Integer.parseInt(numberAndReason.substring(0, blank));
    StartOrders.Order order = orders.take(number);
    if (order != null && !order.host.isEmpty()) {
      hosts.refuse(order.host, now);
    } else if (order != null) { // else it has failed already
      countFailure("one could not be started: " + numberAndReason.substring(blank + 1), now);
    }
  }

  private void countFailure(String why, long now) {
    failures += kept == 0 ? 0 : 1; // behind the run they end because they are told to
    if (kept > 0 && failures == FAILED_STARTS) {
      messages.println("jmpirun: spares are not filled up again any more: " + FAILED_STARTS + " times in a row a new process "
          + "was not there in the end, the last time as " + why);
      answerThoseWhoWant(now);
    }
  }

  private void answerThoseWhoWant(long now) {
    if (underWay(now) == 0 && !isUnsettled) {
      wanting.keySet().forEach(rank -> rank.say(WatchLines.NONE));
      wanting.clear();
    }
  }

  /** A connection has ended. */
  void lose(WatchedRank rank, boolean inOrder, long now) {
    PooledProcess gone = processes.remove(rank);
    if (gone == null) {
      return;
    }
    wanting.remove(rank);
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      if (each.getValue().isCalled() && each.getValue().caller == rank) {
        each.getKey().say(WatchLines.GONE + each.getValue().meeting);
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
      // (Those that have recovered may report it before the connection's end is seen here.)
      settleFor(RECOVERY_NANOS, now);
    }
    if (gone.isCalled()) {
      gone.caller.say(WatchLines.GONE + gone.meeting);
    }
    if (gone.state == State.STARTED) {
      countFailure("it has ended before it was ready", now);
    } else {
      boolean isMet = gone.state != State.READY;
      tellOthers(gone, isMet ? WatchLines.DIED + gone.job + " " + rank.launchRank() : WatchLines.FORGET + gone.job);
    }
    look(now);
  }

  /** Its connection is open, where that of a dead process on a host that is there ends at once. */
  private void suspect(String jobAndRank, long now) {
    int blank = jobAndRank.lastIndexOf(' ');
    String job = jobAndRank.substring(0, blank);
    int rank = Integer.parseInt(jobAndRank.substring(blank + 1));
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

  /** For the others they have died, and wait for the reports of that. */
  private void loseSuspects(long now) {
    if (!suspects.isEmpty() && !isUnsettled) {
      suspects.judge().forEach(lost -> lose(lost, false, now));
    }
  }

  /** The runtime itself reports it to the dead process's own job. */
  private void tellOthers(PooledProcess gone, String line) {
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      // One that waits, or is about to, may meet in a moment those who do not know of this death yet.
      if (!each.getValue().job.equals(gone.job)) {
        each.getKey().say(line);
      }
    }
  }

  /** Handles limits. */
  void look(long now) {
    isUnsettled &= now - settledNanos < 0;
    loseSuspects(now);
    fail(orders.takeLate(now), "it was not heard of in time", now);
    for (PooledProcess process : processes.values()) {
      // It was taken in, and the recovery takes long; or it ends itself, which is seen. Its death has to be told: it stays.
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

  /** Whether it is time to {@link #see} which processes are there. */
  boolean isToSee(long now) {
    return orders.isToBeLookedAt(now);
  }

  /** The numbers of those that were started and are there, whether they have come to MPI or not. */
  void see(Set<Integer> started, long now) {
    fail(orders.takeEnded(started, now), "it has ended before it came to MPI", now);
    look(now);
  }

  /** The numbers of those that were started and are to be ended. */
  Set<Integer> takeUnneeded(long now) {
    return orders.takeUnneeded(isAnybodyNeeded(), now);
  }

  /** The time until the next look because of a death, of an end, or of a start, if nothing else happens. */
  long millisToNextLook(long now) {
    long settled = isUnsettled ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(settledNanos - now) + 1) : Long.MAX_VALUE;
    return Math.min(settled, orders.millisToNextLook(isAnybodyNeeded(), now));
  }

  /** Orders that fail together count as one failure: what keeps one process from coming in time keeps the others, too. */
  private void fail(List<StartOrders.Order> orders, String why, long now) {
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
      rank.say(WatchLines.OVER);
    }
  }
}
