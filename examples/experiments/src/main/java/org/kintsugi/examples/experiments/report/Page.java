// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The page of a report, and what the reports of all kinds of experiments have in common. */
final class Page {
  private static final String STYLE = """
      body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #222 }
      table { border-collapse: collapse; margin: 1rem 0; font-size: .9rem } .wide { overflow-x: auto }
      th, td { border: 1px solid #bbb; padding: .25rem .5rem; text-align: left } td.n { text-align: right }
      svg { width: 100%; height: auto } figure { margin: 1.5rem 0; break-inside: avoid } figcaption { font-size: .9rem }
      pre { overflow-x: auto; background: #f3f3f3; padding: .5rem } .bad { font-weight: bold }
      """;

  private final StringBuilder page;
  private final Results results;

  /** @param paper what the experiment repeats */
  Page(String title, String paper, Results results) {
    this.results = results;
    page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" + escaped(title) + "</title><style>\n"
        + STYLE + "</style></head><body>\n<h1>" + escaped(title) + "</h1>\n<p>Repeats: " + escaped(paper) + ".</p>\n<p"
        + (results.areAllRight() ? "" : " class=\"bad\"") + ">" + escaped(results.summary()) + ".</p>\n");
    if (results.all().isEmpty()) {
      page.append("<p>There are no results yet.</p>");
    }
  }

  /** What there is of it, to add to. */
  StringBuilder text() {
    return page;
  }

  String end() {
    return page.append("</body></html>\n").toString();
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }

  void heading(String text) {
    page.append("<h2>").append(escaped(text)).append("</h2>\n");
  }

  void paragraph(String text) {
    page.append("<p>").append(escaped(text)).append("</p>\n");
  }

  void figure(String svg, String caption) {
    page.append("<figure>").append(svg).append("<figcaption>").append(escaped(caption)).append("</figcaption></figure>\n");
  }

  void claims(List<Claim> claims) {
    heading("Claims");
    page.append("<div class=\"wide\"><table><tr><th>claim</th><th>here</th><th>figures: mean [95 % confidence "
        + "interval]</th></tr>\n");
    for (Claim claim : claims) {
      page.append("<tr><td>").append(escaped(claim.statement())).append("</td><td>").append(claim.verdict().words)
          .append("</td><td>").append(escaped(claim.why())).append("</td></tr>\n");
    }
    page.append("</table></div>\n");
  }

  /** Begins a table; its rows follow. */
  void table(String... columns) {
    page.append("<div class=\"wide\"><table><tr>");
    for (String column : columns) {
      page.append("<th>").append(escaped(column)).append("</th>");
    }
    page.append("</tr>\n");
  }

  /** A row: intervals and whole numbers to the right, all else to the left. */
  void row(Object... cells) {
    page.append("<tr>");
    for (Object cell : cells) {
      if (cell instanceof Interval interval) {
        number(page, interval);
      } else {
        page.append(cell instanceof Number ? "<td class=\"n\">" : "<td>").append(escaped(String.valueOf(cell))).append("</td>");
      }
    }
    page.append("</tr>\n");
  }

  void endTable() {
    page.append("</table></div>\n");
  }

  static void number(StringBuilder page, Interval interval) {
    page.append("<td class=\"n\">").append(interval.isNothing() ? "–" : interval.count() == 1 ? digits(interval.mean())
        : digits(interval.mean()) + " [" + digits(interval.low()) + ", " + digits(interval.high()) + "]").append("</td>");
  }

  private static String digits(double value) {
    return value == 0 ? "0"
        : String.format(Locale.ROOT, value < 0.1 ? "%.4f" : value < 10 ? "%.2f" : value < 1000 ? "%.1f" : "%.0f", value);
  }

  /**
   * Runs that failed, and runs that this machine cannot make.
   *
   * @param what could not be made, in words, without the reason
   * @param leftOut which combinations are not run, and why
   */
  void failures(Function<Result, String> what, List<String> leftOut) {
    List<Result> bad = new ArrayList<>(results.wrong());
    bad.addAll(results.notEnded());
    if (!bad.isEmpty()) {
      heading("Runs that failed");
      for (Result result : bad) {
        page.append("<h3>").append(escaped(result.text("key"))).append("</h3>\n<p>")
            .append(result.hasEnded() ? "another answer than the other designs" : escaped(result.text("why")))
            .append("</p>\n<pre>").append(escaped(result.text("command"))).append("\n").append(escaped(result.text("output")))
            .append("</pre>\n");
      }
    }
    Map<String, List<Result>> missing = results.unavailable().stream().collect(
        Collectors.groupingBy(result -> what.apply(result) + ": " + result.text("why"), LinkedHashMap::new, Collectors.toList()));
    if (!leftOut.isEmpty()) {
      heading("Left out");
      page.append("<ul>\n");
      leftOut.forEach(why -> page.append("<li>").append(escaped(why)).append("</li>\n"));
      page.append("</ul>\n");
    }
    if (!missing.isEmpty()) {
      heading("Not possible on this machine");
      page.append("<ul>\n");
      missing.forEach((why, runs) -> page.append("<li>").append(escaped(why)).append(" (").append(runs.size())
          .append(" runs)</li>\n"));
      page.append("</ul>\n");
    }
  }

  void circumstances() {
    heading("Where it ran");
    results.all().stream().map(result -> result.line().path("circumstances")).distinct().forEach(here -> page
        .append("<pre>").append(escaped(here.path("host").asText() + ", " + here.path("processors").asText() + " processors, "
            + here.path("memoryMiB").asText() + " MiB, " + here.path("system").asText() + "\nJava " + here.path("java").asText()
            + (here.path("commit").asText().isEmpty() ? "" : "\ncommit " + here.path("commit").asText()) + "\n"
            + here.path("installed").asText()))
        .append("</pre>\n"));
    page.append("<p>Each line of the .jsonl file beside this page has the command of its run.</p>\n");
  }
}
