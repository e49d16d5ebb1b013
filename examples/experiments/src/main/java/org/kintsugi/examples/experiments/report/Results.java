// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** All results of an experiment, and which of them have the right answer. */
final class Results {
  private final List<Result> all;
  private final Map<String, JsonNode> answers = new HashMap<>();

  Results(Collection<JsonNode> lines) {
    all = lines.stream().map(Result::new).toList();
    // The answer of a problem is that of a run without a failure, where there is one.
    for (Result result : all) {
      if (result.hasEnded() && result.number("faults") == 0) {
        answers.putIfAbsent(result.problem(), result.line().path("figures"));
      }
    }
    for (Result result : all) {
      if (result.hasEnded()) {
        answers.putIfAbsent(result.problem(), result.line().path("figures"));
      }
    }
  }

  List<Result> all() {
    return all;
  }

  /** Whether the run has ended with the answer that the other designs have, bit for bit. */
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

  List<Integer> numbers(String name) {
    return all.stream().map(result -> result.number(name)).distinct().sorted().toList();
  }

  Interval interval(Predicate<Result> wanted, ToDoubleFunction<Result> value) {
    return Interval.of(right(wanted).stream().mapToDouble(value).toArray());
  }

  /**
   * One design's values over another's, of the same problem, engine, failures and repetition.
   *
   * @return a ratio for each pair
   */
  double[] ratios(String design, String over, Predicate<Result> wanted, ToDoubleFunction<Result> value) {
    Function<Result, String> place =
        result -> result.problem() + "/" + result.text("engine") + "/" + result.number("faults") + "/"
            + result.number("repetition");
    Map<String, Double> below = new HashMap<>();
    right(wanted.and(result -> result.text("design").equals(over)))
        .forEach(result -> below.put(place.apply(result), value.applyAsDouble(result)));
    return right(wanted.and(result -> result.text("design").equals(design))).stream()
        .filter(result -> below.getOrDefault(place.apply(result), 0.0) > 0)
        .mapToDouble(result -> value.applyAsDouble(result) / below.get(place.apply(result))).toArray();
  }
}
