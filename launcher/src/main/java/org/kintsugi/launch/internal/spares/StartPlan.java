// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.kintsugi.launch.internal.spares.PooledProcess.State;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.FromLauncher;

/** How many processes are ordered, on which hosts, by whom and when. */
final class StartPlan {

  /**
   * After this number of consecutive failed starts, no more are made. The program or a host has a
   * fault.
   */
  private static final int FAILED_STARTS = 10;

  private final PendingStarts orders;
  private final SpareHosts hosts = new SpareHosts();
  private final List<Command> out;
  private boolean isUnsettled;
  private long settledNanos;
  private int numbers;
  private int failures;

  /**
   * Nothing is ordered.
   *
   * @param out gets the commands
   */
  StartPlan(boolean isOnOneHost, List<Command> out) {
    orders = new PendingStarts(isOnOneHost);
    this.out = out;
  }

  PendingStarts orders() {
    return orders;
  }

  /** See {@link SpareHosts#areLostForGood}. */
  void hostsAreLostForGood() {
    hosts.areLostForGood();
  }

  boolean areHostsSeveral() {
    return hosts.areSeveral();
  }

  /** A process has connected. */
  void connected(PooledProcess process) {
    orders.take(process.number);
    if (process.number == 0) {
      hosts.add(process.host);
    } else {
      hosts.accept(process.host);
    }
  }

  /** A process is ready: the program and the hosts are well. */
  void succeeds() {
    failures = 0;
  }

  /** A connection has ended, or a process is suspected: starts wait until it is known which host is lost. */
  void settleHosts(long now) {
    settleFor(TimeLimits.nanos(TimeLimits.SETTLE_MILLIS), now);
  }

  /** A member has failed on the only host: starts wait for the recovery. */
  void awaitRecovery(long now) {
    settleFor(TimeLimits.nanos(TimeLimits.RECOVERY_DELAY_MILLIS), now);
  }

  /** All have recovered: starts wait a moment. */
  void awaitRestore(long now) {
    if (!hosts.areSeveral()) {
      settleFor(TimeLimits.nanos(TimeLimits.GOING_ON_MILLIS), now);
    }
  }

  /** A process needs another one now. */
  void hurry() {
    isUnsettled &= hosts.areSeveral();
  }

  private void settleFor(long nanos, long now) {
    isUnsettled = true;
    settledNanos = now + nanos;
  }

  /** Notes whether the delay is over. */
  void settle(long now) {
    isUnsettled &= now - settledNanos < 0;
  }

  /** Whether starts wait. */
  boolean isUnsettled() {
    return isUnsettled;
  }

  /** Orders missing processes. */
  void order(int missing, Collection<PooledProcess> processes, PooledProcess needing, long now) {
    if (failures >= FAILED_STARTS) {
      return;
    }
    for (int i = 0; i < missing; i++) {
      PooledProcess starter = needing == null ? starter(processes) : needing;
      SpareHosts.Choice choice =
          hosts.choose(perHost(processes), PooledProcess.hosts(processes), orders.isHostReturning(), needing != null, now)
              .orElse(null);
      if (starter == null || choice == null) {
        return;
      }
      int number = ++numbers;
      orders.add(number, starter, choice.host(), choice.isReturn(), now);
      out.add(new Command.Say(starter, new FromLauncher.Start(number, choice.host(), choice.isReturn())));
    }
  }

  /** The number of processes of each host, including those that are being started. */
  private Map<String, Integer> perHost(Collection<PooledProcess> processes) {
    Map<String, Integer> count = new HashMap<>();
    processes.forEach(process -> count.merge(process.host, 1, Integer::sum));
    orders.countPerHost(count);
    return count;
  }

  /**
   * Chooses the process that starts a new one, where none needs it now. (One that needs it waits for it anyway, and is chosen.)
   *
   * <p>It must be in the run, because only there it reads the order. The last process to come is likely to be a spare.
   */
  private static PooledProcess starter(Collection<PooledProcess> processes) {
    PooledProcess last = null;
    for (PooledProcess each : processes) {
      boolean isMember = each.state == State.MEMBER && each.isInRun;
      boolean isBetter = last == null || !each.isSilent;
      last = isMember && isBetter ? each : last;
    }
    return last;
  }

  /** A process cannot be started; returns whether that counts as a failure. */
  boolean refuse(int number, long now) {
    PendingStarts.Order order = orders.take(number);
    if (order != null && !order.host.isEmpty()) {
      hosts.refuse(order.host, now);
    }
    return order != null && order.host.isEmpty(); // null: it has failed already
  }

  /** Ends the orders that were not met in time; returns whether that counts as a failure. */
  boolean failLate(long now) {
    return fail(orders.takeLate(now), now);
  }

  /** Ends the orders whose processes have ended; returns whether that counts as a failure. */
  boolean failEnded(Set<Integer> started, long now) {
    return fail(orders.takeEnded(started, now), now);
  }

  /** Orders that fail together count as one failure, because they have one cause. */
  private boolean fail(List<PendingStarts.Order> failed, long now) {
    failed.stream().filter(order -> order.isReturn).forEach(order -> hosts.refuse(order.host, now));
    return failed.stream().anyMatch(order -> !order.isReturn);
  }

  /** Counts a failed start; returns whether no more are made from now on. */
  boolean countFailure(String why) {
    failures++;
    if (failures == FAILED_STARTS) {
      out.add(new Command.Print("spares are not filled up again any more: " + FAILED_STARTS + " times in a row a new process "
          + "was not there in the end, the last time as " + why));
    }
    return failures == FAILED_STARTS;
  }

  /** The time until the end of the delay. */
  long millisToSettled(long now) {
    return isUnsettled ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(settledNanos - now) + 1) : Long.MAX_VALUE;
  }
}
