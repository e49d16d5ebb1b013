// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.stalls;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.kintsugi.launch.internal.check.RankNumbers;
import org.kintsugi.launch.internal.connections.WatchedRank;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.RankPlace.Doing;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;
import org.kintsugi.runtime.internal.protocol.RankPlace;

/**
 * The report of where the processes of a job are.
 *
 * <p>Processes at the same place are in one line. The report names the group for which the others
 * wait.
 */
public final class StallReport {
  /** With more ranks, peers and tags are not listed. */
  private static final int MOST_DETAILS = 8;

  /** The verbs for ranks that wait for others, or that cannot make progress any more. */
  private static final Set<String> STUCK = Set.of("left the body", "leaves", "starts", "recovers", "lingers");

  /** The state of a group of ranks, as far as the others are concerned. */
  private enum Kind {
    /** No rank waits for them: spares, and failed processes whose failure was reported. */
    BESIDE,
    /** Inside MPI. */
    WAITS,
    /** It will make progress: it recovers, starts, works in Kintsugi, or has just moved. */
    ON_ITS_WAY,
    /** It runs the program's own code. */
    COMPUTES,
    /** Out of the body, or out of MPI. */
    GONE,
    /** It does not answer. */
    SILENT
  }

  /** Ranks at one place. */
  private static final class Group {
    private final Kind kind;
    private final String verb;
    private final String where;
    private final Map<Integer, String> details = new TreeMap<>();
    private long stillMillis;
    private int processes;

    Group(Kind kind, String verb, String where) {
      this.kind = kind;
      this.verb = verb;
      this.where = where;
    }

    String name() {
      return details.size() == 1 ? "rank " + ranks() : "ranks " + ranks();
    }

    String ranks() {
      return RankNumbers.ranges(details.keySet());
    }
  }

  private static final Pattern WITH_OTHERS =
      Pattern.compile("MPI_Comm_(accept|connect|join|spawn)|" + RankPlace.INTERCOMM + "\\d+ and ");

  /** The largest number of exceptions that is printed. */
  private static final int MOST_EXCEPTIONS = 3;

  private final Map<String, Group> groups = new LinkedHashMap<>();

  /**
   * A report.
   *
   * @param ranks the job's processes
   * @param now as {@code System.nanoTime} has it
   * @param missing ranks in the job of those that have never connected
   * @param died ranks in the job of those that have ended without leaving MPI, and whose place nobody has taken
   */
  public StallReport(Collection<WatchedRank> ranks, long now, Collection<Integer> missing, Collection<Integer> died) {
    List<WatchedRank> all = new ArrayList<>(ranks);
    all.sort(Comparator.comparingInt(WatchedRank::rank));
    for (WatchedRank rank : all) {
      add(rank, now);
    }
    for (Integer rank : died) {
      put(new Group(Kind.BESIDE, "died", ""), rank, "", 0);
    }
    for (Integer rank : missing) {
      put(new Group(Kind.SILENT, "unheard", ""), rank, "", 0);
    }
  }

  private void add(WatchedRank rank, long now) {
    RankPlace place = rank.place();
    if (rank.lingersMillis(now) >= TimeLimits.LINGERS_MILLIS) {
      put(new Group(Kind.GONE, "lingers", ""), rank.rank(), "", rank.lingersMillis(now));
    } else if (rank.hasLeft() || place != null && place.phase() == Phase.LEFT) {
      put(new Group(Kind.GONE, "left", ""), rank.rank(), "", 0);
    } else if (place == null || rank.silentMillis(now) >= TimeLimits.SILENT_IN_REPORT_MILLIS) {
      put(new Group(Kind.SILENT, "silent", ""), rank.rank(), rank.who(), rank.silentMillis(now));
    } else {
      put(new Group(kind(place), verb(place), where(place)), rank.rank(), place.detail(), rank.stillMillis(now));
    }
  }

  private void put(Group made, int rank, String detail, long stillMillis) {
    Group group = groups.computeIfAbsent(made.verb + "\t" + made.where, key -> made);
    group.details.put(rank, detail);
    group.processes++;
    group.stillMillis = group.processes == 1 ? stillMillis : Math.min(group.stillMillis, stillMillis);
  }

