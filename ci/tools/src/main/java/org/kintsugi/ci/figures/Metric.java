// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.figures;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Something that is measured again and again, from a line of {@code docs/figures/metrics.jsonl}.
 *
 * @param name by which the benchmarks and the series record its values
 * @param section of the page
 * @param title a phrase that says what is measured
 * @param unit of the values
 * @param isLowerBetter whether a value above the bar misses it
 * @param bar what is aimed at: a number, "all" for n of n, or words that a reader has to judge by; null: nothing
 * @param command that measures it
 * @param values from the oldest one on
 */
record Metric(String name, String section, String title, String unit, boolean isLowerBetter, JsonNode bar, String command,
    List<Value> values) {
  static final String FOLDER = "docs/figures";
  static final String DEFINITIONS = "metrics.jsonl";
  static final String VALUES = "values.jsonl";

  /** A title, or a note, is read in a cell of a table. */
  private static final int MOST_CHARACTERS = 120;
  private static final Set<String> KEYS = Set.of("metric", "section", "title", "unit", "better", "bar", "command");

  /**
   * All metrics with their values, by their names, in the order of the file.
   *
   * @throws IllegalArgumentException if a line has another form, or values of an unknown metric
   */
  static Map<String, Metric> readAll(Path checkout) throws IOException {
    Path folder = checkout.resolve(FOLDER);
    Map<String, Metric> metrics = new LinkedHashMap<>();
    for (JsonNode line : lines(folder.resolve(DEFINITIONS))) {
      Metric metric = of(line);
      check(metrics.put(metric.name, metric) == null, line, "this metric is there twice");
    }
    for (JsonNode line : lines(folder.resolve(VALUES))) {
      Metric metric = metrics.get(Value.text(line, "metric"));
      check(metric != null, line, "metric: " + DEFINITIONS + " does not have it");
      metric.values.add(Value.of(line));
    }
    return metrics;
  }

  static Metric of(JsonNode line) {
    line.fieldNames().forEachRemaining(key -> check(KEYS.contains(key), line, key + ": expected one of " + KEYS));
    String better = Value.text(line, "better");
    check(better.equals("lower") || better.equals("higher"), line, "better: expected lower or higher");
    String title = Value.text(line, "title");
    check(title.length() <= MOST_CHARACTERS, line, "title: " + MOST_CHARACTERS + " characters are the most");
    return new Metric(Value.text(line, "metric"), Value.text(line, "section"), title, Value.text(line, "unit"),
        better.equals("lower"), line.get("bar"), Value.text(line, "command"), new ArrayList<>());
  }

  private static List<JsonNode> lines(Path file) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    List<JsonNode> nodes = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      nodes.add(mapper.readTree(line));
    }
    return nodes;
  }

  static void check(boolean isRight, JsonNode line, String what) {
    if (!isRight) {
      throw new IllegalArgumentException(FOLDER + ": " + what + ": " + line);
    }
  }

  Value newest() {
    return values.get(values.size() - 1);
  }

  /** Whether the newest value misses the bar. A bar of words is for the reader to judge. */
  boolean isMissed() {
    Value value = newest();
    if (bar == null) {
      return false;
    }
    if (bar.isNumber()) {
      return isLowerBetter ? value.middle() > bar.asDouble() : value.middle() < bar.asDouble();
    }
    return bar.asText().equals("all") && value.middle() < value.of();
  }
}
