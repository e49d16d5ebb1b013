// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.StreamSupport;

/** The report on persistent communicators: what they cost, and whether programs that lose a process have the same answer. */
public final class PersistReport implements StudyReport {
  private static final String OVERHEAD = "overhead";
  private static final String RECOVERY = "recovery";
  private static final int BY_INTERVAL = 9;
  private static final int BY_SIZE = 10;
  /** Standard errors of the fit parameter in the paper. */
  private static final double ERROR_BY_INTERVAL = 0.05;
  private static final double ERROR_BY_SIZE = 0.03;
  private static final double NEGLIGIBLE = 1.05;

  private final String title;
  private final String paper;
  private final Results results;

  /** @param lines of the log */
  public PersistReport(String title, String paper, Collection<JsonNode> lines) {
    this.title = title;
    this.paper = paper;
    results = new Results(lines);
  }

  @Override
  public boolean isAllRight() {
    return results.areAllRight();
  }

  @Override
  public String summary() {
    return results.summary();
  }

  /** The fit parameter of figure 9 of each store, the mean of the repetitions; by the stores' names. */
  public Map<String, Double> intervalParameters() {
    Map<String, Double> parameters = new LinkedHashMap<>();
    stores().forEach(store -> parameters.put(store, parameter(store, BY_INTERVAL).mean()));
    return parameters;
  }

  /** The time to store a message over that of a plain send, the mean of the repetitions; by the stores' names. */
  public Map<String, Double> latencies() {
    Map<String, Double> latencies = new LinkedHashMap<>();
    stores().forEach(store -> latencies.put(store, latency(store, "ratio").mean()));
    return latencies;
  }

  private List<Result> overheads(String store) {
    return results.right(result -> result.text("input").equals(OVERHEAD) && result.text("engine").equals(store));
  }

  /** Those that could be measured, in the order in which experiments have them. */
  private List<String> stores() {
    return results.distinct("engine").stream().filter(store -> !overheads(store).isEmpty()).sorted().toList();
  }

  private String label(String store) {
    return results.all().stream().filter(result -> result.text("engine").equals(store)).findFirst().orElseThrow().text("label");
  }

  private static String axis(int figure) {
    return figure == BY_INTERVAL ? "interval" : "points";
  }

  private static List<JsonNode> cases(Result result, int figure) {
    return StreamSupport.stream(result.line().path("cases").spliterator(), false)
        .filter(one -> one.path("figure").asInt() == figure).toList();
  }

  private static double ratio(JsonNode one) {
    return one.path("stored").asDouble() / one.path("plain").asDouble();
  }

  private double[] places(String store, int figure) {
    return overheads(store).stream().flatMap(result -> cases(result, figure).stream())
        .mapToDouble(one -> one.path(axis(figure)).asDouble()).distinct().sorted().toArray();
  }

  private double[] ratios(String store, int figure, double x) {
    return overheads(store).stream().flatMap(result -> cases(result, figure).stream())
        .filter(one -> one.path(axis(figure)).asDouble() == x).mapToDouble(PersistReport::ratio).toArray();
  }

  /** To the means of all repetitions. */
  private Overhead fit(String store, int figure) {
    List<Overhead.Point> points = new ArrayList<>();
    for (double x : places(store, figure)) {
      points.add(new Overhead.Point(x, Interval.of(ratios(store, figure, x)).mean()));
    }
    return Overhead.fit(points);
  }

  /** The parameter, fitted to each repetition. */
  private Interval parameter(String store, int figure) {
    return Interval.of(overheads(store).stream().mapToDouble(result -> Overhead.fit(cases(result, figure).stream()
        .map(one -> new Overhead.Point(one.path(axis(figure)).asDouble(), ratio(one))).toList()).c()).toArray());
  }

  private Interval latency(String store, String name) {
    return Interval.of(overheads(store).stream().mapToDouble(result -> result.line().path("latency").path(name).asDouble())
        .toArray());
  }

  @Override
  public Page page() {
    Page page = new Page(title, paper, results);
    if (results.all().isEmpty()) {
      return page;
    }
    page.claims(claims());
    page.heading("What persisting costs");
    page.paragraph("The heat equation with persisting over that without, both by turns in the same job; at each interval each "
        + "process stores the average of its temperatures, as in the paper, and a barrier makes one state of all. The model is "
        + "T(x) = (x + c)/x. The value of a repetition is that of one job.");
    figure(page, BY_INTERVAL, "Figure 9: by the interval between two states", "interval, steps");
    figure(page, BY_SIZE, "Figure 10: by the size of the problem, a state in each step", "points of a process");
    parameters(page);
    programs(page);
    figures(page);
    page.failures(result -> result.text("application") + ", " + result.text("label"), List.of());
    page.circumstances();
    return page;
  }

  private void figure(Page page, int figure, String name, String axis) {
    LineChart chart = new LineChart(name, axis, "time over that without, logarithmic", true, true,
        value -> String.format(Locale.ROOT, "%.0f", value));
    for (String store : stores()) {
      for (double x : places(store, figure)) {
        chart.add(label(store), x, Interval.of(ratios(store, figure, x)));
      }
      chart.model(label(store), fit(store, figure)::at);
    }
    if (!chart.isEmpty()) {
      page.figure(chart.svg(), name + ": mean of the repetitions with 95 % confidence intervals, and the model fitted to it.");
    }
  }

