// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * What the value of a setting may be.
 *
 * @param expected in words
 * @param accepts whether a value, without blanks around it, is one
 */
record SettingKind(String expected, Predicate<String> accepts) {
  /** Paths, addresses, names that the user gives. */
  static final SettingKind FREE = new SettingKind("anything", value -> true);

  /** Empty it would be the current folder: so comes a variable of the shell that is not set. */
  static final SettingKind FOLDER =
      new SettingKind("a folder, and this is empty (a variable that is not set?)", value -> !value.isEmpty());

  static final SettingKind TRUE_OR_FALSE = new SettingKind("true or false", List.of("true", "false")::contains);

  /** Empty: not known. */
  static final SettingKind FLAVOURS = new SettingKind("ulfm or reinit", List.of("", "ulfm", "reinit")::contains);

  static final SettingKind FTI_NODES = new SettingKind("ranks or hosts", List.of("ranks", "hosts")::contains);

  static final SettingKind FTI_LEVELS =
      new SettingKind("levels from 1 to 4 in this order, each but the first one with how often, "
          + "for instance 1,2:2,3:6,4:12", SettingKind::areLevelsOfFti);

  private static final List<String> LEVELS = List.of("memory", "xor", "file");
  private static final List<String> LIBRARIES = List.of("fti", "scr");

  /** Kintsugi's own: a program may have others. */
  static final SettingKind STORES = new SettingKind(String.join(", ", LEVELS) + ", " + String.join(" or ", LIBRARIES)
      + ", or several of the first three with how often, for instance memory,xor:4,file:20", SettingKind::areStores);

  static final SettingKind MESSAGE_STORES =
      new SettingKind("memory, file, jdbc, scr, or the name of a class", value -> !value.isEmpty());

  static SettingKind number(long least) {
    return new SettingKind("a whole number, " + (least == 0 ? "zero" : least) + " or greater",
        value -> isNumber(value, least, Long.MAX_VALUE));
  }

  static SettingKind number(long least, long most) {
    return new SettingKind("a whole number from " + least + " to " + most, value -> isNumber(value, least, most));
  }

  static SettingKind anyCase(String... words) {
    return new SettingKind(String.join(", ", words), value -> List.of(words).contains(value.toUpperCase(Locale.ROOT)));
  }

  /** That, or one word more. */
  SettingKind or(String word) {
    return new SettingKind(expected + ", or " + word, accepts.or(word::equals));
  }

  private static boolean isNumber(String value, long least, long most) {
    try {
      long number = Long.parseLong(value);
      return number >= least && number <= most;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean areStores(String value) {
    List<String> names = names(value);
    return LEVELS.containsAll(names) && !names.isEmpty() || names.size() == 1 && LIBRARIES.containsAll(names);
  }

  private static boolean areLevelsOfFti(String value) {
    List<String> names = names(value);
    return !names.isEmpty() && names.equals(names.stream().filter(name -> name.matches("[1-4]")).sorted().toList());
  }

  /** The levels of a schedule; empty: it is none. */
  private static List<String> names(String schedule) {
    try {
      return Schedule.parse("", schedule).names();
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }
}
