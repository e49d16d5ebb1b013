// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The report on revocations. A latency is the longest of all ranks; the mean of the repetitions of a job is the job's value, and
 * intervals are over jobs.
 */
public final class RevokeReport implements StudyReport {
  private static final String WHAT = "Plan A repeats a collective; the initiator revokes plan A's communicator instead of taking "
      + "part, and all continue with plan B on another one. A latency is the longest of all ranks, and the figures have the mean "
      + "of the repetitions, as the paper has it. With more ranks than processors that mean has slices of the scheduler in it, "
      + "so that the table has the median as well, and Java is compared with C by medians. Both are measured after a warm-up, in "
      + "which the JVM has compiled what throws the exception of a revoked call.";
  private static final String JAVA = "Java";
  private static final String C = "C";
  private static final String BARRIER = "barrier";
  private static final String MEAN = "mean";
  private static final String MEDIAN = "median";
  private static final int BEFORE = 0;
  private static final int REVOKED = 1;
  private static final int FIRST = 2;
  private static final int THIRD = 4;
  private static final int FIFTH = 6;
  /** What Java may take, compared with C. */
  private static final double BAR = 1.15;
  /** Messages above which the paper sees no impact on the first collective after the revocation. */
  private static final int LARGER = 512;
  private static final int MIB = 1 << 20;

  private final String title;
  private final String paper;
  private final int at;
  private final List<String> steps;
  private final Results results;

