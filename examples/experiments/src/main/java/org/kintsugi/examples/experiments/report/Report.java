// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.kintsugi.examples.experiments.report.Result.Cell;
import org.kintsugi.examples.experiments.report.Result.Part;

/** An experiment's report: one HTML file without outside references, and the same figures as CSV. */
public final class Report implements StudyReport {
  /** The papers whose claims a report can have. */
  public static final Set<String> CLAIMS = Set.of("match", "reinit", "reinit-nodes", "failures", "factors");

  /** Runs with any failures, in one figure. */
  private static final String ANY = "";

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
   * @param runs the lines of the log
   */
  public Report(String title, String paper, String claims, String over, Labels labels, List<String> leftOut,
      Collection<JsonNode> runs) {
    this.title = title;
    this.paper = paper;
    this.claims = claims;
    this.over = Axis.of(over);
    this.labels = labels;
    this.leftOut = List.copyOf(leftOut);
    results = new Results(runs);
  }

  @Override
  public boolean isAllRight() {
    return results.areAllRight();
  }

  @Override
  public String summary() {
    return results.summary();
  }

  @Override
  public Page page() {
    Page page = new Page(title, paper, results);
    if (results.all().isEmpty()) {
      return page;
    }
    page.claims(Claim.of(claims, results, over));
    designs(page);
    for (String faults : over == Axis.FAULTS ? List.of(ANY) : results.places(Axis.FAULTS)) {
      page.heading(faults.equals(ANY) ? "Figures" : heading(faults));
      for (String application : results.distinct("application")) {
        breakdown(page, application, faults);
      }
      for (String application : results.distinct("application")) {
        recoveries(page, application, faults);
      }
    }
    tables(page);
    readiness(page);
    page.failures(result -> labels.design.apply(result.text("design")) + ", " + labels.engine.apply(result.text("engine")),
        leftOut);
    page.circumstances();
    return page;
  }

  private void designs(Page page) {
    page.heading("Designs");
    page.items(results.distinct("design").stream().map(design -> labels.design.apply(design) + ": " + labels.what.apply(design))
        .toList());
    page.paragraph("A recovery is measured in the ranks, in the same way for all designs: from the failure until the last "
        + "rank is in the loop again, its data restored. Processor time is that of all processes of the job on this host.");
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

  private void breakdown(Page page, String application, String faults) {
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
    page.figure(chart.svg(),
        title + ": execution time of the application, of checkpoints and of the recovery, on the average of the "
            + "repetitions.");
  }

  private void recoveries(Page page, String application, String faults) {
    List<Cell> cells = bars(application, faults, Part.RECOVERY).stream().filter(Cell::hasFaults).toList();
    if (cells.isEmpty()) {
      return;
    }
    String title = title(application, faults);
    BarChart chart = new BarChart(title + ": recovery", over.title(), "seconds, logarithmic", List.of("recovery"), true);
    for (Cell cell : cells) {
      chart.add(place(cell), name(cell), List.of(interval(cell, Part.RECOVERY)));
    }
    page.figure(chart.svg(), title + ": time of the recovery, logarithmic, with 95 % confidence intervals.");
  }

  private Map<Cell, List<Result>> rightByCell() {
    Map<Cell, List<Result>> byCell = new LinkedHashMap<>();
    cells(cell -> true).forEach(cell -> byCell.put(cell, results.right(result -> result.cell().equals(cell))));
    return byCell;
  }

  private void tables(Page page) {
    page.details("All figures");
    page.paragraph("Seconds: mean [95 % confidence interval].");
    page.table("application", "input", "ranks", "design", "engine", "failures", "runs", "application", "checkpoints", "recovery",
        "iterations again", "processor time");
    rightByCell().forEach((cell, right) -> {
      List<Object> row = new ArrayList<>(List.of(labels.application.apply(cell.application()), cell.input(), cell.ranks(),
          labels.design.apply(cell.design()), labels.engine.apply(cell.engine()), cell.faults(), right.size()));
      for (Part part : Part.values()) {
        row.add(Interval.of(right.stream().mapToDouble(result -> result.seconds(part)).toArray()));
      }
      row.add(Interval.of(right.stream().mapToDouble(result -> result.value("iterationsAgain")).toArray()));
      row.add(Interval.of(right.stream().mapToDouble(result -> result.value("processorSeconds")).toArray()));
      page.row(row.toArray());
    });
    page.endTable();
  }

  /** What each design costs while nothing fails. */
  private void readiness(Page page) {
    List<Result> without = results.right(result -> !result.cell().hasFaults());
    if (without.isEmpty()) {
      return;
    }
    page.heading("The price of being ready");
    page.paragraph("Runs without a failure. Processes that wait: those of the job on this host that are no ranks; memory (pages "
        + "that n processes share count one n-th) and wake-ups are those of one of them. Processor time and energy are those of "
        + "the whole run"
        + (without.stream().anyMatch(result -> result.line().hasNonNull("joules")) ? "." : "; the energy cannot be read here."));
    page.table("design", "runs", "processes that wait", "MiB", "wake-ups per second", "processor seconds", "joules");
    for (String design : results.distinct("design")) {
      List<Result> runs = without.stream().filter(result -> result.text("design").equals(design)).toList();
      List<Object> row = new ArrayList<>(List.of(labels.design.apply(design), runs.size()));
      for (String path : List.of("/waiting/processes", "/waiting/mebibytes", "/waiting/wakeUpsPerSecond", "/processorSeconds",
          "/joules")) {
        row.add(Interval.of(runs.stream().map(result -> result.line().at(path)).filter(JsonNode::isNumber)
            .mapToDouble(JsonNode::asDouble).toArray()));
      }
      page.row(row.toArray());
    }
    page.endTable();
  }

  @Override
  public String table() {
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
