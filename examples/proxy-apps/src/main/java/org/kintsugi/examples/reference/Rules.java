// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.reference;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How far each figure may be from the original's. Figures are named by their way through the JSON ({@code whole_mesh/max_energy},
 * {@code per_rank/0/rows}); in a pattern {@code *} stands for one name or number, {@code **} at the end for all below. The first
 * rule that fits a figure decides; one that no rule fits has to be the same.
 */
final class Rules {
  /** Decides about one number. */
  @FunctionalInterface
  interface Rule {
    /** Whether it is near enough; false for NaN. */
    boolean accepts(double actual, double expected);
  }

  /** A number as an original has printed it, which the figures have as a text. */
  private static final Pattern PRINTED = Pattern.compile("-?\\d+(\\.\\d+)?(e[-+]?\\d+)?");

  private record Entry(Pattern path, Rule rule) {}

  private final List<Entry> entries = new ArrayList<>();

  /** The same number, to the last bit. */
  Rules exact(String... paths) {
    return by((actual, expected) -> actual == expected, paths);
  }

  /** So far away at most, as a part of the original's figure. */
  Rules relative(double tolerance, String... paths) {
    return by((actual, expected) -> Math.abs(actual - expected) <= tolerance * Math.abs(expected), paths);
  }

  /** So far away at most. */
  Rules absolute(double tolerance, String... paths) {
    return by((actual, expected) -> Math.abs(actual - expected) <= tolerance, paths);
  }

  /** No larger than this, whatever the original's is. */
  Rules below(double limit, String... paths) {
    return by((actual, expected) -> Math.abs(actual) <= limit, paths);
  }

  /** Not compared, and need not be there. */
  Rules ignored(String... paths) {
    return by(null, paths);
  }

  /** As a rule of one's own has it. */
  Rules by(Rule rule, String... paths) {
    for (String path : paths) {
      String regex = path.replace("**", "\0").replace("*", "[^/]*").replace("\0", ".*");
      entries.add(new Entry(Pattern.compile(regex), rule));
    }
    return this;
  }

  /** The differences, in words; empty: none. */
  List<String> differences(JsonNode actual, JsonNode expected) {
    List<String> differences = new ArrayList<>();
    compare("", actual, expected, differences);
    return differences;
  }

  private void compare(String path, JsonNode actual, JsonNode expected, List<String> differences) {
    Entry entry = entries.stream().filter(one -> one.path.matcher(path).matches()).findFirst().orElse(null);
    if (entry != null && entry.rule == null) {
      return;
    }
    if (actual == null || actual.isMissingNode()) {
      differences.add(path + " is not there");
    } else if (expected.isObject()) {
      expected.fields().forEachRemaining(
          field -> compare(below(path, field.getKey()), actual.get(field.getKey()), field.getValue(), differences));
    } else if (expected.isArray()) {
      if (actual.size() != expected.size()) {
        differences.add(path + " has " + actual.size() + " entries instead of " + expected.size());
      }
      for (int i = 0; i < Math.min(actual.size(), expected.size()); i++) {
        compare(below(path, String.valueOf(i)), actual.get(i), expected.get(i), differences);
      }
    } else if (!isNear(entry, actual, expected)) {
      differences.add(path + ": " + actual + " instead of " + expected);
    }
  }

  private static boolean isNear(Entry entry, JsonNode actual, JsonNode expected) {
    boolean isPrinted = entry != null && expected.isTextual() && PRINTED.matcher(expected.asText()).matches()
        && actual.isTextual() && PRINTED.matcher(actual.asText()).matches();
    if (isPrinted) {
      return entry.rule.accepts(Double.parseDouble(actual.asText()), Double.parseDouble(expected.asText()));
    }
    if (!expected.isNumber()) {
      return actual.equals(expected);
    }
    if (!actual.isNumber()) {
      return false;
    }
    return entry == null ? actual.asDouble() == expected.asDouble()
        : entry.rule.accepts(actual.asDouble(), expected.asDouble());
  }

  private static String below(String path, String name) {
    return path.isEmpty() ? name : path + "/" + name;
  }
}
