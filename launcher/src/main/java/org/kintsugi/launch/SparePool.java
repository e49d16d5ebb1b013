// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.kintsugi.runtime.internal.WatchLines;

/**
 * Keeps the number of a job's processes: has one of them start another for each that has died, and brings those together that
 * wait and that want one. It knows who is alive by the connections to {@link StallWatch}, whose thread calls all of this. So it
 * does not matter which process has asked for one or has started one, and whether that is still there.
 *
 * <p>A process that was started begins MPI alone, waits ({@link WatchLines#READY}), is called, and is taken in by the others, or
 * ends itself. Its end is then a death like any other.
 */
final class SparePool {
  /** From the order to the first word of the process: the start of a JVM and of MPI on a busy host. */
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** The same on a host that may have been lost: mpirun starts a daemon there first, and gives that up after 15 s. */
  private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(40);

  /**
   * From there to its word that it is ready. A process that connects to PRRTE while others die may not be answered for good. The
   * shorter time is for when one is waited for.
   */
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long WANTED_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** From the call to the word that it has been taken in: limits of its own and of the others' are shorter. */
  private static final long CALL_NANOS = TimeUnit.SECONDS.toNanos(20);

  /**
   * After a death, where there are several hosts: a host is lost process by process, and mpirun may learn of it later than this
   * class. What it starts just then goes to the lost host.
   */
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Who has kept a question waiting for longer is not asked to start another one, if there is somebody else. */
  private static final long SILENT_MILLIS = 3000;

  /** So long nobody else is there before one that waits is told that nobody will call it. */
  private static final long ALONE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** So many may die one after the other before they wait: then something is wrong with them. */
  private static final int FAILED_STARTS = 10;

  /** Who still wants one asks again twice a second. */
  private static final long WANT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final String THIS_HOST = "";

  private static final int NOT_TOLD = Integer.MAX_VALUE;

  /** What a process is to the job. */
  private enum State {
    /** One of those that make up the run, a spare perhaps. */
    MEMBER,
    /** Started, and not ready yet. */
    STARTED, READY, CALLED,
    /** Called, and the one that wanted it wants one again: it is among those that the caller counts, or is lost. */
    COUNTED
  }

  /** A connected process. */
  private static final class PooledProcess {
    private final String job;
    private final String host;
    private State state;
    private long sinceNanos;
    private String meeting; // its name
    private WatchedRank caller;

    PooledProcess(String job, String host, State state, long now) {
      this.job = job;
      this.host = host;
      this.state = state;
      sinceNanos = now;
    }

    boolean isFor(State one, long nanos, long now) {
      return state == one && now - sinceNanos > nanos;
    }
  }

  /** One that is to be started, and has not been heard of. */
  private record Order(WatchedRank starter, String host, boolean isReturn, long untilNanos) {}

  /** That a process wants one, when so many are left by its count. */
  private record Want(int left, long sinceNanos) {}

  private final String key;
  private final boolean isOnOneHost;
  private final PrintStream messages;
  private final Map<WatchedRank, PooledProcess> processes = new LinkedHashMap<>();
  private final Map<Integer, Order> orders = new LinkedHashMap<>();
  private final Set<WatchedRank> suspects = new HashSet<>();
  private final Map<WatchedRank, Want> wanting = new LinkedHashMap<>();
  private final SpareHosts hosts = new SpareHosts();
  private int kept;
  private int left = NOT_TOLD;
  private boolean isUnsettled;
  private long deathNanos;
  private boolean haveAllCome;
  private boolean hasSomebodyLeft;
  private int numbers;
  private int meetings;
  private int failures;
  private long aloneSince;

  /**
   * A pool that nobody has asked for yet.
   *
   * @param key of the job
   * @param isOnOneHost whether mpirun knows of one host only, whatever names processes have for theirs (in containers, say)
   * @param messages to the user
   */
  SparePool(String key, boolean isOnOneHost, PrintStream messages) {
    this.key = key;
    this.isOnOneHost = isOnOneHost;
    this.messages = messages;
  }

