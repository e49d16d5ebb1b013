// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.kintsugi.runtime.internal.CollectiveCall;

/**
 * Compares what the processes of each communicator are about to call ({@code jmpirun --check}).
 *
 * <p>The calls of one process on one communicator come in the order in which it makes them: its n-th is compared with the n-th of
 * each other. Those that may wait are let go when all have come. A death ends that for every communicator there is, as not all
 * come any more; what is made after a recovery has other names.
 */
final class CheckedCalls {
  /** From a difference to its verdict: what the others call belongs into the table, and a death that is behind it is known. */
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final int NOT_KNOWN = 0;

  private static final String SENTENCE = "\n  ";
  private static final String IN_ORDER =
      "All ranks of a communicator call its collectives in the same order: look at the condition that leads to each line, or "
          + "at the exception (a collective in finally, a Future that nobody asks).";
  private static final String END = "MPI_Finalize";

  /** A call, and who waits for the answer. */
  private record Announced(CollectiveCall call, long number, LongConsumer waits) {
    void letGo() {
      if (number != 0) {
        waits.accept(number);
      }
    }
  }

  /** A communicator, and what has been told of it and is not complete. */
  private static final class Communicator {
    private final int size;
    /** By rank: of how many calls it has told. */
    private final Map<Integer, Long> counts = new HashMap<>();
    private final List<Map<Integer, Announced>> rounds = new ArrayList<>();
    private long completeRounds;
    private boolean isGivenUp;

    Communicator(int size) {
      this.size = size;
    }

    /** Not all of it come any more. */
    void giveUp() {
      isGivenUp = true;
      rounds.forEach(round -> round.values().forEach(Announced::letGo));
      rounds.clear();
    }
  }

  private final Map<String, Communicator> communicators = new HashMap<>();
  private Communicator differing; // null: none
  private Map<Integer, Announced> difference;
  private long differenceNumber;
  private String reason;
  private long foundNanos;

  /**
   * A process is about to call this.
   *
   * @param number to be handed to {@code letGo} when it may; 0: it does not wait
   * @param now as {@code System.nanoTime} has it
   */
  void hear(CollectiveCall call, long number, LongConsumer letGo, long now) {
    Announced told = new Announced(call, number, letGo);
    // A communicator of the same name and of another size is a later one. (It has none where it failed before its first call.)
    Communicator comm = communicators.merge(call.comm(), new Communicator(call.size()),
        (known, made) -> known.size == made.size || known.size == NOT_KNOWN ? known : made);
    if (comm.isGivenUp) {
      told.letGo();
      return;
    }
    long count = comm.counts.merge(call.rank(), 1L, Long::sum);
    int index = (int) (count - 1 - comm.completeRounds);
    while (comm.rounds.size() <= index) {
      comm.rounds.add(new TreeMap<>());
    }
    Map<Integer, Announced> round = comm.rounds.get(index);
    for (Announced other : round.values()) {
      String found = differing == null ? difference(other.call, call) : null;
      if (found != null) {
        differing = comm;
        difference = round;
        differenceNumber = count;
        reason = found;
        foundNanos = now;
      }
    }
    round.put(call.rank(), told);
    if (round.size() == comm.size && round != difference) {
      comm.rounds.remove(index);
      comm.completeRounds++;
      round.values().forEach(Announced::letGo);
    }
  }

  /** A process has died: in no communicator have all to come any more. */
  void somebodyDied() {
    communicators.values().forEach(Communicator::giveUp);
    differing = null;
  }

  /** Compares nothing more on a communicator on which a process knows of a failure, or which it has revoked. */
  void giveUp(String name) {
    Communicator comm = communicators.computeIfAbsent(name, key -> new Communicator(NOT_KNOWN));
    comm.giveUp();
    if (differing == comm) {
      differing = null;
    }
  }

  /** Whether a difference has been found whose verdict is to come. */
  boolean isDifferent() {
    return differing != null;
  }

  /** Who calls what, once that is certain; null: nothing is. */
  String verdict(long now) {
    return differing == null || now - foundNanos < GRACE_NANOS ? null : table();
  }

  private String table() {
    Map<String, Set<Integer>> places = new LinkedHashMap<>();
    difference.forEach((rank, told) -> places.computeIfAbsent(place(told.call), key -> new TreeSet<>()).add(rank));
    CollectiveCall any = difference.values().iterator().next().call;
    StringBuilder text = new StringBuilder("the ranks of ").append(any.name()).append(" do not call the same (call ")
        .append(differenceNumber).append(" on it):");
    places.forEach((place, ranks) -> text.append(SENTENCE).append(ranks(ranks)).append(": ").append(place));
    Set<Integer> missing = new TreeSet<>(IntStream.range(0, differing.size).boxed().toList());
    missing.removeAll(difference.keySet());
    if (!missing.isEmpty()) {
      text.append(SENTENCE).append(ranks(missing)).append(missing.size() == 1 ? ": has" : ": have").append(" not come to it yet");
    }
    return text.append(SENTENCE).append(reason).toString();
  }

  private static String ranks(Set<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + StallReport.ranges(ranks);
  }

  private static String place(CollectiveCall call) {
    return call.function() + (call.call().isEmpty() ? "" : " (" + call.call() + ")")
        + (call.root().isEmpty() ? "" : ", root " + call.root()) + (call.op().isEmpty() ? "" : ", " + call.op())
        + (call.data().isEmpty() ? "" : ", " + call.data()) + (call.line().isEmpty() ? "" : ", " + call.line());
  }

  /** What is wrong between two calls that ought to meet, and what to do; null: nothing. */
  private static String difference(CollectiveCall one, CollectiveCall other) {
    if (!one.function().equals(other.function())) {
      if (one.function().equals(END) || other.function().equals(END)) {
        return IN_ORDER + " A program closes MPI also when an exception leaves it: that is printed below.";
      }
      return withoutI(one).equals(withoutI(other))
          ? "A collective that blocks does not meet one that does not: all ranks use the same form."
          : IN_ORDER;
    }
    if (!one.root().equals(other.root())) {
      return "The root has to be the same on all ranks.";
    }
    if (!one.op().equals(other.op())) {
      return "The operation has to be the same on all ranks.";
    }
    if (!one.signature().equals(other.signature())) {
      return "Count and type have to be the same on all ranks; for parts of different lengths there are the methods with a V at "
          + "their end.";
    }
    String parts = parts(one, other);
    return parts == null ? parts(other, one) : parts;
  }

  /** "MPI_Ibcast" and "MPI_Bcast" are the same collective. */
  private static String withoutI(CollectiveCall call) {
    return call.function().replaceFirst("^MPI_I(?=[a-z])", "MPI_").toLowerCase(Locale.ROOT);
  }

  private static String parts(CollectiveCall from, CollectiveCall to) {
    String sent = part(from.sends(), to.rank());
    String expected = part(to.receives(), from.rank());
    return sent.isEmpty() || expected.isEmpty() || sent.equals(expected) ? null
        : "Rank " + from.rank() + " sends " + elements(sent) + " to rank " + to.rank() + ", which expects "
            + elements(expected, sent) + " from it.";
  }

  private static String part(String parts, int rank) {
    String[] each = parts.split(",", -1);
    return rank < each.length ? each[rank] : "";
  }

  private static String elements(String signature) {
    String length = signature.replaceFirst("\\..*", "");
    return length + (length.equals("1") ? " element" : " elements");
  }

  /** The same number of others differs in the type. */
  private static String elements(String signature, String than) {
    return elements(signature) + (elements(signature).equals(elements(than)) ? " of another type" : "");
  }
}
