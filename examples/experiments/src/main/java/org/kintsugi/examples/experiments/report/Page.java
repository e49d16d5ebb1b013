// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.kintsugi.examples.app.OutputFile;

/**
 * The page of a report, and what the reports of all kinds of experiments have in common. It has two forms: one HTML file with
 * everything, and Markdown with its figures as files, for a manual, which leaves out the details.
 */
public final class Page {
  private static final String STYLE = """
      body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #222 }
      table { border-collapse: collapse; margin: 1rem 0; font-size: .9rem } .wide { overflow-x: auto }
      th, td { border: 1px solid #bbb; padding: .25rem .5rem; text-align: left } td.n { text-align: right }
      svg { width: 100%; height: auto } figure { margin: 1.5rem 0; break-inside: avoid } figcaption { font-size: .9rem }
      pre { overflow-x: auto; background: #f3f3f3; padding: .5rem } .bad { font-weight: bold }
      """;

  /** Stands for the name of the file until it is known. */
  private static final String CSV = "CSV";
  /** Of a time as text: the length of its day. */
  private static final int DAY = 10;

  private final StringBuilder html;
  private final StringBuilder markdown;
  private final List<String> pictures = new ArrayList<>();
  private final Results results;
  private boolean isDetail;

  /** @param paper what the experiment repeats */
  Page(String title, String paper, Results results) {
    this.results = results;
    html = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" + escaped(title) + "</title><style>\n"
        + STYLE + "</style></head><body>\n<h1>" + escaped(title) + "</h1>\n<p>Repeats: " + escaped(paper) + ".</p>\n<p"
        + (results.areAllRight() ? "" : " class=\"bad\"") + ">" + escaped(results.summary()) + ".</p>\n");
    markdown = new StringBuilder("# " + title + "\n\nRepeats: " + paper + ". " + results.summary() + ".\n\n");
    if (results.all().isEmpty()) {
      html.append("<p>There are no results yet.</p>");
    }
  }

  /** The page as one file without outside references. */
  public String html() {
    return html + "</body></html>\n";
  }

  /**
   * Writes the page for a manual: {@code NAME.md}, and its figures, {@code NAME-1.svg} and so on. Details are left out; {@code
   * NAME.csv}, which others write, has them.
   */
  public void writeMarkdown(Path folder, String name) throws IOException {
    for (int i = 0; i < pictures.size(); i++) {
      OutputFile.write(folder.resolve(picture(name, i)), pictures.get(i));
    }
    String text = markdown.toString();
    for (int i = 0; i < pictures.size(); i++) {
      text = text.replace("(" + picture("", i) + ")", "(" + picture(name, i) + ")");
    }
    OutputFile.write(folder.resolve(name + ".md"), text.replace("(" + CSV + ")", "(" + name + ".csv)"));
  }

  private static String picture(String name, int index) {
    return name + "-" + (index + 1) + ".svg";
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }

  void heading(String text) {
    isDetail = false;
    html.append("<h2>").append(escaped(text)).append("</h2>\n");
    markdown.append("## ").append(text).append("\n\n");
  }

  /** Begins a section that only the HTML has. */
  void details(String text) {
    isDetail = true;
    html.append("<h2>").append(escaped(text)).append("</h2>\n");
  }

  void paragraph(String text) {
    html.append("<p>").append(escaped(text)).append("</p>\n");
    inMarkdown(text + "\n\n");
  }

  void items(List<String> texts) {
    html.append("<ul>\n");
    texts.forEach(text -> html.append("<li>").append(escaped(text)).append("</li>\n"));
    html.append("</ul>\n");
    texts.forEach(text -> inMarkdown("- " + text + "\n"));
    inMarkdown("\n");
  }

  void figure(String svg, String caption) {
    html.append("<figure>").append(svg).append("<figcaption>").append(escaped(caption)).append("</figcaption></figure>\n");
    inMarkdown("![" + caption + "](" + picture("", pictures.size()) + ")\n\n");
    pictures.add(svg);
  }

  void claims(List<Claim> claims) {
    heading("Claims");
    table("claim", "here", "figures: mean [95 % confidence interval]");
    claims.forEach(claim -> row(claim.statement(), claim.verdict().words, claim.why()));
    endTable();
  }

  /** Begins a table; its rows follow. */
  void table(String... columns) {
    html.append("<div class=\"wide\"><table><tr>");
    for (String column : columns) {
      html.append("<th>").append(escaped(column)).append("</th>");
    }
    html.append("</tr>\n");
    inMarkdown("| " + String.join(" | ", columns) + " |\n" + "|---".repeat(columns.length) + "|\n");
  }

  /** A row: intervals and whole numbers to the right, all else to the left. */
  void row(Object... cells) {
    html.append("<tr>");
    for (Object cell : cells) {
      html.append(cell instanceof Interval || cell instanceof Number ? "<td class=\"n\">" : "<td>").append(escaped(words(cell)))
          .append("</td>");
    }
    html.append("</tr>\n");
    inMarkdown(
        Arrays.stream(cells).map(cell -> words(cell).replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  void endTable() {
    html.append("</table></div>\n");
    inMarkdown("\n");
  }

  private void inMarkdown(String text) {
    if (!isDetail) {
      markdown.append(text);
    }
  }

  private static String words(Object cell) {
    if (!(cell instanceof Interval interval)) {
      return String.valueOf(cell);
    }
    return interval.isNothing() ? "–" : interval.count() == 1 ? digits(interval.mean())
        : digits(interval.mean()) + " [" + digits(interval.low()) + ", " + digits(interval.high()) + "]";
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
        String why = result.hasEnded() ? "another answer than the other designs" : result.text("why");
        html.append("<h3>").append(escaped(result.text("key"))).append("</h3>\n<p>").append(escaped(why)).append("</p>\n<pre>")
            .append(escaped(result.text("command"))).append("\n").append(escaped(result.text("output"))).append("</pre>\n");
        inMarkdown("- `" + result.text("key") + "`: " + why + "\n");
      }
      inMarkdown("\n");
    }
    Map<String, List<Result>> missing = results.unavailable().stream().collect(
        Collectors.groupingBy(result -> what.apply(result) + ": " + result.text("why"), LinkedHashMap::new, Collectors.toList()));
    if (!leftOut.isEmpty()) {
      heading("Left out");
      items(leftOut);
    }
    if (!missing.isEmpty()) {
      heading("Not possible on this machine");
      items(missing.entrySet().stream().map(entry -> entry.getKey() + " (" + entry.getValue().size() + " runs)").toList());
    }
  }

  void circumstances() {
    heading("Where it ran");
    results.all().stream().map(result -> result.line().path("circumstances")).distinct().forEach(this::circumstances);
    html.append("<p>Each line of the .jsonl file beside this page has the command of its run.</p>\n");
    TreeSet<String> days = new TreeSet<>();
    results.all().stream().map(result -> result.text("started")).filter(time -> time.length() > DAY)
        .forEach(time -> days.add(time.substring(0, DAY)));
    markdown.append("On ").append(String.join(", ", days)).append(". [All runs](" + CSV + ").\n");
  }

  private void circumstances(JsonNode here) {
    String text = here.path("host").asText() + ", " + here.path("processors").asText() + " processors, "
        + here.path("memoryMiB").asText() + " MiB, " + here.path("system").asText() + "\nJava " + here.path("java").asText()
        + (here.path("commit").asText().isEmpty() ? "" : "\ncommit " + here.path("commit").asText()) + "\n"
        + here.path("installed").asText();
    html.append("<pre>").append(escaped(text)).append("</pre>\n");
    markdown.append("```\n").append(text.strip()).append("\n```\n\n");
  }
}
