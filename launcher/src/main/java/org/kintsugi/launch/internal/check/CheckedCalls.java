// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.check;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.kintsugi.launch.internal.check.CheckedCommunicator.Announced;
import org.kintsugi.launch.internal.check.CheckedCommunicator.Round;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.CollectiveCall;
import org.kintsugi.runtime.internal.protocol.CommMember;

/**
 * Compares the collectives that the processes of each communicator are about to call ({@code jmpirun --check}).
 *
 * <p>The calls of one process on one communicator come in the order in which it makes them: its n-th call is compared with the
 * n-th of each other. Those that are the same may be made when all have come. A failure ends the comparison on all present
 * communicators, as not all ranks come any more; communicators made after a recovery have other names.
 */
public final class CheckedCalls {

  private static final int NOT_KNOWN = 0;
  private static final String SENTENCE = "\n  ";

  private final Map<String, CheckedCommunicator> communicators = new HashMap<>();
  private final CallCircle circle = new CallCircle();
  private Round difference; // null: none
  private String reason;
  private long foundNanos;

  /**
   * A process is about to call a collective.
   *
   * @param number to be handed to {@code release} when it may; 0: it does not wait
   * @param process the same object for all calls of one process
   * @param now as {@code System.nanoTime} has it
   */
  public void hear(CollectiveCall call, long number, LongConsumer release, Object process, long now) {
    Announced announced = new Announced(call, number, release, process);
    CheckedCommunicator comm = communicator(call.comm(), call.size());
    if (comm.isAbandoned()) {
      release(announced);
      return;
    }
    Round round = comm.next(call.rank());
    for (Announced other : round.calls().values()) {
      String found = difference == null ? CallDifference.between(other.call(), call) : null;
      if (found != null) {
        difference = round;
        reason = found;
        foundNanos = now;
      }
    }
    round.add(announced);
    if (announced.waits()) {
      circle.waits(process, round);
    }
    if (round.isComplete() && round != difference) {
      comm.end(round);
      round.calls().values().forEach(this::release);
    }
  }

  /** A process has a rank in a communicator, and makes no call on another one while it waits in this. */
  public void addMember(CommMember member, Object process) {
    communicator(member.comm(), member.size()).addMember(member, process);
  }

  /** One of the same name and of another size is a later one. (It has no size where it failed before its first call.) */
  private CheckedCommunicator communicator(String name, int size) {
    return communicators.merge(name, new CheckedCommunicator(size),
        (known, made) -> known.size() == made.size() || known.size() == NOT_KNOWN ? known : made);
  }

  private void release(Announced announced) {
    if (announced.waits()) {
      circle.remove(announced.process());
      announced.release().accept(announced.number());
    }
  }

  /**
   * A process has failed: on its communicators no call will have all ranks any more.
   *
   * @return the calls of all ranks, where a difference was there before the failure; null: none was
   */
  public String processFailed(long now) {
    if (difference != null && now - foundNanos >= TimeLimits.nanos(TimeLimits.CHECK_GRACE_MILLIS)) {
      return table();
    }
    communicators.values().forEach(comm -> comm.abandon().forEach(this::release));
    difference = null;
    return null;
  }

  /** Ends the comparison on a communicator with a known failure, or that was revoked. */
  public void abandon(String name) {
    CheckedCommunicator comm = communicators.computeIfAbsent(name, key -> new CheckedCommunicator(NOT_KNOWN));
    comm.abandon().forEach(this::release);
    if (difference != null && difference.communicator() == comm) {
      difference = null;
    }
  }

  /** Whether a difference or a circle has been found whose verdict is to come. */
  public boolean isDifferent() {
    return difference != null || circle.isFound();
  }

  /** The calls of all ranks if a difference is certain by now; otherwise null. */
  public String verdict(long now) {
    if (difference != null) {
      return now - foundNanos < (difference.isComplete() ? TimeLimits.nanos(TimeLimits.CHECK_GRACE_MILLIS)
          : TimeLimits.nanos(TimeLimits.CHECK_MISSING_MILLIS)) ? null : table();
    }
    return circle.look(now) && now - circle.foundNanos() >= TimeLimits.nanos(TimeLimits.CHECK_GRACE_MILLIS)
        ? circle.table() : null;
  }

  private String table() {
    Map<String, Set<Integer>> places = new LinkedHashMap<>();
    difference.calls()
        .forEach((rank, announced) -> places.computeIfAbsent(CallPlace.of(announced.call()), key -> new TreeSet<>()).add(rank));
    CollectiveCall any = difference.calls().values().iterator().next().call();
    StringBuilder text = new StringBuilder("the ranks of ").append(any.name()).append(" do not call the same (call ")
        .append(difference.number()).append(" on it):");
    places.forEach((place, ranks) -> text.append(SENTENCE).append(RankNumbers.ranks(ranks)).append(": ").append(place));
    Set<Integer> missing = difference.missing();
    if (!missing.isEmpty()) {
      text.append(SENTENCE).append(RankNumbers.ranks(missing)).append(missing.size() == 1 ? ": has" : ": have")
          .append(" not come to it yet");
    }
    return text.append(SENTENCE).append(reason).toString();
  }
}
