// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** The same where the one that had to start it has died: whether it still did so is not known. */
  private static final long ORPHAN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * From there to its word that it is ready. A process that connects to PRRTE while others die may not be answered for good. The
   * shorter time is for when one is waited for.
   */
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long WANTED_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** From the call to the word that it has been taken in: limits of its own and of the others' are shorter. */
  private static final long CALL_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** So long nobody else is there before one that waits is told that nobody will call it. */
  private static final long ALONE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** So many may die one after the other before they wait: then something is wrong with them. */
  private static final int FAILED_STARTS = 4;

  /** What a process is to the job. */
  private enum State {
    /** One of those that make up the run, a spare perhaps. */
    MEMBER,
    /** Started, and not ready yet. */
    STARTED, READY, CALLED
  }

  /** A connected process. */
  private static final class PooledProcess {
    private final String job;
    private State state;
    private long sinceNanos;
    private String meeting; // its name
    private WatchedRank caller;

    PooledProcess(String job, State state, long now) {
      this.job = job;
      this.state = state;
      sinceNanos = now;
    }

    boolean isFor(State one, long nanos, long now) {
      return state == one && now - sinceNanos > nanos;
    }
  }

  /** One that is to be started, and has not been heard of. */
  private static final class Order {
    private final WatchedRank starter;
    private long untilNanos;

    Order(WatchedRank starter, long untilNanos) {
      this.starter = starter;
      this.untilNanos = untilNanos;
    }
  }

  private final String key;
  private final PrintStream messages;
  private final Map<WatchedRank, PooledProcess> processes = new LinkedHashMap<>();
  private final Map<Integer, Order> orders = new LinkedHashMap<>();
  private final Deque<WatchedRank> wanting = new ArrayDeque<>();
  private int kept;
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
   * @param messages to the user
   */
  SparePool(String key, PrintStream messages) {
    this.key = key;
    this.messages = messages;
  }

  /** A process has connected. Whatever it was started for: number 0 is one that mpirun has started. */
  void greet(WatchedRank rank, String job, int number, long now) {
    orders.remove(number);
    processes.put(rank, new PooledProcess(job, number == 0 ? State.MEMBER : State.STARTED, now));
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
    } else if (line.startsWith(WatchLines.NEED)) {
      need(rank, Integer.parseInt(line.substring(WatchLines.NEED.length())), now);
    } else if (line.equals(WatchLines.JOINED)) {
      process.state = State.MEMBER;
    } else if (line.startsWith(WatchLines.UNABLE)) {
      isUnable(line.substring(WatchLines.UNABLE.length()));
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
      call(wanting.poll(), rank, process, now);
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
  private void need(WatchedRank asker, int left, long now) {
    wanting.remove(asker);
    order(kept - left - underWay(), now);
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      if (each.getValue().state == State.READY) {
        call(asker, each.getKey(), each.getValue(), now);
        return;
      }
    }
    if (underWay() == 0) {
      asker.say(WatchLines.NONE);
    } else {
      wanting.add(asker);
    }
  }

  private int count(State state) {
    int count = 0;
    for (PooledProcess process : processes.values()) {
      count += process.state == state ? 1 : 0;
    }
    return count;
  }

  private int underWay() {
    return orders.size() + processes.size() - count(State.MEMBER);
  }

  private void order(int missing, long now) {
    if (failures >= FAILED_STARTS) {
      return;
    }
    for (int i = 0; i < missing; i++) {
      WatchedRank starter = starter();
      if (starter == null) {
        return;
      }
      int number = ++numbers;
      orders.put(number, new Order(starter, now + START_NANOS));
      starter.say(WatchLines.START + number);
    }
  }

  /** Any member. The last one to have come is likely to be a spare. */
  private WatchedRank starter() {
    WatchedRank last = null;
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      last = each.getValue().state == State.MEMBER ? each.getKey() : last;
    }
    return last;
  }

  private void isUnable(String numberAndReason) {
    int blank = numberAndReason.indexOf(' ');
    orders.remove(Integer.parseInt(numberAndReason.substring(0, blank)));
    hasFailed("one could not be started: " + numberAndReason.substring(blank + 1));
  }

  private void hasFailed(String why) {
    failures++;
    if (failures == FAILED_STARTS) {
      messages.println("jmpirun: spares are not filled up again any more, " + FAILED_STARTS + " times in a row " + why);
      answerThoseWhoWant();
    }
  }

  private void answerThoseWhoWant() {
    if (underWay() == 0) {
      wanting.forEach(rank -> rank.say(WatchLines.NONE));
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
      if (each.getValue().state == State.CALLED && each.getValue().caller == rank) {
        each.getKey().say(WatchLines.GONE + each.getValue().meeting);
      }
    }
    if (inOrder) {
      hasSomebodyLeft = true;
      return;
    }
    for (Order order : orders.values()) {
      if (order.starter == rank) {
        order.untilNanos = Math.min(order.untilNanos, now + ORPHAN_NANOS);
      }
    }
    switch (gone.state) {
      case STARTED -> hasFailed("it has died before it was ready");
      case CALLED -> {
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

  /** The runtime tells those of the dead one's job. */
  private void tellDeath(PooledProcess gone, WatchedRank dead) {
    for (Map.Entry<WatchedRank, PooledProcess> each : processes.entrySet()) {
      State state = each.getValue().state;
      if ((state == State.MEMBER || state == State.CALLED) && !each.getValue().job.equals(gone.job)) {
        each.getKey().say(WatchLines.DIED + gone.job + " " + dead.launchRank());
      }
    }
  }

  /** What time brings. */
  void look(long now) {
    orders.values().removeIf(order -> now - order.untilNanos > 0);
    processes.values().removeIf(process -> process.isFor(State.CALLED, CALL_NANOS, now));
    endStuck(now);
    if (kept > 0 && haveAllCome) {
      order(kept - count(State.MEMBER) - underWay(), now);
    }
    answerThoseWhoWant();
    if (count(State.MEMBER) > 0 || processes.isEmpty()) {
      aloneSince = now;
    } else if (hasSomebodyLeft || now - aloneSince > ALONE_NANOS) {
      tellThatItIsOver();
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