  private static Kind kind(RankPlace place) {
    return switch (place.phase()) {
      case SPARE -> Kind.BESIDE;
      case LEFT_BODY, LEAVES -> Kind.GONE;
      case STARTS, RECOVERS -> Kind.ON_ITS_WAY;
      default -> switch (place.doing()) {
        case WAITS -> Kind.WAITS;
        case WORKS -> Kind.ON_ITS_WAY;
        default -> Kind.COMPUTES;
      };
    };
  }

  private static String verb(RankPlace place) {
    return switch (place.phase()) {
      case SPARE -> "spare";
      case LEFT_BODY -> "left the body";
      case LEAVES -> "leaves";
      case STARTS -> "starts";
      case RECOVERS -> "recovers";
      default -> place.doing().name();
    };
  }

  /** Function, method, communicator and line: "in MPI_Bcast (Comm.bcast on the run's world, root 0), Main.java:31 step()". */
  private static String where(RankPlace place) {
    if (place.phase() == Phase.SPARE) {
      return "";
    }
    boolean isPolling = place.phase() == Phase.LEFT_BODY;
    boolean isOutside = place.doing() == Doing.COMPUTES || place.doing() == Doing.SLEEPS;
    String in = place.function().isEmpty() || isPolling ? place.call()
        : place.function() + (place.call().isEmpty() ? "" : " (" + place.call().strip() + ")");
    if (in.isEmpty()) {
      return place.line().isEmpty() ? "" : " at " + place.line();
    }
    String line = place.line().isEmpty() ? "" : (isOutside ? " at " : ", ") + place.line();
    return (isOutside ? " (" + in + ")" : " in " + in) + line;
  }

  /** The places of all ranks, without the times: two reports with the same places are the same. */
  public String places() {
    return groups.entrySet().stream().map(entry -> entry.getKey() + entry.getValue().ranks()).sorted()
        .collect(Collectors.joining("\n"));
  }

  /**
   * Whether the job stalls: a process waits for others that do not come.
   *
   * <p>It also stalls if all wait for something outside MPI.
   */
  public boolean isAnybodyWaiting() {
    return groups.values().stream().anyMatch(group -> group.kind == Kind.WAITS || STUCK.contains(group.verb))
        || has("SLEEPS") && !has("COMPUTES") && !has("WORKS");
  }

  private boolean has(String verb) {
    return groups.values().stream().anyMatch(group -> group.verb.equals(verb));
  }

  /** The lines, each with its end. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Group group : groups.values()) {
      text.append("  ").append(line(group)).append('\n');
    }
    String who = whoIsWaitedFor();
    if (who != null) {
      text.append("  ").append(who).append('\n');
    }
    return text.toString();
  }

  private static String line(Group group) {
    boolean one = group.processes == 1;
    String seconds = " for " + group.stillMillis / 1000 + " s";
    String name = group.name() + ": ";
    return switch (group.verb) {
      case "unheard" -> name + (one ? "has" : "have") + " not been heard of: not come to Mpi.init yet, or stopped, or cut off "
          + "from this host?";
      case "spare" -> group.processes + (one ? " spare waits" : " spares wait") + " for a process failure, as is right";
      case "died" -> name + (one ? "has" : "have") + " ended without closing MPI (died)";
      case "left" -> name + (one ? "has" : "have") + " left MPI (Mpi.close)";
      case "lingers" -> name + (one ? "has" : "have") + " left MPI (Mpi.close)" + seconds
          + ", and the process does not end: a thread of the program goes on that is no daemon (a pool that was not shut down?)";
      case "silent" ->
        name + (one ? "does" : "do") + " not answer" + seconds + details(group) + ": stopped, or without memory or "
            + "a core to run on?";
      case "left the body" ->
        name + (one ? "has" : "have") + " left the body of the run, and" + (one ? " waits" : " wait") + seconds
            + " for the others" + group.where;
      case "leaves" -> name + (one ? "is" : "are") + " at the end of MPI" + seconds + group.where + whatHasLedThere(group);
      case "starts" -> name + (one ? "begins" : "begin") + " MPI" + seconds + group.where;
      case "recovers" -> name + (one ? "recovers" : "recover") + seconds + group.where;
      case "WAITS" -> name + (one ? "waits" : "wait") + seconds + group.where + details(group);
      case "WORKS" -> name + (one ? "works" : "work") + seconds + group.where;
      case "SLEEPS" -> name + (one ? "waits" : "wait") + " outside of MPI" + seconds + group.where;
      default -> name + (one ? "computes" : "compute") + seconds + group.where;
    };
  }

  /**
   * The exception that has led ranks to the end. Only those of MPI and of refused calls are known.
   */
  private static String whatHasLedThere(Group group) {
    List<String> known = group.details.values().stream().distinct().filter(detail -> !detail.isEmpty()).toList();
    return known.isEmpty() ? " (if an exception has led there, it is printed only after that; Mpi.run prints it at once)"
        : " (because of " + known.stream().limit(MOST_EXCEPTIONS).collect(Collectors.joining("; "))
            + ": it is printed only after that; "
            + "Mpi.run prints it at once)";
  }

