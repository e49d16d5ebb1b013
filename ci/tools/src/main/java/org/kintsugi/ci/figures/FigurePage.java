// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.figures;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** The page of figures: of each metric the newest value, its bar, and a plot of all values. */
public final class FigurePage {
  private static final int WIDTH = 96;
  private static final int HEIGHT = 24;
  private static final int EDGE = 2;

  private FigurePage() {}

  /**
   * Makes the page.
   *
   * @param checkout with the data
   * @return its text by its path in the checkout
   */
  public static Map<String, String> of(Path checkout) throws IOException {
    return Map.of("docs/figures.md", page(Metric.readAll(checkout).values()));
  }

  private static String page(Collection<Metric> metrics) {
    List<Metric> missed = metrics.stream().filter(Metric::isMissed).toList();
    StringBuilder text = new StringBuilder(INTRODUCTION);
    text.append(String.format("%d figures. Of those with a bar %d miss it: %s.%n", metrics.size(), missed.size(),
        missed.stream().map(metric -> metric.title().replaceFirst("^the same", metric.section() + ": the same"))
            .collect(Collectors.joining("; "))));
    String section = "";
    for (Metric metric : metrics) {
      if (!metric.section().equals(section)) {
        section = metric.section();
        text.append("\n## ").append(section).append("\n\n| what | newest | bar | all | measured |\n|---|---|---|---|---|\n");
      }
      text.append(row(metric));
    }
    return text.toString();
  }

  private static String row(Metric metric) {
    Value newest = metric.newest();
    String command = newest.command().isEmpty() ? metric.command() : newest.command();
    String bar = metric.bar() == null ? "–" : metric.bar().asText() + (metric.isMissed() ? ": **missed**" : "");
    StringJoiner measured = new StringJoiner(", ");
    newest.conditions().forEach(measured::add);
    return "| " + metric.title() + " | " + newest.shown(metric.unit()) + " | " + bar + " | " + plot(metric) + " | " + measured
        + ": "
        + (command.startsWith("make ") ? "`" + command + "`" : command) + (newest.note().isEmpty() ? "" : ". " + newest.note())
        + " |\n";
  }

  /** A polyline through all values; with one value there is nothing to see. */
  static String plot(Metric metric) {
    List<Value> values = metric.values();
    if (values.size() == 1) {
      return "";
    }
    DoubleSummaryStatistics range = values.stream().mapToDouble(Value::inPlot).summaryStatistics();
    boolean hasBar = metric.bar() != null && metric.bar().isNumber() && values.get(0).of() == null;
    if (hasBar) {
      range.accept(metric.bar().asDouble());
    }
    StringJoiner points = new StringJoiner(" ");
    for (int i = 0; i < values.size(); i++) {
      points.add(String.format(Locale.ROOT, "%.1f,%s", EDGE + i * (double) (WIDTH - 2 * EDGE) / (values.size() - 1),
          height(values.get(i).inPlot(), range)));
    }
    String told = values.stream().map(value -> value.conditions().get(0) + ": " + value.shown("").strip())
        .collect(Collectors.joining("; "));
    String dashes =
        hasBar ? String.format("<path d=\"M0 %1$sH%2$d\" stroke=\"currentColor\" stroke-dasharray=\"2\" opacity=\".5\"/>",
            height(metric.bar().asDouble(), range), WIDTH) : "";
    return String.format(
        "<svg width=\"%d\" height=\"%d\" role=\"img\"><title>%s</title>%s"
            + "<polyline points=\"%s\" fill=\"none\" stroke=\"currentColor\"/></svg>",
        WIDTH, HEIGHT, told, dashes, points);
  }

  private static String height(double value, DoubleSummaryStatistics range) {
    double span = range.getMax() - range.getMin();
    double share = span == 0 ? 1. / 2 : (value - range.getMin()) / span;
    return String.format(Locale.ROOT, "%.1f", HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE));
  }

  private static final String INTRODUCTION =
      """
          <!-- Written by make pages, from docs/figures. -->

          # Figures

          Of each figure the newest value, with its spread in parentheses, the bar that it should reach, and a plot of all
          values from the first to the newest one (dashed: the bar; rest the pointer on it for the values). Timings are ratios
          to C in the same run where possible, as machines are shared and noisy. "4 + 1" means 4 ranks and 1 spare, "quiet" a
          machine without other load. Unless a row says more, the machine has 2 shared cores, Debian 12 and JDK 17, and Open MPI
          5.0.7 as `make setup` builds it. Undated values of the first figures have the date of 22 November 2026. Numbers of
          patches such as 0040 are those of [November 2026](../native/openmpi/patches/README.md).
          [Decisions](decisions/index.md) has the causes, and what was tried.

          `make bench RECORD=yes`, and the series with `RECORD=yes`, add their values to `docs/figures/values.jsonl`.

          """;
}