  /** A process has connected. Whatever it was started for: number 0 is one that mpirun has started. */
  void greet(WatchedRank rank, String job, String hostName, int number, long now) {
    String host = isOnOneHost ? THIS_HOST : hostName;
    orders.remove(number);
    if (number == 0) {
      hosts.add(host);
    } else {
      hosts.accept(host);
    }
    processes.put(rank, new PooledProcess(job, host, number == 0 ? State.MEMBER : State.STARTED, now));
    if (number > 0 && kept == 0) {
      rank.say(WatchLines.OVER);
    }
    haveAllCome |= kept > 0 && count(State.MEMBER) >= kept;
  }

  /** Whether a line was meant for the pool. */
  boolean hear(WatchedRank rank, String line, long now) {
    PooledProcess process = processes.get(rank);
    if (process == null) {
      return false;
    }
    if (line.startsWith(WatchLines.KEEP)) {
      keep(Integer.parseInt(line.substring(WatchLines.KEEP.length())));
    } else if (line.equals(WatchLines.READY)) {
      process.state = State.READY;
      failures = 0;
      callTo(rank, process, now);
    } else if (line.startsWith(WatchLines.LIVING)) {
      left = Integer.parseInt(line.substring(WatchLines.LIVING.length()));
    } else if (line.startsWith(WatchLines.NEED)) {
      need(rank, Integer.parseInt(line.substring(WatchLines.NEED.length())), now);
    } else if (line.equals(WatchLines.JOINED)) {
      left += process.state == State.CALLED && left != NOT_TOLD ? 1 : 0;
      process.state = State.MEMBER;
    } else if (line.startsWith(WatchLines.DEAD)) {
      suspect(line.substring(WatchLines.DEAD.length()), now);
    } else if (line.startsWith(WatchLines.UNABLE)) {
      isUnable(line.substring(WatchLines.UNABLE.length()), now);
    } else {
      return false;
    }
    look(now);
    return true;
  }

  private void keep(int wanted) {
    kept = wanted;
    haveAllCome |= kept > 0 && count(State.MEMBER) >= kept;
    if (kept == 0) {
      wanting.clear();
      tellThatItIsOver();
    }
  }

  private void callTo(WatchedRank rank, PooledProcess process, long now) {
    if (kept == 0) {
      rank.say(WatchLines.OVER);
    } else if (!wanting.isEmpty()) {
      WatchedRank first = wanting.keySet().iterator().next();
      wanting.remove(first);
      call(first, rank, process, now);
    }
  }

  private void call(WatchedRank caller, WatchedRank called, PooledProcess process, long now) {
    process.state = State.CALLED;
    process.sinceNanos = now;
    process.caller = caller;
    process.meeting = "kintsugi-" + key + "-" + ++meetings;
    called.say(WatchLines.COME + process.meeting);
    caller.say(WatchLines.CALLED + process.meeting);
  }