  /**
   * @param at ranks of the figures over initiators and sizes
   * @param steps the names of the latencies, in the order of the logs' numbers: before, revoked, 1st to 5th after
   * @param lines of the log
   */
  public RevokeReport(String title, String paper, int at, List<String> steps, Collection<JsonNode> lines) {
    this.title = title;
    this.paper = paper;
    this.at = at;
    this.steps = List.copyOf(steps);
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

  private static boolean has(Result result, String variant) {
    return result.line().path("micros").has(variant);
  }

  private static double micros(Result result, String variant, String statistic, int step) {
    return result.line().path("micros").path(variant).path(statistic).path(step).asDouble();
  }

  private static boolean isBarrier(Result result) {
    return result.text("application").equals(BARRIER);
  }

  private static String point(Result result) {
    return result.text("application") + (isBarrier(result) ? "" : " of " + bytes(result.number("bytes"))) + ", "
        + result.number("ranks") + " ranks, initiator " + result.number("initiator");
  }

  private static String bytes(double number) {
    return number >= MIB ? String.format(Locale.ROOT, "%.0f Mi", number / MIB)
        : number >= 1024 ? String.format(Locale.ROOT, "%.0f Ki", number / 1024) : String.format(Locale.ROOT, "%.0f", number);
  }

  @Override
  public Page page() {
    Page page = new Page(title, paper, results);
    if (results.all().isEmpty()) {
      return page;
    }
    page.claims(claims());
    List<String> without = results.all().stream().map(result -> result.text("withoutC")).filter(why -> !why.isEmpty()).distinct()
        .toList();
    without.forEach(why -> page.paragraph("C was not measured, in some runs or in all: " + why + "."));
    page.paragraph(WHAT);
    for (String variant : List.of(JAVA, C)) {
      page.heading("In " + variant);
      chart(page, variant, "Figure 3: revoking in a barrier on " + at + " ranks", "rank of the initiator", false,
          result -> result.number("initiator"), value -> String.format(Locale.ROOT, "%.0f", value),
          result -> isBarrier(result) && result.number("ranks") == at);
      for (boolean isBarrier : new boolean[] {true, false}) {
        chart(page, variant, "Figure 4: " + (isBarrier ? "barrier" : "allreduce of 8 bytes"), "ranks", true,
            result -> result.number("ranks"), value -> String.format(Locale.ROOT, "%.0f", value),
            result -> isBarrier(result) == isBarrier && result.number("initiator") == 0
                && (isBarrier || result.number("bytes") == Double.BYTES));
      }
      chart(page, variant, "Figure 5: allreduce on " + at + " ranks", "bytes", true, result -> result.number("bytes"),
          RevokeReport::bytes, result -> !isBarrier(result) && result.number("ranks") == at && result.number("initiator") == 0);
    }
    figures(page);
    page.failures(RevokeReport::point, List.of());
    page.circumstances();
    return page;
  }

  private void chart(Page page, String variant, String name, String axis, boolean isLogarithmic, ToDoubleFunction<Result> x,
      DoubleFunction<String> label, Predicate<Result> wanted) {
    LineChart chart =
        new LineChart(name + ", in " + variant, axis, "microseconds, logarithmic", isLogarithmic, true, label);
    List<Result> right = results.right(wanted.and(result -> has(result, variant)));
    double[] places = right.stream().mapToDouble(x).distinct().sorted().toArray();
    for (int step = 0; step < steps.size(); step++) {
      for (double place : places) {
        int ofStep = step;
        chart.add(steps.get(step), place, Interval.of(right.stream().filter(result -> x.applyAsDouble(result) == place)
            .mapToDouble(result -> micros(result, variant, MEAN, ofStep)).toArray()));
      }
    }
    if (!chart.isEmpty()) {
      page.figure(chart.svg(), name + ", in " + variant + ": mean latency before the revocation, of the revoked call, and of the "
          + "first five calls after it, with 95 % confidence intervals.");
    }
  }

  private void figures(Page page) {
    page.details("All figures");
    page.paragraph(
        "Microseconds: mean of the jobs [95 % confidence interval]; Java over C: geometric mean of the jobs' ratios of "
            + "medians.");
    page.table("collective", "jobs", "repetitions", "latency", "Java, mean", "C, mean", "Java, median", "C, median",
        "Java over C");
    Map<String, List<Result>> byPoint = results.right(result -> true).stream()
        .sorted(Comparator.comparing((Result result) -> result.text("application"), Comparator.reverseOrder())
            .thenComparing(result -> result.number("ranks")).thenComparing(result -> result.number("bytes"))
            .thenComparing(result -> result.number("initiator")))
        .collect(Collectors.groupingBy(RevokeReport::point, LinkedHashMap::new, Collectors.toList()));
    byPoint.forEach((point, ofPoint) -> {
      int times = ofPoint.stream().mapToInt(result -> result.number("times")).min().orElse(0);
      for (int step = 0; step < steps.size(); step++) {
        page.row(point, ofPoint.size(), times, steps.get(step), interval(ofPoint, JAVA, MEAN, step),
            interval(ofPoint, C, MEAN, step), interval(ofPoint, JAVA, MEDIAN, step), interval(ofPoint, C, MEDIAN, step),
            Interval.ofRatios(overC(ofPoint, step)));
      }
    });
    page.endTable();
  }

  private static Interval interval(List<Result> of, String variant, String statistic, int step) {
    return Interval.of(of.stream().filter(result -> has(result, variant))
        .mapToDouble(result -> micros(result, variant, statistic, step)).toArray());
  }

  private static double[] overC(List<Result> of, int step) {
    return of.stream().filter(result -> has(result, JAVA) && has(result, C))
        .mapToDouble(result -> micros(result, JAVA, MEDIAN, step) / micros(result, C, MEDIAN, step)).toArray();
  }

  /** One latency over another of the same job, of Java, as jobs without the C twin have it, too. */
  private double[] ratios(int step, int over, Predicate<Result> wanted) {
    return results.right(wanted).stream()
        .mapToDouble(result -> micros(result, JAVA, MEAN, step) / micros(result, JAVA, MEAN, over))
        .toArray();
  }

  /** A latency of some jobs over that of the job of the same repetition to which {@code base} leads. */
  private double[] overBase(int step, Predicate<Result> wanted, Predicate<Result> base) {
    List<Result> bases = results.right(base);
    List<Double> ratios = new ArrayList<>();
    for (Result result : results.right(wanted)) {
      bases.stream().filter(other -> other != result && other.number("repetition") == result.number("repetition")
          && other.number("ranks") == result.number("ranks")).findFirst()
          .ifPresent(other -> ratios.add(micros(result, JAVA, MEAN, step) / micros(other, JAVA, MEAN, step)));
    }
    return ratios.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private List<Claim> claims() {
    Predicate<Result> ofFirst = result -> result.number("initiator") == 0;
    Predicate<Result> small = result -> result.number("bytes") == Double.BYTES;
    List<Claim> claims = new ArrayList<>();
    claims.add(Claim.same("Plan B: the revoked barrier takes the same time whatever rank revokes",
        "compared with initiator 0 it takes",
        overBase(REVOKED, result -> isBarrier(result) && result.number("ranks") == at && result.number("initiator") > 0,
            ofFirst.and(RevokeReport::isBarrier))));
    claims.add(Claim.below("Plan B: a revoked barrier takes less time than a normal one",
        ratios(REVOKED, BEFORE, RevokeReport::isBarrier), 1, "it takes"));
    claims.add(Claim.above("Plan B: the first barrier after it takes longer than before (there: about twice as long)",
        ratios(FIRST, BEFORE, RevokeReport::isBarrier), 1, "it takes"));
    claims.add(Claim.same("Plan B: the fifth barrier after it takes the same time as before", "it takes",
        ratios(FIFTH, BEFORE, RevokeReport::isBarrier)));
    claims.add(Claim.same("Plan B: the third allreduce after it takes the same time as before", "it takes",
        ratios(THIRD, BEFORE, small)));
    claims.add(Claim.same("Plan B: the time of the revoked call is independent of the collective",
        "an allreduce, compared with a barrier, takes",
        overBase(REVOKED, small.and(ofFirst), ofFirst.and(RevokeReport::isBarrier))));
    claims.add(Claim.same("Plan B: the revoked allreduce takes the same time for all messages below 1 MiB",
        "compared with 8 bytes it takes",
        overBase(REVOKED, result -> result.number("bytes") > Double.BYTES && result.number("bytes") < MIB && ofFirst.test(result),
            small.and(ofFirst))));
    claims.add(Claim.same("Plan B: of messages of more than 512 bytes the first allreduce after it takes the same time as before",
        "it takes",
        ratios(FIRST, BEFORE, result -> result.number("bytes") > LARGER)));
    for (int step = 0; step < steps.size(); step++) {
      claims.add(Claim.below("Kintsugi: in Java it takes at most " + BAR + " times the time in C: " + steps.get(step),
          overC(results.right(result -> true), step), BAR, "it takes"));
    }
    return claims;
  }

  @Override
  public String table() {
    StringBuilder csv = new StringBuilder("collective,bytes,ranks,initiator,repetition,outcome,times,variant,latency,mean_us,"
        + "median_us,wall_s,load\n");
    for (Result result : results.all()) {
      for (String variant : List.of(JAVA, C)) {
        for (int step = 0; has(result, variant) && step < steps.size(); step++) {
          csv.append(String.join(",", result.text("application"), result.text("bytes"), result.text("ranks"),
              result.text("initiator"), result.text("repetition"), result.text("outcome"), result.text("times"), variant,
              steps.get(step), String.valueOf(micros(result, variant, MEAN, step)),
              String.valueOf(micros(result, variant, MEDIAN, step)), result.text("wallSeconds"), result.text("load")))
              .append('\n');
        }
      }
      if (!result.hasEnded()) {
        csv.append(String.join(",", result.text("application"), result.text("bytes"), result.text("ranks"),
            result.text("initiator"), result.text("repetition"), result.text("outcome"), "", "", "", "", "", "", ""))
            .append('\n');
      }
    }
    return csv.toString();
  }
}
