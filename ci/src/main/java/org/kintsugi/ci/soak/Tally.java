// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How the jobs of a series ended, and what became of the deaths in them: each job and each death is counted once.
 *
 * <p>MPI cannot mend every failure, and a death may come when all is over. Both have a limit: beyond it a series shows nothing.
 */
public final class Tally {
  /** At most so many jobs of a hundred may be given up, and so many deaths of a hundred may come too late. */
  public static final int MOST_GIVEN_UP_PERCENT = 15;
  public static final int MOST_LATE_PERCENT = 30;

  private static final int PERCENT = 100;

  private final Map<String, Integer> givenUp = new TreeMap<>();
  private final Map<String, Integer> startedAgain = new TreeMap<>();
  private final Map<String, Integer> badWays = new TreeMap<>();
  private int right;
  private int bad;
  private int struck;
  private int late;
  private int unknown;

  /**
   * A job that ended with the right result.
   *
   * @param deaths that struck in it: those that were mended, and kills from outside that hit a process
   * @param lateDeaths that were to come in it, and did not, or when nothing was left to mend
   */
  public void right(int deaths, int lateDeaths) {
    right++;
    struck += deaths;
    late += lateDeaths;
  }

  /** A job that ended with the code that asks for another start; how many of its deaths had come by then is not known. */
  public void givenUp(String reason, int deaths) {
    givenUp.merge(reason, 1, Integer::sum);
    unknown += deaths;
  }

  /** A job that was given up, was started again, and then ended with the right result. */
  public void rightWhenStartedAgain(String reason, int deaths) {
    right++;
    startedAgain.merge(reason, 1, Integer::sum);
    unknown += deaths;
  }

  /** A job that ended in any other way. */
  public void bad() {
    bad++;
  }

  /** The same, and how that was. */
  public void bad(String how) {
    bad();
    badWays.merge(how, 1, Integer::sum);
  }

  private static int sum(Map<String, Integer> counted) {
    return counted.values().stream().mapToInt(Integer::intValue).sum();
  }

  private int jobs() {
    return right + sum(givenUp) + bad;
  }

  /** Whether any job was counted: none is where all tests were skipped. */
  public boolean hasJobs() {
    return jobs() > 0;
  }

  /** Whether a death was mended, or a job with one was right when it was started again. */
  boolean hasShownADeath() {
    return struck > 0 || !startedAgain.isEmpty();
  }

  /** The failure of the series, or of a part of it; empty: none. */
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
    int givenUpOnce = sum(givenUp) + sum(startedAgain);
    if (isTooMany(givenUpOnce, jobs(), MOST_GIVEN_UP_PERCENT)) {
      return givenUpOnce + " of " + jobs() + " jobs given up: more than " + MOST_GIVEN_UP_PERCENT + " percent";
    }
    if (isTooMany(late, struck + late, MOST_LATE_PERCENT)) {
      return late + " of " + (struck + late) + " deaths came too late: more than " + MOST_LATE_PERCENT + " percent";
    }
    return "";
  }

  /**
   * One is never too many: a part of a series may have three jobs, of which it is a third. That not every part has one, the whole
   * shows, which is held to the same share.
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
    return jobs() + " jobs: " + right + " right" + again + ", " + sum(givenUp) + " given up" + reasons(givenUp) + ", " + bad
        + " bad" + reasons(badWays) + "; deaths: " + struck + " struck, " + late + " came too late, "
        + unknown + " were to come in jobs given up";
  }
}