  private void parameters(Page page) {
    page.paragraph(
        "c: mean of the fits to each repetition [95 % confidence interval]; its error: the standard error of the fit to "
            + "the means, over c. Storing: 1 KiB, microseconds, forced to no disk, and over half of a ping-pong.");
    page.table("store", "repetitions", "c by interval, steps", "its error", "c by size, points", "its error", "storing",
        "over a plain send");
    for (String store : stores()) {
      page.row(label(store), overheads(store).size(), parameter(store, BY_INTERVAL), percent(relativeError(store, BY_INTERVAL)),
          parameter(store, BY_SIZE), percent(relativeError(store, BY_SIZE)), latency(store, "storeMicros"),
          latency(store, "ratio"));
    }
    page.endTable();
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", part * 100);
  }

  private double relativeError(String store, int figure) {
    Overhead fit = fit(store, figure);
    return fit.error() / Math.abs(fit.c());
  }

  private void programs(Page page) {
    List<Result> all = results.all().stream().filter(result -> result.text("input").equals(RECOVERY)).toList();
    if (all.isEmpty()) {
      return;
    }
    page.heading("The paper's programs");
    page.paragraph("The heat equation persists all temperatures, the two processes of figure 3 a seed, a boundary value and the "
        + "iteration. A failure is a SIGKILL at a random rank and iteration, the same for all stores; a spare replaces it. An "
        + "answer is right if it is that of most runs of the program, of all stores, with or without a failure, bit for bit.");
    page.table("program", "store", "failures", "runs", "right", "recovery, ms (heat only)");
    all.stream().map(Result::cell).distinct().forEach(cell -> {
      List<Result> ofCell = all.stream().filter(result -> result.cell().equals(cell) && !result.isUnavailable()).toList();
      if (!ofCell.isEmpty()) {
        double[] millis = ofCell.stream().filter(result -> result.line().has("recoveryMillis") && cell.hasFaults())
            .mapToDouble(result -> result.value("recoveryMillis")).toArray();
        page.row(cell.application(), label(cell.engine()), cell.faults(), ofCell.size(),
            ofCell.stream().filter(results::isRight).count(), Interval.of(millis));
      }
    });
    page.endTable();
  }

  private void figures(Page page) {
    page.details("All figures");
    page.table("figure", "store", "rows of a process", "interval", "repetitions", "time over that without");
    for (int figure : new int[] {BY_INTERVAL, BY_SIZE}) {
      for (String store : stores()) {
        for (JsonNode one : cases(overheads(store).get(0), figure)) {
          double[] ratios = ratios(store, figure, one.path(axis(figure)).asDouble());
          page.row(figure, label(store), one.path("rows").asInt(), one.path("interval").asInt(), ratios.length,
              Interval.of(ratios));
        }
      }
    }
    page.endTable();
  }

  private List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    for (String store : stores()) {
      String with = "Persist, " + label(store) + ": ";
      claims.add(Claim.below(with + "the overhead is less with the longest interval than with the shortest one",
          ends(store, BY_INTERVAL), 1, "the run takes"));
      claims.add(fits(with + "the model describes it by the interval (there: standard error of c below 5 %)", store, BY_INTERVAL,
          ERROR_BY_INTERVAL));
      double[] intervals = places(store, BY_INTERVAL);
      claims.add(Claim.below(with + "it is negligible (below 5 %) with the longest interval here, "
          + String.format(Locale.ROOT, "%.0f", intervals[intervals.length - 1]) + " steps",
          ratios(store, BY_INTERVAL, intervals[intervals.length - 1]), NEGLIGIBLE, "compared with no persisting it takes"));
      claims.add(Claim.below(with + "the overhead is less with the largest problem than with the smallest one",
          ends(store, BY_SIZE), 1, "the run takes"));
      claims.add(fits(with + "the model describes it by the size (there: standard error of c below 3 %)", store, BY_SIZE,
          ERROR_BY_SIZE));
    }
    return claims;
  }

  /** The overhead at the right end of the axis over that at the left one, of each repetition. */
  private double[] ends(String store, int figure) {
    double[] places = places(store, figure);
    double[] left = ratios(store, figure, places[0]);
    double[] right = ratios(store, figure, places[places.length - 1]);
    for (int i = 0; i < right.length; i++) {
      right[i] /= left[i];
    }
    return right;
  }

  private Claim fits(String statement, String store, int figure, double bound) {
    int repetitions = overheads(store).size();
    if (repetitions < Claim.FEWEST) {
      return Claim.tooFew(statement, repetitions);
    }
    double error = relativeError(store, figure);
    return new Claim(statement, error < bound ? Claim.Verdict.SEEN : Claim.Verdict.NOT_SEEN, "the standard error of c is "
        + percent(error) + " of it, in a fit to the means of " + repetitions + " repetitions");
  }

  @Override
  public String table() {
    StringBuilder csv = new StringBuilder("program,store,faults,repetition,outcome,right,figure,rows,interval,plain_s,stored_s,"
        + "recovery_ms,wall_s,load\n");
    for (Result result : results.all()) {
      String begin = String.join(",", result.text("application"), result.text("engine"), result.text("faults"),
          result.text("repetition"), result.text("outcome"), String.valueOf(results.isRight(result)));
      String end = "," + result.text("recoveryMillis") + "," + result.text("wallSeconds") + "," + result.text("load") + "\n";
      if (!result.line().path("cases").isEmpty()) {
        for (JsonNode one : result.line().path("cases")) {
          csv.append(begin);
          for (String name : List.of("figure", "rows", "interval", "plain", "stored")) {
            csv.append(',').append(one.path(name).asText());
          }
          csv.append(end);
        }
      } else {
        csv.append(begin).append(",,,,,").append(end);
      }
    }
    return csv.toString();
  }
}
