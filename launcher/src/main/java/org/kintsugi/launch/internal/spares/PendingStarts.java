// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.kintsugi.runtime.internal.TimeLimits;

/**
 * The processes that {@link StartPlan} has ordered, by their numbers, until they begin MPI.
 *
 * <p>The pool counts on a process while it has an order. An order ends when the process connects or
 * is refused, when its starter dies, or after a time limit; and, where all processes are on one
 * host and can be seen, when the process has ended there.
 *
 * <p>A process without an order may still connect: the program may wait for something before MPI,
 * without a limit. When the others have ended, no process needs it any more, but mpirun waits for
 * it. mpirun also waits for a process that has connected, was not needed, and is stopped.
 */
final class PendingStarts {

  /** An order for a process on a host. A process of the job has to start it. */
  static final class Order {
    private final PooledProcess starter;
    final String host;
    /** Whether the host had no process. */
    final boolean isReturn;
    private final long sinceNanos;
    private boolean wasSeen;

    private Order(PooledProcess starter, String host, boolean isReturn, long now) {
      this.starter = starter;
      this.host = host;
      this.isReturn = isReturn;
      sinceNanos = now;
    }

    private long limitNanos() {
      return isReturn ? TimeLimits.nanos(TimeLimits.RETURN_MILLIS) : wasSeen
          ? TimeLimits.nanos(TimeLimits.SLOW_MILLIS) : TimeLimits.nanos(TimeLimits.START_MILLIS);
    }

    private boolean hadToBeSeen(long now) {
      return wasSeen || now - sinceNanos > TimeLimits.nanos(TimeLimits.SEEN_MILLIS);
    }
  }

  private final boolean isOnOneHost;
  private final Map<Integer, Order> orders = new LinkedHashMap<>();
  /** The processes to end when no other one is needed any more. */
  private final Set<Integer> toEnd = new HashSet<>();
  private long lookedNanos;
  private long nobodySince;

  /** Begins without orders. */
  PendingStarts(boolean isOnOneHost) {
    this.isOnOneHost = isOnOneHost;
  }

  void add(int number, PooledProcess starter, String host, boolean isReturn, long now) {
    lookedNanos = orders.isEmpty() ? now : lookedNanos;
    orders.put(number, new Order(starter, host, isReturn, now));
    toEnd.add(number);
  }

  /** Removes an order whose process has connected or was refused; null: there is none. */
  Order take(int number) {
    toEnd.remove(number);
    return orders.remove(number);
  }

  /** Adds a process that has connected and must end. It may be stopped, and not read that. */
  void addUnneeded(int number) {
    toEnd.add(number);
  }

  /**
   * Removes the orders of a failed process.
   *
   * <p>If it has started some of them before, there are more processes than were ordered.
   */
  void takeThoseOf(PooledProcess starter) {
    orders.values().removeIf(order -> order.starter == starter);
  }

  List<Order> takeLate(long now) {
    List<Order> late = orders.values().stream()
        .filter(order -> now - order.sinceNanos > order.limitNanos()).toList();
    orders.values().removeAll(late);
    return late;
  }

  /** Whether it is time to look at the running processes. */
  boolean isToBeLookedAt(long now) {
    return isOnOneHost && !orders.isEmpty() && now - lookedNanos > TimeLimits.nanos(TimeLimits.SEEN_LOOK_MILLIS);
  }

  /** Removes the orders whose process has ended, or has not appeared in time. */
  List<Order> takeEnded(Set<Integer> there, long now) {
    lookedNanos = now;
    List<Order> ended = orders.entrySet().stream()
        .filter(each -> !there.contains(each.getKey()) && each.getValue().hadToBeSeen(now)).map(Map.Entry::getValue).toList();
    orders.values().removeAll(ended);
    orders.forEach((number, order) -> order.wasSeen |= there.contains(number));
    return ended;
  }

  /** The number of orders, with or without those for hosts that had no process. */
  int count(boolean withReturns) {
    return (int) orders.values().stream().filter(order -> withReturns || !order.isReturn).count();
  }

  boolean isHostReturning() {
    return orders.values().stream().anyMatch(order -> order.isReturn);
  }

  void countPerHost(Map<String, Integer> count) {
    orders.values().forEach(order -> count.merge(order.host, 1, Integer::sum));
  }

  /** The processes that must be ended. Call this from the beginning of the job on. */
  Set<Integer> takeUnneeded(boolean isAnybodyNeeded, long now) {
    if (isAnybodyNeeded || toEnd.isEmpty()) {
      nobodySince = now;
    }
    Set<Integer> unneeded =
        now - nobodySince > TimeLimits.nanos(TimeLimits.UNNEEDED_MILLIS) ? Set.copyOf(toEnd) : Set.of();
    toEnd.removeAll(unneeded);
    return unneeded;
  }

  /** The time until the next look at processes. */
  long millisToNextLook(boolean isAnybodyNeeded, long now) {
    long look = isOnOneHost && !orders.isEmpty()
        ? millisTo(lookedNanos + TimeLimits.nanos(TimeLimits.SEEN_LOOK_MILLIS), now) : Long.MAX_VALUE;
    long end = isAnybodyNeeded || toEnd.isEmpty() ? Long.MAX_VALUE
        : millisTo(nobodySince + TimeLimits.nanos(TimeLimits.UNNEEDED_MILLIS), now);
    return Math.min(look, end);
  }

  private static long millisTo(long nanos, long now) {
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos - now) + 1);
  }
}
