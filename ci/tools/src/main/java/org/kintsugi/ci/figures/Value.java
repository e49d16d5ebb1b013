// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.figures;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A measured value, from a line of {@code docs/figures/values.jsonl}.
 *
 * @param value a median or a single value; null: only the range is known
 * @param low the lowest one; null: not known
 * @param high the highest one; null: not known
 * @param of how many there were, if the value counts some of them; else null
 * @param n the number of measurements; null: not known
 * @param conditions commit, machine, load and date, as far as they are known
 * @param note what a reader must know to understand the value; may be empty
 * @param command that measured it, if it is another one than the metric's; else empty
 */
record Value(BigDecimal value, BigDecimal low, BigDecimal high, Integer of, Integer n, List<String> conditions, String note,
    String command) {
  /** The machine of most figures, which the page says once. */
  private static final String MACHINE = "2 shared cores, Debian 12, JDK 17";
  private static final int MOST_CHARACTERS = 120;
  private static final Set<String> KEYS =
      Set.of("metric", "value", "low", "high", "of", "n", "commit", "machine", "load", "date", "bar", "command", "note");
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM yyyy", Locale.ROOT);

  static Value of(JsonNode line) {
    line.fieldNames().forEachRemaining(key -> Metric.check(KEYS.contains(key), line, key + ": expected one of " + KEYS));
    Metric.check(line.has("value") || line.has("low") && line.has("high"), line, "value, or low and high: missing");
    String note = line.path("note").asText();
    Metric.check(note.length() <= MOST_CHARACTERS, line,
        "note: " + MOST_CHARACTERS + " characters are the most; a cause has its place in docs/decisions");
    List<String> conditions = new ArrayList<>();
    conditions.add(line.has("date") ? DAY.format(LocalDate.parse(text(line, "date"))) : "date not known");
    Stream.of("load", "commit").filter(line::has).map(line::get).map(JsonNode::asText).forEach(conditions::add);
    String machine = text(line, "machine").replaceFirst("^" + MACHINE + "(, )?", "");
    if (!machine.isEmpty()) {
      conditions.add(machine);
    }
    return new Value(number(line, "value"), number(line, "low"), number(line, "high"), integer(line, "of"), integer(line, "n"),
        conditions, note, line.path("command").asText());
  }

  static String text(JsonNode line, String key) {
    Metric.check(line.path(key).isTextual(), line, key + ": missing");
    return line.get(key).asText();
  }

  private static BigDecimal number(JsonNode line, String key) {
    return line.has(key) ? new BigDecimal(line.get(key).asText()) : null;
  }

  private static Integer integer(JsonNode line, String key) {
    return line.has(key) ? line.get(key).asInt() : null;
  }

  double middle() {
    return value != null ? value.doubleValue() : (low.doubleValue() + high.doubleValue()) / 2;
  }

  /** For a plot: values that count some of several are comparable as shares only. */
  double inPlot() {
    return of == null ? middle() : middle() / of;
  }

  /** As a reader sees it: the value, and its spread in parentheses. */
  String shown(String unit) {
    String spread = low == null ? "" : plain(low) + " to " + plain(high);
    if (value == null) {
      return spread + " " + unit;
    }
    String count = n == null ? "" : n.toString() + (of == null ? " measured" : "");
    String more = Stream.of(spread, count).filter(part -> !part.isEmpty()).collect(Collectors.joining("; "));
    String measured = plain(value) + (of == null ? "" : " of " + of) + (unit.isEmpty() ? "" : " " + unit);
    return measured + (more.isEmpty() ? "" : " (" + more + ")");
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}
