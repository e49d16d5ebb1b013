// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.kintsugi.runtime.internal.WatchLines;

/**
 * On which host a new process is to be started: where most are missing of those that mpirun has started there, so that ranks and
 * their copies lie as they did at the start.
 *
 * <p>A host on which nobody is left may be lost. If it has come back, mpirun starts a daemon of its own there anew (patch 0037 of
 * Open MPI), which it is asked for ({@link WatchLines#AGAIN}); if not, it says so after a while, and is asked again later. Until
 * then others wait for it, but not for good, and not if somebody needs a process now.
 *
 * <p>mpirun by itself would take the first host: to it the slot of a dead process is not free.
 */
final class SpareHosts {
  /** From one refusal to the next question, which doubles up to the longest. */
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** So long after its first refusal, other hosts make up for a host. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** mpirun has not started a process there since then; and the time to ask again. */
  private record Refusal(long sinceNanos, long pauseNanos, long untilNanos) {}

  private final Map<String, Integer> places = new LinkedHashMap<>();
  private final Map<String, Refusal> refusals = new HashMap<>();

  /** mpirun has started a process there. */
  void add(String host) {
    places.merge(host, 1, Integer::sum);
  }

  boolean areSeveral() {
    return places.size() > 1;
  }

  /** mpirun could not start one there. */
  void refuse(String host, long now) {
    Refusal before = refusals.get(host);
    long pause = before == null ? FIRST_PAUSE_NANOS : Math.min(2 * before.pauseNanos, LONGEST_PAUSE_NANOS);
    refusals.put(host, new Refusal(before == null ? now : before.sinceNanos, pause, now + pause));
  }

  /** A process that was started there has connected. */
  void accept(String host) {
    refusals.remove(host);
  }

  /**
   * The host for one more.
   *
   * @param processes that each host has now, those included that are to come
   * @param alive the hosts on which there is a process
   * @param isOneReturning whether mpirun sees whether another host has come back
   * @param isNeeded whether somebody waits for it
   * @return its name, behind {@link WatchLines#AGAIN} if nobody is there; empty name: let mpirun choose; nothing: not now
   */
  Optional<String> choose(Map<String, Integer> processes, Set<String> alive, boolean isOneReturning, boolean isNeeded, long now) {
    if (!areSeveral()) {
      return Optional.of("");
    }
    String best = null;
    int mostMissing = Integer.MIN_VALUE;
    boolean isAwaited = false;
    boolean isGivenUp = false;
    for (Map.Entry<String, Integer> place : places.entrySet()) {
      String host = place.getKey();
      int coming = processes.getOrDefault(host, 0);
      int missing = place.getValue() - coming;
      Refusal refusal = refusals.get(host);
      boolean mayBeAsked = refusal == null || now - refusal.untilNanos >= 0;
      if (mayBeAsked && (alive.contains(host) || !isNeeded && !isOneReturning && coming == 0)) {
        best = missing > mostMissing ? host : best;
        mostMissing = Math.max(missing, mostMissing);
      } else if (!isNeeded && missing > 0) {
        boolean isNew = refusal == null || now - refusal.sinceNanos < PATIENCE_NANOS;
        isAwaited |= isNew;
        isGivenUp |= !isNew;
      }
    }
    if (best == null && isNeeded) {
      return Optional.of("");
    }
    // With none missing anywhere, a host has fallen silent whose processes are still connected here: it will be known which.
    if (best == null || mostMissing <= 0 && !isNeeded && (isAwaited || !isGivenUp)) {
      return Optional.empty();
    }
    return Optional.of(alive.contains(best) ? best : WatchLines.AGAIN + best);
  }
}
