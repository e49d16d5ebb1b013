// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.findings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.kintsugi.advice.internal.shadow.Live;
import org.kintsugi.runtime.internal.advice.Finding;
import org.kintsugi.runtime.internal.advice.Finding.Verdict;

/**
 * What a process finds that makes iterations again, after the failure of another one.
 *
 * <p>An iteration that is made again must read the same values of before. For each array and variable the first iteration that
 * reads it decides: later ones may have read what was computed from other wrong values.
 */
public final class Repetition {
  private static final Map<Long, Map<String, Set<Long>>> FIRST_TIME = new HashMap<>();
  private static final Map<String, Verdict> VERDICTS = new TreeMap<>();
  private static final TreeSet<Long> ITERATIONS = new TreeSet<>();
  private static final TreeSet<Long> SAVES = new TreeSet<>();
  /**
   * What tells nothing: a survivor had it again because it had kept it, and a replacement may not have it. Or it was as at the
   * loop's start when the version was saved, so that every program has it again.
   */
  private static final Set<String> UNDECIDED = new HashSet<>();
  private static boolean isAbandoned;

  /** The jobs with a failure cost time. */
  private static final int MOST_FAILURES = 5;

  private Repetition() {}

  /** An exception has ended the present iteration early. */
  public static synchronized void abandon() {
    isAbandoned = true;
  }

  /** The program saves in an iteration. */
  public static synchronized void saves(long iteration) {
    SAVES.add(iteration);
    Long complete = SAVES.lower(iteration); // this save may yet fail, and then the one before is restored
    if (complete != null) {
      FIRST_TIME.keySet().removeIf(old -> old <= complete);
    }
  }

  /** An iteration has ended; a negative number stands for the prologue. */
  public static synchronized void endTurn(long iteration) {
    if (iteration >= 0) {
      ITERATIONS.add(iteration);
    }
    if (Live.isWanted() && iteration >= 0 && !isAbandoned) {
      Map<String, Set<Long>> now = new HashMap<>();
      Live.arrays().forEach((shadow, values) -> of(now, Findings.title(shadow, shadow.type)).addAll(values));
      Live.variables().forEach((variable, values) -> of(now, variable.title()).addAll(values));
      Live.references().forEach(variable -> of(now, variable.title() + Finding.REFERENCE).add(1L));
      Map<String, Set<Long>> before = FIRST_TIME.putIfAbsent(iteration, now);
      if (before != null) {
        // What is not read now was overwritten before, or is not needed: a later iteration decides.
        Set<String> kept = kept();
        before.forEach((name, values) -> {
          if (!now.containsKey(name) || VERDICTS.containsKey(name) || UNDECIDED.contains(name)) {
            return;
          }
          if (values.isEmpty()) {
            UNDECIDED.add(name);
          } else if (!now.get(name).containsAll(values)) {
            VERDICTS.put(name, Verdict.OTHER);
          } else if (kept.contains(name)) {
            UNDECIDED.add(name);
          } else {
            VERDICTS.put(name, Verdict.AGAIN);
          }
        });
      }
    }
    Live.clear();
    isAbandoned = false;
  }

  /** The names of what this process has kept since before the failure. */
  private static Set<String> kept() {
    Set<String> kept = new HashSet<>();
    Live.arrays().keySet().stream().filter(Live::hasKept).forEach(shadow -> kept.add(Findings.title(shadow, shadow.type)));
    Live.variables().keySet().stream().filter(Live::hasKept).forEach(variable -> kept.add(variable.title()));
    Live.references().stream().filter(Live::hasKept).forEach(variable -> kept.add(variable.title() + Finding.REFERENCE));
    return kept;
  }

  private static Set<Long> of(Map<String, Set<Long>> all, String name) {
    return all.computeIfAbsent(name, one -> new HashSet<>());
  }

  /** The arrays and variables that iterations have read again. */
  static synchronized List<Finding> findings() {
    List<Finding> all = new ArrayList<>();
    VERDICTS.forEach((name, verdict) -> all.add(new Finding(verdict, name, "", "", List.of(), List.of(), "", 0, "", "")));
    return all;
  }

  /**
   * The iterations in which failures tell most, as those since the last save are made again.
   *
   * <p>The first one comes late, when most of what may be missing has been read: it has other values than at the loop's start.
   * The others have the iterations made again that have read it first.
   *
   * @param firstReads the iterations that have first read what may be missing
   * @return none if no iteration is made again, as each one saves, or none does
   */
  static synchronized List<Long> tellingIterations(Collection<Long> firstReads) {
    List<Long> failures = new ArrayList<>();
    Interval late = best(interval -> firstReads.stream().filter(read -> read <= interval.save).count(), true);
    if (late == null) {
      return failures;
    }
    failures.add(late.end);
    Set<Long> left = new HashSet<>(firstReads);
    left.removeIf(late::has);
    while (failures.size() < MOST_FAILURES) {
      Interval next = best(interval -> left.stream().filter(interval::has).count(), false);
      if (next == null) {
        break;
      }
      failures.add(next.end);
      left.removeIf(next::has);
    }
    return failures;
  }

  /** The iterations after a save: the one that saves, and the one of the next save, in which a process fails. */
  private record Interval(long save, long end) {
    boolean has(long iteration) {
      return iteration > save && iteration < end;
    }
  }

  /** The longest interval of those with most reads; null: there is none. @param isAny whether it may have no reads */
  private static Interval best(ToLongFunction<Interval> reads, boolean isAny) {
    Interval best = null;
    for (long save : SAVES) {
      Long next = SAVES.higher(save);
      Long end = next != null ? next : ITERATIONS.isEmpty() ? null : ITERATIONS.last();
      Interval interval = end == null || end - save <= 1 ? null : new Interval(save, end);
      if (interval == null || !isAny && reads.applyAsLong(interval) == 0) {
        continue;
      }
      long more = best == null ? 1 : reads.applyAsLong(interval) - reads.applyAsLong(best);
      if (more > 0 || more == 0 && interval.end - interval.save > best.end - best.save) {
        best = interval;
      }
    }
    return best;
  }

  /** Another program begins: for tests. */
  public static synchronized void reset() {
    FIRST_TIME.clear();
    VERDICTS.clear();
    UNDECIDED.clear();
    ITERATIONS.clear();
    SAVES.clear();
    isAbandoned = false;
  }
}
