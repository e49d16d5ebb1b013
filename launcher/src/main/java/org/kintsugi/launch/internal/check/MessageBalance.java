// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.kintsugi.runtime.internal.protocol.MessageCount;

/**
 * Compares the messages sent in a job with those received ({@code jmpirun --check}).
 *
 * <p>At the end of each epoch, and of the program, it names messages that were not received, or
 * that were received as elements of another type. MPI reports neither.
 *
 * <p>Only processes that have reached that end without a failure count. Counts that a failure has
 * interrupted are dropped.
 */
public final class MessageBalance {
  /** The largest number of lines that is printed. */
  private static final int MOST_LINES = 20;
  private static final int MOST_PLACES = 4;

  private static final String OR = ", or ";
  private static final String SEVERAL = "several types";

  /** The messages of one sender, receiver and tag on one communicator. */
  private record Way(String comm, int from, int to, int tag) {}

  /** The messages of one type on one way. */
  private static final class Balance {
    private long unreceived;
    private final Set<String> sendPlaces = new TreeSet<>();
    private final Set<String> receivePlaces = new TreeSet<>();
  }

  /** The counts of one world. */
  private static final class World {
    private final Map<Way, Map<String, Balance>> ways = new LinkedHashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final Set<Integer> ended = new HashSet<>();
    private boolean isAbandoned;
  }

  private final String job;
  private final Map<String, World> worlds = new HashMap<>();
  private boolean hasAnyFailed;

  /** A balance; the job's world has that name, and is never replaced by a recovery. */
  public MessageBalance(String job) {
    this.job = job;
  }

  public void hear(MessageCount messages) {
    World world = worlds.computeIfAbsent(messages.root(), root -> new World());
    if (world.isAbandoned) {
      return;
    }
    world.names.put(messages.comm(), messages.name());
    Balance balance =
        world.ways
            .computeIfAbsent(new Way(messages.comm(), messages.from(), messages.to(), messages.tag()), way -> new TreeMap<>())
            .computeIfAbsent(messages.type(), type -> new Balance());
    balance.unreceived += messages.isSent() ? messages.count() : -messages.count();
    Set<String> places = messages.isSent() ? balance.sendPlaces : balance.receivePlaces;
    if (places.size() < MOST_PLACES) {
      places.add(messages.place());
    }
  }

  /** A process has failed. Messages under way may be lost without an error of the program. */
  public void processFailed() {
    hasAnyFailed = true;
    worlds.values().forEach(world -> {
      world.isAbandoned = true;
      world.ways.clear();
    });
  }

  /**
   * A process has come to the end of a world.
   *
   * @return after the last one: the errors, line by line; null: none, or others have yet to come
   */
  public String ends(String root, int rank, int size) {
    World world = worlds.computeIfAbsent(root, key -> new World());
    world.ended.add(rank);
    if (world.ended.size() < size) {
      return null;
    }
    worlds.remove(root);
    if (world.isAbandoned || hasAnyFailed && root.equals(job)) {
      return null;
    }
    List<String> lines = new ArrayList<>();
    world.ways.forEach((way, types) -> judge(world, way, types, lines));
    if (lines.size() > MOST_LINES) {
      lines.set(MOST_LINES - 1, "... and " + (lines.size() - MOST_LINES + 1) + " lines more");
    }
    return lines.isEmpty() ? null : String.join("\n  ", lines.subList(0, Math.min(lines.size(), MOST_LINES)));
  }

  private static void judge(World world, Way way, Map<String, Balance> types, List<String> lines) {
    long unreceived = types.values().stream().mapToLong(balance -> balance.unreceived).sum();
    String on = " on " + world.names.get(way.comm) + " with tag " + way.tag;
    if (unreceived > 0) {
      String places = types.values().stream().filter(balance -> balance.unreceived > 0)
          .flatMap(balance -> balance.sendPlaces.stream()).collect(Collectors.joining(OR));
      lines.add("rank " + way.from + " has sent rank " + way.to + " " + messages(unreceived) + on + " that nobody has received: "
          + places);
      return;
    }
    // Elements may consist of several types. A receive of such elements may get a part of one, of a single type; a receive of a
    // single type never gets a whole element of several.
    String sent = type(types, 1, true);
    String received = type(types, -1, false);
    if (unreceived == 0 && sent != null && received != null) {
      Balance sends = types.get(sent);
      lines.add("rank " + way.from + " has sent rank " + way.to + " " + messages(sends.unreceived) + on + " of "
          + (sent.isEmpty() ? SEVERAL : sent) + " ("
          + String.join(OR, sends.sendPlaces) + "), received as " + received + " ("
          + String.join(OR, types.get(received).receivePlaces) + ")");
    }
  }

  /** A type of which more elements are sent than received, or the reverse. */
  private static String type(Map<String, Balance> types, int sign, boolean mayBeSeveral) {
    return types.entrySet().stream()
        .filter(one -> Long.signum(one.getValue().unreceived) == sign && (mayBeSeveral || !one.getKey().isEmpty()))
        .map(Map.Entry::getKey).findFirst().orElse(null);
  }

  private static String messages(long count) {
    return count == 1 ? "1 message" : count + " messages";
  }
}
