// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.kintsugi.runtime.internal.TimeLimits;

/**
 * Chooses the host on which a new process is started.
 *
 * <p>It is the host on which most processes are missing of those that mpirun has started there, so
 * that ranks and their copies are placed as at the start. mpirun itself would take the first host:
 * it does not count the slot of a failed process as free.
 *
 * <p>A host without processes may be lost. {@link Choice#isReturn} asks mpirun to start a daemon
 * there anew (patch prrte/0005 of Open MPI). If the host has come back, mpirun does so; if not, it
 * refuses after a while, and is asked again later. Until then no other host makes up for it, except
 * after some time, or if a process needs a new one at once. Where hosts {@link #areLostForGood}, replacements
 * start on other hosts after the first refusal.
 */
final class SpareHosts {

  /** The first refusal of a host, the current pause, and the time to ask again. */
  private record Refusal(long sinceNanos, long pauseNanos, long untilNanos) {}

  /**
   * The choice.
   *
   * @param host its name; empty: mpirun chooses
   * @param isReturn whether no process is there
   */
  record Choice(String host, boolean isReturn) {}

  private final Map<String, Integer> places = new LinkedHashMap<>();
  private final Map<String, Refusal> refusals = new HashMap<>();
  private boolean areLostForGood;

  /**
   * From now on mpirun is not asked to start a daemon anew: a batch system would end the job. On a host without processes one is
   * started by the daemon that is there; if mpirun refuses, the host is lost, and never tried again.
   */
  void areLostForGood() {
    areLostForGood = true;
  }

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
    long pause = before == null ? TimeLimits.nanos(TimeLimits.FAILED_HOST_MILLIS)
        : Math.min(2 * before.pauseNanos, TimeLimits.nanos(TimeLimits.FAILED_HOST_LONGEST_MILLIS));
    refusals.put(host, new Refusal(before == null ? now : before.sinceNanos, pause, now + pause));
  }

  /** A process that was started there has connected. */
  void accept(String host) {
    refusals.remove(host);
  }

  /**
   * Chooses the host for one more process.
   *
   * @param processes the number of each host's processes, including those that are being started
   * @param alive the hosts on which there is a process
   * @param isOneReturning whether mpirun sees whether another host has come back
   * @param isNeeded whether a process waits for it
   * @return nothing: not now
   */
  Optional<Choice> choose(Map<String, Integer> processes, Set<String> alive, boolean isOneReturning, boolean isNeeded, long now) {
    if (!areSeveral()) {
      return Optional.of(new Choice("", false));
    }
    String best = null;
    int mostMissing = Integer.MIN_VALUE;
    boolean isAwaited = false;
    boolean isAbandoned = false;
    for (Map.Entry<String, Integer> place : places.entrySet()) {
      String host = place.getKey();
      int coming = processes.getOrDefault(host, 0);
      int missing = place.getValue() - coming;
      Refusal refusal = refusals.get(host);
      boolean mayBeAsked = refusal == null || !areLostForGood && now - refusal.untilNanos >= 0;
      if (mayBeAsked && (alive.contains(host) || !isNeeded && !isOneReturning && coming == 0)) {
        best = missing > mostMissing ? host : best;
        mostMissing = Math.max(missing, mostMissing);
      } else if (!isNeeded && missing > 0) {
        boolean isNew = !areLostForGood
            && (refusal == null || now - refusal.sinceNanos < TimeLimits.nanos(TimeLimits.FAILED_HOST_PATIENCE_MILLIS));
        isAwaited |= isNew;
        isAbandoned |= !isNew;
      }
    }
    if (best == null && isNeeded) {
      return Optional.of(new Choice("", false));
    }
    // If no process is missing, a host has fallen silent whose processes are still connected here.
    // Wait until it is known which.
    if (best == null || mostMissing <= 0 && !isNeeded && (isAwaited || !isAbandoned)) {
      return Optional.empty();
    }
    return Optional.of(new Choice(best, !areLostForGood && !alive.contains(best)));
  }
}
