// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A command line of mpirun that grows. What the user has given for it, on the command line or in the environment, stands. */
final class MpirunLine {
  private final List<String> words = new ArrayList<>();
  private final List<String> given;
  private final Map<String, String> environment;
  private final Set<String> prefixes;

  /**
   * An empty one.
   *
   * @param given the user's options
   * @param prefixes of the environment variables that set parameters of this mpirun
   */
  MpirunLine(List<String> given, Map<String, String> environment, Set<String> prefixes) {
    this.given = List.copyOf(given);
    this.environment = environment;
    this.prefixes = prefixes;
  }

  void add(String... more) {
    words.addAll(List.of(more));
  }

  void addAll(List<String> more) {
    words.addAll(more);
  }

  /** Whether the user gave one of these options. */
  boolean has(String... options) {
    return given.stream().map(option -> option.split("=", 2)[0]).anyMatch(List.of(options)::contains);
  }

  /** Whether the user has set this parameter. */
  boolean isSet(String name) {
    return given.contains(name) || prefixes.stream().anyMatch(prefix -> environment.containsKey(prefix + name));
  }

  /** Sets a parameter that the user has not. */
  void mca(String option, String name, String value) {
    if (!isSet(name)) {
      add(option, name, value);
    }
  }

  /** Hands a variable to the ranks, unless the user does. */
  void export(String name, String value) {
    boolean isGiven = given.stream().anyMatch(option -> option.equals(name) || option.startsWith(name + "="));
    if (!isGiven && !environment.containsKey(name)) {
      add("-x", name + "=" + value);
    }
  }

  List<String> words() {
    return words;
  }
}
