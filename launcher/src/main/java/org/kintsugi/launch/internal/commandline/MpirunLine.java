// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.kintsugi.launch.spec.LaunchException;

/** A command line of mpirun that grows. The user's own options, on the command line or in the environment, stay. */
public final class MpirunLine {
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
  public MpirunLine(List<String> given, Map<String, String> environment, Set<String> prefixes) {
    this.given = List.copyOf(given);
    this.environment = environment;
    this.prefixes = prefixes;
  }

  public void add(String... more) {
    words.addAll(List.of(more));
  }

  public void addAll(List<String> more) {
    words.addAll(more);
  }

  /** Whether the user gave one of these options. */
  public boolean has(String... options) {
    return given.stream().map(option -> option.split("=", 2)[0]).anyMatch(List.of(options)::contains);
  }

  /**
   * The values that the user gave for one of these options.
   *
   * @param what the kind of value, for error messages
   * @throws LaunchException if an option follows where a value must
   */
  public List<String> values(String what, Set<String> options) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      String[] parts = given.get(i).split("=", 2);
      if (!options.contains(parts[0])) {
        continue;
      }
      String value = parts.length == 2 ? parts[1] : i + 1 < given.size() ? given.get(++i) : "";
      if (value.isEmpty() || value.startsWith("-")) {
        throw new LaunchException(parts[0] + ": a " + what + " is missing" + (value.isEmpty() ? "" : " in front of " + value));
      }
      values.add(value);
    }
    return values;
  }

  /** Whether the user has set this parameter. */
  public boolean isSet(String name) {
    return value(name).isPresent();
  }

  /** To what the user has set this parameter, if at all. */
  public Optional<String> value(String name) {
    int at = given.indexOf(name);
    if (at >= 0) {
      return Optional.of(at + 1 < given.size() ? given.get(at + 1) : "");
    }
    return prefixes.stream().map(prefix -> environment.get(prefix + name)).filter(Objects::nonNull).findFirst();
  }

  public Map<String, String> environment() {
    return environment;
  }

  /** Sets a parameter that the user has not. */
  public void mca(String option, String name, String value) {
    if (!isSet(name)) {
      add(option, name, value);
    }
  }

  /** Whether the user hands this variable to the ranks. */
  public boolean exports(String name) {
    return given.stream().anyMatch(option -> option.equals(name) || option.startsWith(name + "="));
  }

  /** Hands a variable to the ranks, unless the user does. */
  public void export(String name, String value) {
    if (!exports(name) && !environment.containsKey(name)) {
      add("-x", name + "=" + value);
    }
  }

  public List<String> words() {
    return words;
  }
}
