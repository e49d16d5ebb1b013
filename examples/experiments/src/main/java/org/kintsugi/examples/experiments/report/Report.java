// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.kintsugi.examples.app.OutputFile;
import org.kintsugi.examples.experiments.report.Result.Cell;
import org.kintsugi.examples.experiments.report.Result.Part;

/** An experiment's report: one HTML file without outside references, and the same figures as CSV. */
public final class Report {
  /** The papers whose claims a report can have. */
  public static final Set<String> CLAIMS = Set.of("match", "reinit", "reinit-nodes", "failures", "factors");

  /** Runs with any failures, in one figure. */
  private static final String ANY = "";

  private static final String STYLE = """
      body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #222 }
      table { border-collapse: collapse; margin: 1rem 0; font-size: .9rem } .wide { overflow-x: auto }
      th, td { border: 1px solid #bbb; padding: .25rem .5rem; text-align: left } td.n { text-align: right }
      svg { width: 100%; height: auto } figure { margin: 1.5rem 0; break-inside: avoid } figcaption { font-size: .9rem }
      pre { overflow-x: auto; background: #f3f3f3; padding: .5rem } .bad { font-weight: bold }
      """;

  private final String title;
  private final String paper;
  private final String claims;
  private final Axis over;
  private final Labels labels;
  private final List<String> leftOut;
  private final Results results;

  /**
   * How things are called.
   *
   * @param application by name
   * @param design by name
   * @param engine by name
   * @param what a design does, in a line
   */
  public record Labels(Function<String, String> application, Function<String, String> design, Function<String, String> engine,
      Function<String, String> what) {}

  /**
   * @param paper what the experiment repeats
   * @param claims one of {@link #CLAIMS}
   * @param over what is on the horizontal axis, {@code ranks}, {@code inputs} or {@code faults}
   * @param leftOut which combinations are not run, and why
   * @param runs the lines of the log, by key
   */
  public Report(String title, String paper, String claims, String over, Labels labels, List<String> leftOut,
      Map<String, JsonNode> runs) {
    this.title = title;
    this.paper = paper;
    this.claims = claims;
    this.over = Axis.of(over);
    this.labels = labels;
    this.leftOut = List.copyOf(leftOut);
    results = new Results(runs.values());
  }

  /** Whether all runs that this machine can make have ended, with the same answers, and there were any. */
  public boolean isAllRight() {
    return !results.right(result -> true).isEmpty() && results.wrong().isEmpty() && results.notEnded().isEmpty();
  }

  /** In a line. */
  public String summary() {
    return results.all().size() + " runs: " + results.right(result -> true).size() + " right, " + results.wrong().size()
        + " with another answer, " + results.notEnded().size() + " failed or hung, " + results.unavailable().size()
        + " not possible here";
  }

  /** Writes both files, each under a temporary name first, so that nobody sees a part. */
  public void write(Path html, Path csv) throws IOException {
    OutputFile.write(html, page());
    OutputFile.write(csv, table());
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }

