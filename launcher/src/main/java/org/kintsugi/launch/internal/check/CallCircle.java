// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.kintsugi.launch.internal.check.CheckedCommunicator.Round;
import org.kintsugi.runtime.internal.protocol.CommMember;

/**
 * Finds a circle of processes that wait for each other on several communicators.
 *
 * <p>Each waits in a call on one communicator for the next process, which waits in a call on
 * another communicator. Each call is right by itself, and none ever ends. Only processes that have
 * reported their ranks ({@link CommMember}) count. Then the circle is certain: only the launcher
 * can end such a wait, or a failure, which the process reports.
 */
final class CallCircle {
  private static final String SENTENCE =
      "These ranks wait for one another. A rank in several communicators must call their collectives in the same order as the "
          + "other ranks; look at the condition that leads to each line.";

  /** By process: the round in which it waits. */
  private final Map<Object, Round> waiting = new LinkedHashMap<>();
  private boolean hasChanged;
  private List<Object> circle = List.of();
  private long foundNanos;

  void waits(Object process, Round in) {
    waiting.put(process, in);
    hasChanged = true;
  }

  void remove(Object process) {
    waiting.remove(process);
    hasChanged = true;
  }

  /**
   * Searches for a circle if anything is new.
   *
   * @return whether there is one
   */
  boolean look(long now) {
    if (hasChanged) {
      hasChanged = false;
      boolean wasNone = circle.isEmpty();
      // Each on its way through one communicator waits for others there who have not come yet.
      boolean areSeveral = waiting.values().stream().map(Round::communicator).distinct().limit(2).count() > 1;
      Map<Round, Collection<Object>> behind = new HashMap<>(); // the same for all who wait in a round
      circle = areSeveral ? WaitCircle.among(List.copyOf(waiting.keySet()),
          process -> behind.computeIfAbsent(waiting.get(process), this::waitedFor)) : List.of();
      foundNanos = wasNone ? now : foundNanos;
    }
    return isFound();
  }

  boolean isFound() {
    return !circle.isEmpty();
  }

  /** The time at which the circle was found. */
  long foundNanos() {
    return foundNanos;
  }

  private Collection<Object> waitedFor(Round round) {
    return round.missing().stream().map(rank -> round.communicator().process(rank)).filter(Objects::nonNull)
        .filter(waiting::containsKey).toList();
  }

  /**
   * The waits of all processes of the circle.
   *
   * <p>Ranks are those in the world from which the communicators were made.
   */
  String table() {
    Set<Round> rounds = circle.stream().map(waiting::get).collect(Collectors.toCollection(LinkedHashSet::new));
    String home = "";
    boolean isAtEnd = false;
    Map<Integer, List<String>> lines = new TreeMap<>(); // by their first rank
    for (Round round : rounds) {
      Map<String, Set<Integer>> places = new LinkedHashMap<>();
      for (Map.Entry<Integer, CheckedCommunicator.Announced> one : round.calls().entrySet()) {
        places.computeIfAbsent(CallPlace.withCommunicator(one.getValue().call()), key -> new TreeSet<>())
            .add(homeRank(round, one.getKey()));
        isAtEnd |= CallDifference.isEnd(one.getValue().call());
        CommMember member = round.communicator().member(one.getKey());
        home = member == null ? home : member.home();
      }
      String missing = RankNumbers.ranks(
          round.missing().stream().map(rank -> homeRank(round, rank)).collect(Collectors.toCollection(TreeSet::new)));
      places.forEach((place, ranks) -> lines.computeIfAbsent(ranks.iterator().next(), key -> new ArrayList<>())
          .add(RankNumbers.ranks(ranks) + ": " + place + (ranks.size() == 1 ? ", waits" : ", wait") + " for " + missing));
    }
    return "ranks of " + home + " wait for one another in different communicators:\n  "
        + lines.values().stream().flatMap(List::stream).collect(Collectors.joining("\n  ")) + "\n  " + SENTENCE
        + (isAtEnd ? CallDifference.AT_THE_END : "");
  }

  private static int homeRank(Round round, int rank) {
    CommMember member = round.communicator().member(rank);
    return member == null ? rank : member.homeRank();
  }
}
