// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.launch.internal.timeline.ProcessRecord.Step;

/**
 * Brings the clocks of the processes together.
 *
 * <p>The clocks of hosts differ. Each epoch begins with a step that no process leaves before all have entered it. So on one
 * common clock each process leaves that step after each other process has entered it. For two clocks this gives the least and the
 * greatest difference. A clock for which zero is possible stays as it is; another one is moved so that both processes leave
 * these steps at the same time, as nearly as the limits allow.
 */
final class CommonClock {
  /**
   * The correction of one process's clock.
   *
   * @param micros to add to its times
   * @param least that is possible by what was recorded
   * @param most that is possible
   * @param isKnown false: the process has no step in common with others, and its clock is taken as it is
   */
  record Correction(long micros, long least, long most, boolean isKnown) {
    private static final Correction NONE = new Correction(0, 0, 0, false);
  }

  private CommonClock() {}

  /** The corrections; that of the process with the most common steps is zero. */
  static Map<ProcessRecord, Correction> corrections(List<ProcessRecord> processes) {
    Map<ProcessRecord, Correction> known = new LinkedHashMap<>();
    List<ProcessRecord> open = new ArrayList<>(processes);
    open.sort(Comparator.comparingInt(one -> -common(one).size()));
    if (!open.isEmpty()) {
      known.put(open.remove(0), new Correction(0, 0, 0, true));
    }
    boolean isMore = true;
    while (isMore) {
      isMore = false;
      for (ProcessRecord process : List.copyOf(open)) {
        Correction correction = correction(process, known);
        if (correction != null) {
          known.put(process, correction);
          open.remove(process);
          isMore = true;
        }
      }
    }
    for (ProcessRecord process : open) {
      // Processes of one host have one clock.
      Correction ofHost = known.entrySet().stream().filter(other -> other.getKey().host.equals(process.host))
          .map(Map.Entry::getValue).filter(Correction::isKnown).findFirst().orElse(Correction.NONE);
      known.put(process, ofHost);
    }
    return known;
  }

  /** The last common step that led to each epoch. */
  private static Map<Integer, Step> common(ProcessRecord process) {
    Map<Integer, Step> steps = new LinkedHashMap<>();
    process.steps.stream().filter(step -> step.together() >= 0).forEach(step -> steps.put(step.together(), step));
    return steps;
  }

  /** Null if it has no step in common with those whose correction is known. */
  private static Correction correction(ProcessRecord process, Map<ProcessRecord, Correction> known) {
    Map<Integer, Step> own = common(process);
    long least = Long.MIN_VALUE;
    long most = Long.MAX_VALUE;
    List<Long> ends = new ArrayList<>();
    for (Map.Entry<ProcessRecord, Correction> other : known.entrySet()) {
      long moved = other.getValue().micros();
      for (Map.Entry<Integer, Step> theirs : common(other.getKey()).entrySet()) {
        Step mine = own.get(theirs.getKey());
        if (mine != null) {
          least = Math.max(least, theirs.getValue().begin() + moved - mine.end());
          most = Math.min(most, theirs.getValue().end() + moved - mine.begin());
          ends.add(theirs.getValue().end() + moved - mine.end());
        }
      }
    }
    if (ends.isEmpty()) {
      return null;
    }
    if (least <= 0 && most >= 0) {
      return new Correction(0, least, most, true);
    }
    if (least > most) {
      // A clock has drifted by more than a step takes.
      long middle = least + (most - least) / 2;
      return new Correction(middle, most, least, true);
    }
    ends.sort(null);
    long median = ends.get(ends.size() / 2);
    return new Correction(Math.max(least, Math.min(most, median)), least, most, true);
  }

  /** Moves the times of all processes to the common clock, and returns the corrections. */
  static Map<ProcessRecord, Correction> applyTo(List<ProcessRecord> processes) {
    Map<ProcessRecord, Correction> corrections = corrections(processes);
    corrections.forEach((process, correction) -> process.move(correction.micros()));
    return corrections;
  }
}