  private String page() {
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" + escaped(title) + "</title><style>\n"
        + STYLE + "</style></head><body>\n<h1>" + escaped(title) + "</h1>\n<p>Repeats: " + escaped(paper) + ".</p>\n<p"
        + (isAllRight() ? "" : " class=\"bad\"") + ">" + escaped(summary()) + ".</p>\n");
    if (results.all().isEmpty()) {
      return page.append("<p>There are no results yet.</p></body></html>\n").toString();
    }
    claims(page);
    designs(page);
    for (String faults : over == Axis.FAULTS ? List.of(ANY) : results.places(Axis.FAULTS)) {
      page.append("<h2>").append(faults.equals(ANY) ? "Figures" : heading(faults)).append("</h2>\n");
      for (String application : results.distinct("application")) {
        breakdown(page, application, faults);
      }
      for (String application : results.distinct("application")) {
        recoveries(page, application, faults);
      }
    }
    tables(page);
    readiness(page);
    failures(page);
    circumstances(page);
    return page.append("</body></html>\n").toString();
  }

  private void claims(StringBuilder page) {
    page.append("<h2>Claims</h2>\n<div class=\"wide\"><table><tr><th>claim</th><th>here</th><th>figures: mean [95 % confidence "
        + "interval]</th></tr>\n");
    for (Claim claim : Claim.of(claims, results, over)) {
      page.append("<tr><td>").append(escaped(claim.statement())).append("</td><td>").append(claim.verdict().words)
          .append("</td><td>").append(escaped(claim.why())).append("</td></tr>\n");
    }
    page.append("</table></div>\n");
  }

  private void designs(StringBuilder page) {
    page.append("<h2>Designs</h2>\n<ul>\n");
    for (String design : results.distinct("design")) {
      page.append("<li><b>").append(escaped(labels.design.apply(design))).append("</b>: ")
          .append(escaped(labels.what.apply(design))).append("</li>\n");
    }
    page.append("</ul>\n<p>A recovery is measured in the ranks, in the same way for all designs: from the failure until the last "
        + "rank is in the loop again, its data restored. Processor time is that of all processes of the job on this "
        + "host.</p>\n");
  }

  private String place(Cell cell) {
    return switch (over) {
      case RANKS -> String.valueOf(cell.ranks());
      case INPUTS -> cell.input();
      case FAULTS -> cell.faults();
    };
  }

  private List<Cell> cells(Predicate<Cell> wanted) {
    return results.all().stream().map(Result::cell).distinct().filter(wanted).toList();
  }

  private Interval interval(Cell cell, Part part) {
    return results.interval(result -> result.cell().equals(cell), result -> result.seconds(part));
  }

  /** The bars of a figure that have this part, in the order of the experiment. */
  private List<Cell> bars(String application, String faults, Part part) {
    List<String> designs = results.distinct("design");
    List<String> places = results.places(over);
    return cells(cell -> cell.application().equals(application) && (faults.equals(ANY) || cell.faults().equals(faults))).stream()
        .filter(cell -> !interval(cell, part).isNothing())
        .sorted(Comparator.<Cell>comparingInt(cell -> places.indexOf(place(cell)))
            .thenComparing(cell -> designs.indexOf(cell.design())))
        .toList();
  }

  private static String heading(String faults) {
    return switch (faults) {
      case "0" -> "Without a failure";
      case "1" -> "With 1 failure";
      case "node" -> "With the failure of a node";
      default -> "With " + faults + " failures";
    };
  }

  private String title(String application, String faults) {
    String heading = heading(faults);
    return labels.application.apply(application)
        + (faults.equals(ANY) ? "" : ", " + heading.substring(0, 1).toLowerCase(Locale.ROOT) + heading.substring(1));
  }

  /** Of the design, and what else tells the bars of a group apart. */
  private String name(Cell cell) {
    String name = labels.design.apply(cell.design());
    if (results.distinct("engine").size() > 1) {
      name += ", " + labels.engine.apply(cell.engine());
    }
    if (over != Axis.INPUTS && results.distinct("input").size() > 1) {
      name += ", " + cell.input();
    }
    return over != Axis.RANKS && results.numbers("ranks").size() > 1 ? name + ", " + cell.ranks() + " ranks" : name;
  }

  private void breakdown(StringBuilder page, String application, String faults) {
    List<Cell> cells = bars(application, faults, Part.APPLICATION);
    if (cells.isEmpty()) {
      return;
    }
    String title = title(application, faults);
    BarChart chart = new BarChart(title + ": where the time goes", over.title(), "seconds",
        Arrays.stream(Part.values()).map(part -> part.word).toList(), false);
    for (Cell cell : cells) {
      chart.add(place(cell), name(cell), Arrays.stream(Part.values()).map(part -> interval(cell, part)).toList());
    }
    figure(page, chart, title + ": execution time of the application, of checkpoints and of the recovery, on the average of the "
        + "repetitions.");
  }

  private void recoveries(StringBuilder page, String application, String faults) {
    List<Cell> cells = bars(application, faults, Part.RECOVERY).stream().filter(Cell::hasFaults).toList();
    if (cells.isEmpty()) {
      return;
    }
    String title = title(application, faults);
    BarChart chart = new BarChart(title + ": recovery", over.title(), "seconds, logarithmic", List.of("recovery"), true);
    for (Cell cell : cells) {
      chart.add(place(cell), name(cell), List.of(interval(cell, Part.RECOVERY)));
    }
    figure(page, chart, title + ": time of the recovery, logarithmic, with 95 % confidence intervals.");
  }

  private static void figure(StringBuilder page, BarChart chart, String caption) {
    page.append("<figure>").append(chart.svg()).append("<figcaption>").append(escaped(caption))
        .append("</figcaption></figure>\n");
  }

  private Map<Cell, List<Result>> rightByCell() {
    Map<Cell, List<Result>> byCell = new LinkedHashMap<>();
    cells(cell -> true).forEach(cell -> byCell.put(cell, results.right(result -> result.cell().equals(cell))));
    return byCell;
  }

  private void tables(StringBuilder page) {
    page.append("<h2>All figures</h2>\n<p>Seconds: mean [95 % confidence interval].</p>\n<div class=\"wide\"><table><tr>"
        + "<th>application</th><th>input</th><th>ranks</th><th>design</th><th>engine</th><th>failures</th><th>runs</th>"
        + "<th>application</th><th>checkpoints</th><th>recovery</th><th>iterations again</th><th>processor time</th></tr>\n");
    rightByCell().forEach((cell, right) -> {
      page.append("<tr><td>").append(escaped(labels.application.apply(cell.application()))).append("</td><td>")
          .append(escaped(cell.input())).append("</td><td class=\"n\">").append(cell.ranks()).append("</td><td>")
          .append(escaped(labels.design.apply(cell.design()))).append("</td><td>")
          .append(escaped(labels.engine.apply(cell.engine()))).append("</td><td class=\"n\">").append(escaped(cell.faults()))
          .append("</td><td class=\"n\">").append(right.size()).append("</td>");
      for (Part part : Part.values()) {
        number(page, Interval.of(right.stream().mapToDouble(result -> result.seconds(part)).toArray()));
      }
      number(page, Interval.of(right.stream().mapToDouble(result -> result.value("iterationsAgain")).toArray()));
      number(page, Interval.of(right.stream().mapToDouble(result -> result.value("processorSeconds")).toArray()));
      page.append("</tr>\n");
    });
    page.append("</table></div>\n");
  }

  /** What each design costs while nothing fails. */
  private void readiness(StringBuilder page) {
    List<Result> without = results.right(result -> !result.cell().hasFaults());
    if (without.isEmpty()) {
      return;
    }
    page.append(
        "<h2>The price of being ready</h2>\n<p>Runs without a failure. Processes that wait: those of the job on this host "
            + "that are no ranks; memory (pages that n processes share count one n-th) and wake-ups are those of one of them. "
            + "Processor time and energy are those of the whole run"
            + (without.stream().anyMatch(result -> result.line().hasNonNull("joules")) ? "" : "; the energy cannot be read here")
            + ".</p>\n<div class=\"wide\"><table><tr><th>design</th><th>runs</th><th>processes that wait</th><th>MiB</th>"
            + "<th>wake-ups per second</th><th>processor seconds</th><th>joules</th></tr>\n");
    for (String design : results.distinct("design")) {
      List<Result> runs = without.stream().filter(result -> result.text("design").equals(design)).toList();
      page.append("<tr><td>").append(escaped(labels.design.apply(design))).append("</td><td class=\"n\">").append(runs.size())
          .append("</td>");
      for (String path : List.of("/waiting/processes", "/waiting/mebibytes", "/waiting/wakeUpsPerSecond", "/processorSeconds",
          "/joules")) {
        number(page, Interval.of(runs.stream().map(result -> result.line().at(path)).filter(JsonNode::isNumber)
            .mapToDouble(JsonNode::asDouble).toArray()));
      }
      page.append("</tr>\n");
    }
    page.append("</table></div>\n");
  }

  private static void number(StringBuilder page, Interval interval) {
    page.append("<td class=\"n\">").append(interval.isNothing() ? "–" : interval.count() == 1 ? digits(interval.mean())
        : digits(interval.mean()) + " [" + digits(interval.low()) + ", " + digits(interval.high()) + "]").append("</td>");
  }

  private static String digits(double value) {
    return value == 0 ? "0" : String.format(Locale.ROOT, value < 0.1 ? "%.4f" : value < 10 ? "%.2f" : "%.1f", value);
  }

  private void failures(StringBuilder page) {
    List<Result> bad = new ArrayList<>(results.wrong());
    bad.addAll(results.notEnded());
    if (!bad.isEmpty()) {
      page.append("<h2>Runs that failed</h2>\n");
      for (Result result : bad) {
        page.append("<h3>").append(escaped(result.text("key"))).append("</h3>\n<p>")
            .append(result.hasEnded() ? "another answer than the other designs" : escaped(result.text("why")))
            .append("</p>\n<pre>").append(escaped(result.text("command"))).append("\n").append(escaped(result.text("output")))
            .append("</pre>\n");
      }
    }
    Map<String, List<Result>> missing = results.unavailable().stream().collect(
        Collectors.groupingBy(result -> labels.design.apply(result.text("design")) + ", "
            + labels.engine.apply(result.text("engine")) + ": " + result.text("why"), LinkedHashMap::new, Collectors.toList()));
    if (!leftOut.isEmpty()) {
      page.append("<h2>Left out</h2>\n<ul>\n");
      leftOut.forEach(why -> page.append("<li>").append(escaped(why)).append("</li>\n"));
      page.append("</ul>\n");
    }
    if (!missing.isEmpty()) {
      page.append("<h2>Not possible on this machine</h2>\n<ul>\n");
      missing.forEach((why, runs) -> page.append("<li>").append(escaped(why)).append(" (").append(runs.size())
          .append(" runs)</li>\n"));
      page.append("</ul>\n");
    }
  }

  private void circumstances(StringBuilder page) {
    page.append("<h2>Where it ran</h2>\n");
    results.all().stream().map(result -> result.line().path("circumstances")).distinct().forEach(here -> page
        .append("<pre>").append(escaped(here.path("host").asText() + ", " + here.path("processors").asText() + " processors, "
            + here.path("memoryMiB").asText() + " MiB, " + here.path("system").asText() + "\nJava " + here.path("java").asText()
            + (here.path("commit").asText().isEmpty() ? "" : "\ncommit " + here.path("commit").asText()) + "\n"
            + here.path("installed").asText()))
        .append("</pre>\n"));
    page.append("<p>Each line of the .jsonl file beside this page has the command of its run.</p>\n");
  }

  private String table() {
    StringBuilder csv = new StringBuilder("application,input,ranks,design,engine,faults,repetition,outcome,right,"
        + "application_s,checkpoints_s,recovery_s,iterations_again,wall_s,processor_s,joules,load\n");
    for (Result result : results.all()) {
      csv.append(String.join(",", result.text("application"), result.text("input"), result.text("ranks"), result.text("design"),
          result.text("engine"), result.text("faults"), result.text("repetition"), result.text("outcome"),
          String.valueOf(results.isRight(result))));
      for (Part part : Part.values()) {
        csv.append(',').append(result.hasEnded() ? String.valueOf(result.seconds(part)) : "");
      }
      csv.append(',').append(result.text("iterationsAgain")).append(',').append(result.text("wallSeconds")).append(',')
          .append(result.text("processorSeconds")).append(',')
          .append(result.line().path("joules").asText("").replace("null", "")).append(',').append(result.text("load"))
          .append('\n');
    }
    return csv.toString();
  }
}
