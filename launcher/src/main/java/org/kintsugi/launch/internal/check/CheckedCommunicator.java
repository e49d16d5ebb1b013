// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.kintsugi.runtime.internal.protocol.CollectiveCall;
import org.kintsugi.runtime.internal.protocol.CommMember;

/** A communicator under {@code jmpirun --check}: its members, and the calls that not all of them have reported yet. */
final class CheckedCommunicator {
  /** A call of a process, and the function that gets its number when it may be made; number 0: it does not wait for that. */
  record Announced(CollectiveCall call, long number, LongConsumer release, Object process) {
    boolean waits() {
      return number != 0;
    }
  }

  /** The n-th call of each process on the communicator. */
  final class Round {
    private final long number;
    private final Map<Integer, Announced> calls = new TreeMap<>();

    private Round(long number) {
      this.number = number;
    }

    /** From 1 on. */
    long number() {
      return number;
    }

    /** By rank. */
    Map<Integer, Announced> calls() {
      return calls;
    }

    void add(Announced announced) {
      calls.put(announced.call.rank(), announced);
    }

    CheckedCommunicator communicator() {
      return CheckedCommunicator.this;
    }

    /** The ranks that have not reported this call yet. */
    Set<Integer> missing() {
      Set<Integer> ranks = new TreeSet<>(IntStream.range(0, size).boxed().toList());
      ranks.removeAll(calls.keySet());
      return ranks;
    }

    boolean isComplete() {
      return calls.size() == size;
    }
  }

  private final int size;
  private final Map<Integer, CommMember> members = new HashMap<>();
  private final Map<Integer, Object> processes = new HashMap<>();
  /** By rank: the number of reported calls. */
  private final Map<Integer, Long> counts = new HashMap<>();
  private final List<Round> rounds = new ArrayList<>();
  private long completeRounds;
  private boolean isAbandoned;

  CheckedCommunicator(int size) {
    this.size = size;
  }

  int size() {
    return size;
  }

  /** Adds a process that has reported its rank. */
  void addMember(CommMember member, Object process) {
    members.put(member.rank(), member);
    processes.put(member.rank(), process);
  }

  /** The process with a rank; null: not reported. */
  Object process(int rank) {
    return processes.get(rank);
  }

  /** The report of the process with a rank; null: none. */
  CommMember member(int rank) {
    return members.get(rank);
  }

  /**
   * Ends the comparison: not all ranks come any more.
   *
   * @return the announced calls, of which some wait
   */
  Collection<Announced> abandon() {
    isAbandoned = true;
    List<Announced> all = rounds.stream().flatMap(round -> round.calls.values().stream()).toList();
    rounds.clear();
    return all;
  }

  boolean isAbandoned() {
    return isAbandoned;
  }

  /** The round of a process's next call. */
  Round next(int rank) {
    int index = (int) (counts.merge(rank, 1L, Long::sum) - 1 - completeRounds);
    while (rounds.size() <= index) {
      rounds.add(new Round(completeRounds + rounds.size() + 1));
    }
    return rounds.get(index);
  }

  /** Ends a round that all have reported alike. */
  void end(Round round) {
    rounds.remove(round);
    completeRounds++;
  }
}
