// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** All results of an experiment, and which of them have the right answer. */
final class Results {
  private final List<Result> all;
  private final Map<String, JsonNode> answers = new HashMap<>();

  Results(Collection<JsonNode> lines) {
    all = lines.stream().map(Result::new).toList();
    Map<String, Map<JsonNode, Integer>> votes = new HashMap<>();
    for (Result result : all) {
      if (result.hasEnded()) {
        votes.computeIfAbsent(result.problem(), problem -> new LinkedHashMap<>()).merge(result.line().path("figures"), 1,
            Integer::sum);
      }
    }
    // Of answers with the same number of votes the one that came first.
    votes.forEach((problem, answer) -> answers.put(problem, answer.entrySet().stream()
        .reduce((most, next) -> next.getValue() > most.getValue() ? next : most).orElseThrow().getKey()));
  }

  /** Whether all runs that this machine can make have ended, with the same answers, and there were any. */
  boolean areAllRight() {
    return !right(result -> true).isEmpty() && wrong().isEmpty() && notEnded().isEmpty();
  }

  /** In a line. */
  String summary() {
    return all.size() + " runs: " + right(result -> true).size() + " right, " + wrong().size() + " with another answer, "
        + notEnded().size() + " failed or hung, " + unavailable().size() + " not possible here";
  }

  List<Result> all() {
    return all;
  }

  /** Whether the run has ended with the answer that most runs of its problem have, bit for bit. */
  boolean isRight(Result result) {
    return result.hasEnded() && result.line().path("figures").equals(answers.get(result.problem()));
  }

  List<Result> right(Predicate<Result> wanted) {
    return all.stream().filter(this::isRight).filter(wanted).toList();
  }

  List<Result> wrong() {
    return all.stream().filter(result -> result.hasEnded() && !isRight(result)).toList();
  }

  List<Result> notEnded() {
    return all.stream().filter(result -> !result.hasEnded() && !result.isUnavailable()).toList();
  }

  List<Result> unavailable() {
    return all.stream().filter(Result::isUnavailable).toList();
  }

  /** The values of a name that occur, in the order of the experiment. */
  List<String> distinct(String name) {
    Set<String> values = new LinkedHashSet<>();
    all.forEach(result -> values.add(result.text(name)));
    return new ArrayList<>(values);
  }

  /** The places on an axis, from the left: numbers by size, others in the order of the experiment. */
  List<String> places(Axis axis) {
    List<String> places = distinct(axis.field);
    if (places.stream().allMatch(place -> place.matches("\\d+"))) {
      places.sort(Comparator.comparing(Long::valueOf));
    }
    return places;
  }

  List<Integer> numbers(String name) {
    return all.stream().map(result -> result.number(name)).distinct().sorted().toList();
  }

  Interval interval(Predicate<Result> wanted, ToDoubleFunction<Result> value) {
    return Interval.of(right(wanted).stream().mapToDouble(value).toArray());
  }

  private boolean haveCommonEngine(String one, String other) {
    List<String> engines = all.stream().filter(result -> result.text("design").equals(one)).map(result -> result.text("engine"))
        .toList();
    return all.stream().anyMatch(result -> result.text("design").equals(other) && engines.contains(result.text("engine")));
  }

  /**
   * One design's values over another's, of the same problem, failures and repetition, and of the same engine, if the designs do
   * not have engines of their own.
   *
   * @return a ratio for each pair
   */
  double[] ratios(String design, String over, Predicate<Result> wanted, ToDoubleFunction<Result> value) {
    // Where each design has checkpoints of its own, as in the Reinit++ paper's table 2, no pair has the same.
    boolean haveSameEngines = !Collections.disjoint(engines(design), engines(over));
    Function<Result, String> place = result -> result.problem() + "/" + (haveSameEngines ? result.text("engine") : "") + "/"
        + result.text("faults") + "/" + result.number("repetition");
    Map<String, Double> below = new HashMap<>();
    right(wanted.and(result -> result.text("design").equals(over)))
        .forEach(result -> below.put(place.apply(result), value.applyAsDouble(result)));
    return right(wanted.and(result -> result.text("design").equals(design))).stream()
        .filter(result -> below.getOrDefault(place.apply(result), 0.0) > 0)
        .mapToDouble(result -> value.applyAsDouble(result) / below.get(place.apply(result))).toArray();
  }

  private Set<String> engines(String design) {
    return right(result -> result.text("design").equals(design)).stream().map(result -> result.text("engine"))
        .collect(Collectors.toSet());
  }

  /**
   * A design's values at one end of the axis over those at the other, of the same application, engine, failures and repetition.
   *
   * @return a ratio for each application and repetition that has both
   */
  double[] growth(String design, Axis over, Predicate<Result> wanted, ToDoubleFunction<Result> value) {
    List<Result> ofDesign = right(wanted.and(result -> result.text("design").equals(design)));
    List<Axis> others = Arrays.stream(Axis.values()).filter(axis -> axis != over).toList();
    Function<Result, String> series = result -> others.stream().map(axis -> result.text(axis.field)).collect(
        Collectors.joining("/",
            result.text("application") + "/" + result.text("engine") + "/" + result.number("repetition") + "/",
            ""));
    List<String> places = places(over);
    ToIntFunction<Result> place = result -> places.indexOf(result.text(over.field));
    Map<String, List<Result>> all = ofDesign.stream().collect(Collectors.groupingBy(series, LinkedHashMap::new,
        Collectors.toList()));
    return all.values().stream().filter(one -> one.size() > 1).mapToDouble(one -> {
      one.sort(Comparator.comparingInt(place));
      return value.applyAsDouble(one.get(one.size() - 1)) / value.applyAsDouble(one.get(0));
    }).toArray();
  }
}
