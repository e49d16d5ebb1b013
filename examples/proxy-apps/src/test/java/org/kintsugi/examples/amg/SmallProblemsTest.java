// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.examples.sparse.OneRank;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** So few points that residuals become exactly 0, and arguments. */
class SmallProblemsTest {
  @ParameterizedTest
  @CsvSource({"1, 1, 1", "2, 1, 1", "1, 2, 2", "3, 1, 1", "2, 2, 2", "1, 1, 7"})
  void endWithARelativeResidualThatIsANumber(int x, int y, int z) {
    for (boolean oneSolve : new boolean[] {true, false}) {
      Operator operator = new Operator(x, y, z, 1, 1, 1);
      Problem problem = oneSolve ? new OneSolve(operator, new OneRank()) : new TimeSteps(operator, new OneRank(), () -> {});
      problem.begin();
      while (!problem.isDone()) {
        problem.iterate();
      }
      for (SolveLog log : problem.logs()) {
        assertThat(log.relativeResidual()).isBetween(0.0, 1e-3);
        assertThat(log.residuals()).doesNotContain(Double.NaN);
      }
      Map<String, Object> figures = oneSolve ? AmgFigures.ofOneSolve(problem) : AmgFigures.ofTimeSteps(problem);
      assertThat(figures.toString()).doesNotContain("NaN");
    }
  }

  private static void check(String args) {
    Amg program = new Amg();
    new CommandLine(program).parseArgs(args.split(" "));
    program.check(1);
  }

  @Test
  void lengthsAndRanksAreGivenOnce() {
    assertThatCode(() -> check("-n 4 4 4 -P 1 1 1")).doesNotThrowAnyException();
    assertThatThrownBy(() -> check("-n 10 10 10 -n 4 4 4")).isInstanceOf(ParameterException.class)
        .hasMessageContaining("-n is given more than once").hasMessageContaining("10 10 10 4 4 4");
    assertThatThrownBy(() -> check("-P 1 1 1 -P 1 1 1")).isInstanceOf(ParameterException.class).hasMessageContaining("-P");
  }
}
