// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.examples.reference.ReferenceCase;
import org.kintsugi.examples.sparse.Ranks;
import org.kintsugi.examples.sparse.ThreadRanks;

/**
 * Set-up, cycle and solvers without MPI. With 20x20x20 points on four ranks the last level has more rows than are solved for
 * directly, and rows of other ranks have off-diagonal entries with the sign of their diagonal.
 */
class TimeStepsTest {
  @ParameterizedTest
  @ValueSource(strings = {
      "amg -problem 1 -n 10 10 10 -P 1 1 1", "amg -problem 2 -n 10 10 10 -P 1 1 1", "amg -problem 2 -n 10 10 10 -P 2 1 1",
      "amg -problem 1 -n 20 20 20 -P 2 2 1", "amg -problem 2 -n 20 20 20 -P 2 2 1"
  })
  void agreesWithTheOriginal(String command) throws Exception {
    ReferenceCase reference = ReferenceCase.all("amg").stream().filter(one -> one.command().equals(command)).findFirst()
        .orElseThrow();
    List<Map<String, Object>> figures = ThreadRanks.run(reference.ranks(), ranks -> solve(reference.params(), ranks));
    JsonNode result = new ObjectMapper().valueToTree(Map.of("figures", figures.get(0)));
    assertThat(reference.differences(result)).isEmpty();
  }

  private static Map<String, Object> solve(JsonNode params, Ranks ranks) {
    JsonNode points = params.get("n_per_rank");
    JsonNode grid = params.get("process_grid");
    Operator operator = new Operator(points.get(0).asInt(), points.get(1).asInt(), points.get(2).asInt(),
        grid.get(0).asInt(), grid.get(1).asInt(), grid.get(2).asInt());
    boolean oneSolve = params.get("problem").asInt() == 1;
    Problem problem = oneSolve ? new OneSolve(operator, ranks) : new TimeSteps(operator, ranks, () -> {});
    problem.begin();
    while (!problem.isDone()) {
      problem.iterate();
    }
    return oneSolve ? AmgFigures.ofOneSolve(problem) : AmgFigures.ofTimeSteps(problem);
  }
}
