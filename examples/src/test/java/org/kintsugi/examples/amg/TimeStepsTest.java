// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.examples.reference.ReferenceCase;
import org.kintsugi.examples.sparse.Alone;

/** Set-up, cycle and solvers on one rank, without MPI. */
class TimeStepsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void agreesWithTheOriginal(int number) throws IOException {
    ReferenceCase reference = ReferenceCase.all("amg").stream()
        .filter(one -> one.command().equals("amg -problem " + number + " -n 10 10 10 -P 1 1 1")).findFirst().orElseThrow();
    Operator operator = new Operator(10, 10, 10, 1, 1, 1);
    Problem problem = number == 1 ? new OneSolve(operator, new Alone()) : new TimeSteps(operator, new Alone(), () -> {});
    problem.begin();
    while (!problem.isDone()) {
      problem.iterate();
    }
    Map<String, Object> figures = number == 1 ? AmgFigures.ofOneSolve(problem) : AmgFigures.ofTimeSteps(problem);
    JsonNode result = new ObjectMapper().valueToTree(Map.of("figures", figures));
    assertThat(reference.differences(result)).isEmpty();
  }
}
