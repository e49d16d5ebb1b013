// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Counts how the jobs of a series ended, and what their process failures led to.
 *
 * <p>Each job and each failure is counted once. MPI cannot recover from every failure, and a
 * failure may come after the work is done. Both have a limit: beyond it a series proves nothing.
 */
public final class Tally {
  /** The highest share of jobs that may be abandoned. */
  public static final int MOST_ABANDONED_PERCENT = 15;
  /** The highest share of failures that may come too late. */
  public static final int MOST_LATE_PERCENT = 30;

  private static final int PERCENT = 100;

  private final Map<String, Integer> abandoned = new TreeMap<>();
  private final Map<String, Integer> startedAgain = new TreeMap<>();
  private final Map<String, Integer> badWays = new TreeMap<>();
  private int right;
  private int bad;
  private int struck;
  private int late;
  private int unknown;

  /**
   * Counts a job that ended with the right result.
   *
   * @param deaths its failures: recovered ones, and kills from outside that hit a process
   * @param lateFailures planned failures that did not come, or came when no recovery was needed
   */
  public void right(int deaths, int lateFailures) {
    right++;
    struck += deaths;
    late += lateFailures;
  }

  /** Counts a job that ended with the code for a restart. Not all its failures may have come. */
  public void abandoned(String reason, int deaths) {
    abandoned.merge(reason, 1, Integer::sum);
    unknown += deaths;
  }

  /** Counts a job that was abandoned, started again, and then ended with the right result. */
  public void rightWhenStartedAgain(String reason, int deaths) {
    right++;
    startedAgain.merge(reason, 1, Integer::sum);
    unknown += deaths;
  }

  /** Counts a job that ended in any other way. */
  public void bad() {
    bad++;
  }

  /** Counts a job that ended in any other way, with a description. */
  public void bad(String how) {
    bad();
    badWays.merge(how, 1, Integer::sum);
  }

  private static int sum(Map<String, Integer> counted) {
    return counted.values().stream().mapToInt(Integer::intValue).sum();
  }

  int rightJobs() {
    return right;
  }

  int jobs() {
    return right + sum(abandoned) + bad;
  }

  /** Whether any job was counted; false if all tests were skipped. */
  public boolean hasJobs() {
    return jobs() > 0;
  }

  /** Whether a failure was recovered, or a job was right when it was started again. */
  boolean hasShownAFailure() {
    return struck > 0 || !startedAgain.isEmpty();
  }

  /** Why the series, or this part of it, has failed; empty if it has not. */
  public String objection() {
    if (!hasJobs()) {
      return "no job ran";
    }
    if (bad > 0) {
      return bad + " jobs bad";
    }
    if (right == 0) {
      return "no job was right";
    }
    int abandonedOnce = sum(abandoned) + sum(startedAgain);
    if (isTooMany(abandonedOnce, jobs(), MOST_ABANDONED_PERCENT)) {
      return abandonedOnce + " of " + jobs() + " jobs abandoned: more than " + MOST_ABANDONED_PERCENT + " percent";
    }
    if (isTooMany(late, struck + late, MOST_LATE_PERCENT)) {
      return late + " of " + (struck + late) + " deaths came too late: more than " + MOST_LATE_PERCENT + " percent";
    }
    return "";
  }

  /**
   * Whether a share is over its limit. A single case never is.
   *
   * <p>A part of a series may have three jobs, of which one is a third. The whole series is held to
   * the same share, so that not every part may have its single case.
   */
  private static boolean isTooMany(int some, int all, int mostPercent) {
    return some > 1 && some * PERCENT > all * mostPercent;
  }

  private static String reasons(Map<String, Integer> counted) {
    return counted.isEmpty() ? "" : counted.entrySet().stream().map(reason -> reason.getValue() + ": " + reason.getKey())
        .collect(Collectors.joining(", ", " (", ")"));
  }

  @Override
  public String toString() {
    String again = startedAgain.isEmpty() ? "" : ", of which started again " + sum(startedAgain) + reasons(startedAgain);
    return jobs() + " jobs: " + right + " right" + again + ", " + sum(abandoned) + " abandoned" + reasons(abandoned) + ", " + bad
        + " bad" + reasons(badWays) + "; deaths: " + struck + " struck, " + late + " came too late, "
        + unknown + " were to come in abandoned jobs";
  }
}