  /**
   * Whether ranks at the end of MPI and ranks inside MPI wait for each other.
   *
   * <p>This is so if some ranks have reached the end, others wait in MPI, and none computes. It is
   * not so if a rank may wait for processes that are not in this report, because they were spawned
   * or belong to another job.
   */
  public boolean isHeldUpAtAnEnd() {
    return has("leaves") && groups.values().stream().allMatch(group -> group.kind == Kind.WAITS || group.kind == Kind.BESIDE
        || group.kind == Kind.GONE) && groups.values().stream().anyMatch(group -> group.kind == Kind.WAITS)
        && groups.values().stream().noneMatch(group -> WITH_OTHERS.matcher(group.where).find());
  }

  /** Peers and tags; the identity of a process that does not answer. */
  private static String details(Group group) {
    List<String> different = group.details.values().stream().distinct().filter(detail -> !detail.isEmpty()).toList();
    if (different.isEmpty() || group.details.size() > MOST_DETAILS && different.size() > 1) {
      return "";
    }
    return different.size() == 1 && group.verb.equals("WAITS") ? ", " + different.get(0)
        : group.details.entrySet().stream()
            .map(entry -> group.details.size() == 1 ? entry.getValue() : "rank " + entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining("; ", " (", ")"));
  }

  /** The group that differs from all others; null: there is none. */
  private String whoIsWaitedFor() {
    List<Group> waiting = groups.values().stream().filter(group -> group.kind == Kind.WAITS).toList();
    List<Group> others = groups.values().stream().filter(group -> group.kind != Kind.WAITS && group.kind != Kind.BESIDE).toList();
    List<Group> behind = others.stream().filter(group -> group.kind == Kind.COMPUTES || group.kind == Kind.SILENT).toList();
    if (others.size() + waiting.size() < 2) {
      return null;
    }
    if (behind.isEmpty() && others.size() == 1 && waiting.size() == 1
        && waiting.get(0).processes < others.get(0).processes) {
      return "The odd one out: " + waiting.get(0).name() + ", for whom nobody comes";
    }
    Group odd = behind.size() == 1 ? behind.get(0) : behind.isEmpty() && others.size() == 1 ? others.get(0) : null;
    if (odd != null && !odd.details.isEmpty()) {
      return "The odd one out: " + odd.name() + ", which " + (odd.processes == 1 ? "is" : "are") + " in no call of MPI that the "
          + "others could meet";
    }
    if (!others.isEmpty()) {
      return null;
    }
    long least = waiting.stream().mapToInt(group -> group.processes).min().orElse(0);
    List<Group> smallest = waiting.stream().filter(group -> group.processes == least).toList();
    return smallest.size() == 1 ? "The odd one out: " + Objects.requireNonNull(smallest.get(0)).name()
        : "They wait at different places: a collective is to be called by all ranks of its communicator, in the same order";
  }
}
