// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.util.ArrayList;
import java.util.List;

/** Assigns saves to levels: {@code memory,xor:4,file:20}, every fourth to xor, every twentieth to file, else memory. */
public final class Schedule {
  private final List<String> names = new ArrayList<>();
  private final List<Long> periods = new ArrayList<>();

  private Schedule() {}

  /**
   * Reads a schedule: levels with their periods, lowest level first; a level without a period has 1, and one level has to have
   * that.
   *
   * @param property the system property that it comes from, for messages
   * @param text the schedule
   * @return what it says
   * @throws IllegalArgumentException if it is not of this form
   */
  public static Schedule parse(String property, String text) {
    Schedule schedule = new Schedule();
    for (String part : text.split(",", -1)) {
      String[] nameAndPeriod = part.trim().split(":", -1);
      if (nameAndPeriod.length > 2 || nameAndPeriod[0].isBlank()) {
        throw wrong(property, text, "'" + part + "' is not of the form LEVEL or LEVEL:EVERY");
      }
      long period = nameAndPeriod.length == 1 ? 1 : period(property, text, nameAndPeriod[1]);
      if (schedule.names.contains(nameAndPeriod[0])) {
        throw wrong(property, text, nameAndPeriod[0] + " is there twice");
      }
      if (!schedule.periods.isEmpty() && period <= schedule.periods.get(schedule.periods.size() - 1)) {
        throw wrong(property, text, "each level has to be less frequent than the one before it");
      }
      schedule.names.add(nameAndPeriod[0]);
      schedule.periods.add(period);
    }
    if (schedule.periods.get(0) != 1) {
      throw wrong(property, text, "the first level is the one for every save, without a period");
    }
    return schedule;
  }

  private static long period(String property, String text, String period) {
    try {
      long value = Long.parseLong(period.trim());
      if (value >= 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      // said below, once for both
    }
    throw wrong(property, text, "'" + period + "' is not a whole number of saves, 1 or greater");
  }

  private static IllegalArgumentException wrong(String property, String text, String what) {
    return new IllegalArgumentException("-D" + property + "=" + text + ": " + what);
  }

  /**
   * The levels.
   *
   * @return lowest first
   */
  public List<String> names() {
    return List.copyOf(names);
  }

  /**
   * The level that a save goes to: the highest one that is due.
   *
   * @param save its number; saves count from 1
   * @return the level's place in {@link #names}
   */
  public int levelOf(long save) {
    for (int level = names.size() - 1; level > 0; level--) {
      if (save % periods.get(level) == 0) {
        return level;
      }
    }
    return 0;
  }
}