  /** The members that are left are those of a communicator, and its lowest asks: deaths may not be known here yet. */
  private void need(WatchedRank asker, int leftToIt, long now) {
    wanting.remove(asker);
    PooledProcess ready = null;
    WatchedRank readyRank = null;
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      PooledProcess process = each.getValue();
      if ((process.state == State.CALLED || process.state == State.COUNTED) && process.caller == asker) {
        // None of them has joined before the whole recovery is over, which has just gone on.
        process.state = State.COUNTED;
        process.sinceNanos = now;
      } else if (process.state == State.READY && ready == null) {
        ready = process;
        readyRank = each.getKey();
      }
    }
    if (ready == null) {
      wanting.put(asker, new Want(leftToIt, now));
    } else {
      call(asker, readyRank, ready, now);
    }
  }

  private int count(State state) {
    int count = 0;
    for (PooledProcess process : processes.values()) {
      count += process.state == state ? 1 : 0;
    }
    return count;
  }

  /** Who needs one does not count on a host that may be lost. */
  private int underWay() {
    long sure = orders.values().stream().filter(order -> wanting.isEmpty() || !order.isReturn).count();
    return (int) sure + processes.size() - count(State.MEMBER) - count(State.COUNTED);
  }

  /** By the connections, and by what a process has told of its communicator: there a silent host's processes are gone already. */
  private void orderMissing(long now) {
    int known = haveAllCome ? count(State.MEMBER) + count(State.COUNTED) : NOT_TOLD;
    for (Want want : wanting.values()) {
      known = Math.min(known, want.left);
    }
    known = Math.min(known, left);
    if (!isUnsettled && kept > 0 && known != NOT_TOLD) {
      order(kept - known - underWay(), now);
      left = NOT_TOLD;
    }
  }

  private void order(int missing, long now) {
    if (failures >= FAILED_STARTS) {
      return;
    }
    for (int i = 0; i < missing; i++) {
      WatchedRank starter = starter(now);
      String host = hosts.choose(perHost(), liveHosts(), isHostReturning(), !wanting.isEmpty(), now).orElse(null);
      if (starter == null || host == null) {
        return;
      }
      int number = ++numbers;
      boolean isReturn = host.startsWith(WatchLines.AGAIN);
      String name = isReturn ? host.substring(WatchLines.AGAIN.length()) : host;
      orders.put(number, new Order(starter, name, isReturn, now + (isReturn ? RETURN_NANOS : START_NANOS)));
      starter.say(WatchLines.START + number + (host.isEmpty() ? "" : " " + host));
    }
  }

  /** mpirun waits for one at a time, and refuses a second one. */
  private boolean isHostReturning() {
    return orders.values().stream().anyMatch(order -> order.isReturn);
  }

  /** How many processes each host has, those included that are to come. */
  private Map<String, Integer> perHost() {
    Map<String, Integer> count = new HashMap<>();
    processes.values().forEach(process -> count.merge(process.host, 1, Integer::sum));
    orders.values().forEach(order -> count.merge(order.host, 1, Integer::sum));
    return count;
  }

  /** Those on which there is a process. */
  private Set<String> liveHosts() {
    Set<String> all = new HashSet<>();
    processes.values().forEach(process -> all.add(process.host));
    return all;
  }

  /** Any member that lives: one that wants one waits for it anyway; else the last to have come, which is likely to be a spare. */
  private WatchedRank starter(long now) {
    if (!wanting.isEmpty()) {
      return wanting.keySet().iterator().next();
    }
    WatchedRank last = null;
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      boolean isMember = each.getValue().state == State.MEMBER;
      boolean isBetter = last == null || each.getKey().silentMillis(now) < SILENT_MILLIS;
      last = isMember && isBetter ? each.getKey() : last;
    }
    return last;
  }

  private void isUnable(String numberAndReason, long now) {
    int blank = numberAndReason.indexOf(' ');
    Order order = orders.remove(Integer.parseInt(numberAndReason.substring(0, blank)));
    if (order != null && !order.host.isEmpty()) {
      hosts.refuse(order.host, now);
    } else {
      hasFailed("one could not be started: " + numberAndReason.substring(blank + 1));
    }
  }

  private void hasFailed(String why) {
    failures++;
    if (failures == FAILED_STARTS) {
      messages.println("jmpirun: spares are not filled up again any more, " + FAILED_STARTS + " times in a row " + why);
      answerThoseWhoWant();
    }
  }

  private void answerThoseWhoWant() {
    if (underWay() == 0 && !isUnsettled) {
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
      boolean isCalled = each.getValue().state == State.CALLED || each.getValue().state == State.COUNTED;
      if (isCalled && each.getValue().caller == rank) {
        each.getKey().say(WatchLines.GONE + each.getValue().meeting);
      }
    }
    if (inOrder && gone.state == State.MEMBER) {
      hasSomebodyLeft = true;
      return;
    }
    // If it has still started one, that is one spare more.
    orders.values().removeIf(order -> order.starter == rank);
    isUnsettled = hosts.areSeveral();
    deathNanos = now;
    switch (gone.state) {
      case STARTED -> hasFailed("it has ended before it was ready");
      case CALLED, COUNTED -> {
        gone.caller.say(WatchLines.GONE + gone.meeting);
        tellDeath(gone, rank);
      }
      case MEMBER -> tellDeath(gone, rank);
      default -> {
        // Nobody knows of it.
      }
    }
    look(now);
  }

  /** Said to be dead, and still connected: perhaps that is about to end, perhaps its host is silent. */
  private void suspect(String jobAndRank, long now) {
    int blank = jobAndRank.lastIndexOf(' ');
    String job = jobAndRank.substring(0, blank);
    int rank = Integer.parseInt(jobAndRank.substring(blank + 1));
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      boolean isMeant = each.getValue().job.equals(job) && each.getKey().launchRank() == rank;
      if (isMeant && hosts.areSeveral() && suspects.add(each.getKey())) {
        isUnsettled = true;
        deathNanos = now;
      }
    }
  }

  /** All that were on silent hosts have died to the others, who wait for what is told of them. */
  private void loseSilentHosts(long now) {
    if (suspects.isEmpty() || isUnsettled) {
      return;
    }
    Set<String> silent = new HashSet<>();
    suspects.stream().map(processes::get).filter(Objects::nonNull).forEach(process -> silent.add(process.host));
    suspects.clear();
    for (Map.Entry<WatchedRank, PooledProcess> each : List.copyOf(processes.entrySet())) {
      if (silent.contains(each.getValue().host)) {
        lose(each.getKey(), false, now);
      }
    }
  }

  /** The runtime tells those of the dead one's job. */
  private void tellDeath(PooledProcess gone, WatchedRank dead) {
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      State state = each.getValue().state;
      if ((state == State.MEMBER || state == State.CALLED || state == State.COUNTED) && !each.getValue().job.equals(gone.job)) {
        each.getKey().say(WatchLines.DIED + gone.job + " " + dead.launchRank());
      }
    }
  }

  /** What time brings. */
  void look(long now) {
    isUnsettled &= now - deathNanos < SETTLE_NANOS;
    loseSilentHosts(now);
    endLateOrders(now);
    processes.values().removeIf(process -> process.isFor(State.CALLED, CALL_NANOS, now)
        || process.isFor(State.COUNTED, CALL_NANOS, now));
    endStuck(now);
    wanting.values().removeIf(want -> now - want.sinceNanos > WANT_NANOS);
    orderMissing(now);
    answerThoseWhoWant();
    if (count(State.MEMBER) > 0 || processes.isEmpty()) {
      aloneSince = now;
    } else if (hasSomebodyLeft || now - aloneSince > ALONE_NANOS) {
      tellThatItIsOver();
    }
  }

  /** When to look again because of a death, if nothing else happens. */
  long millisToNextLook(long now) {
    return isUnsettled ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(SETTLE_NANOS - (now - deathNanos)) + 1) : Long.MAX_VALUE;
  }

  private void endLateOrders(long now) {
    for (Map.Entry<Integer, Order> each : List.copyOf(orders.entrySet())) {
      if (now - each.getValue().untilNanos > 0) {
        orders.remove(each.getKey());
        if (each.getValue().isReturn) {
          hosts.refuse(each.getValue().host, now);
        } else {
          hasFailed("it was not heard of in time");
        }
      }
    }
  }

  private void endStuck(long now) {
    long limit = wanting.isEmpty() ? READY_NANOS : WANTED_NANOS;
    for (Map.Entry<WatchedRank, PooledProcess> each : List.copyOf(processes.entrySet())) {
      if (each.getValue().isFor(State.STARTED, limit, now)) {
        each.getKey().say(WatchLines.OVER);
        processes.remove(each.getKey());
        hasFailed("it did not become ready in time");
      }
    }
  }

  private void tellThatItIsOver() {
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      if (each.getValue().state == State.READY || each.getValue().state == State.STARTED) {
        each.getKey().say(WatchLines.OVER);
      }
    }
  }
}
