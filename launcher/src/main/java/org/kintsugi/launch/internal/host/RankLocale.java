// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.kintsugi.runtime.internal.PropertyNames;

/**
 * The locale of ranks.
 *
 * <p>In the locale C, which batch systems set, a JVM knows ASCII only: all other letters in names
 * of files, arguments and properties become "?" or are refused. C.UTF-8 differs in nothing else.
 * {@code bin/jmpirun} sets it for the launcher, where the host has it; ranks get the same one here.
 */
public final class RankLocale {
  static final String UTF_8 = "C.UTF-8";

  /**
   * The variables from which the C library reads the encoding. The first that is not empty decides.
   */
  private static final List<String> VARIABLES = List.of("LC_ALL", "LC_CTYPE", "LANG");

  private static final Set<String> ASCII = Set.of("", "C", "POSIX");

  private RankLocale() {}

  /**
   * What differs from the user's environment.
   *
   * @param given the environment of the launcher
   * @return a variable and its value; none where the user's locale knows more than ASCII
   */
  public static Map<String, String> of(Map<String, String> given) {
    String set = System.getProperty(PropertyNames.LOCALE, "");
    if (given.containsKey(set)) {
      return Map.of(set, given.get(set));
    }
    boolean isAscii = ASCII.contains(effective(given));
    return isAscii ? Map.of(given.getOrDefault("LC_ALL", "").isEmpty() ? "LC_CTYPE" : "LC_ALL", UTF_8) : Map.of();
  }

  /** The locale of the letters; empty: none is set, which is C. */
  static String effective(Map<String, String> environment) {
    return VARIABLES.stream().map(environment::get).filter(value -> value != null && !value.isEmpty()).findFirst().orElse("");
  }

  /** The locale of the letters that ranks have. */
  public static String ofRanks(Map<String, String> given) {
    return effective(forOtherHosts(given));
  }

  /** The variables that ranks on other hosts need: a login there may set none, or others. */
  public static Map<String, String> forOtherHosts(Map<String, String> given) {
    Map<String, String> all = new TreeMap<>();
    Stream.of(given, of(given)).forEach(from -> VARIABLES.stream().filter(name -> !Objects.toString(from.get(name), "").isEmpty())
        .forEach(name -> all.put(name, from.get(name))));
    return all;
  }
}
