// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.kintsugi.examples.app.Restored;
import org.kintsugi.examples.sparse.OneRank;

/** MATCH's checkpoints of HPCCG leave out x: the residuals go on as if nothing had happened, and the solution is wrong. */
class IncompleteSetTest {
  private static final int EDGE = 8;
  private static final int MAX_ITERATIONS = 40;
  private static final int RESTORED_AT = 10;

  private final StencilMatrix matrix = new StencilMatrix(EDGE, EDGE, EDGE, 0, 1);

  private ConjugateGradient begun() {
    ConjugateGradient solver = new ConjugateGradient(matrix, new OneRank(), MAX_ITERATIONS);
    solver.begin();
    return solver;
  }

  private static ConjugateGradient passed(ConjugateGradient solver, int from, int to) {
    for (int k = from; k < to; k++) {
      solver.pass(k);
    }
    return solver;
  }

  @Test
  void withoutXTheResidualsAreRightAndTheSolutionIsNot() throws ReflectiveOperationException {
    ConjugateGradient undisturbed = passed(begun(), 1, MAX_ITERATIONS);
    ConjugateGradient saved = passed(begun(), 1, RESTORED_AT);
    ConjugateGradient withAll = Restored.from(saved, begun(), "x", "r", "p", "residuals", "rtrans", "normr");
    ConjugateGradient withoutX = Restored.from(saved, begun(), "r", "p", "residuals", "rtrans", "normr");
    passed(withAll, RESTORED_AT, MAX_ITERATIONS);
    passed(withoutX, RESTORED_AT, MAX_ITERATIONS);

    double[] residuals = undisturbed.residuals(MAX_ITERATIONS - 1);
    assertThat(withAll.residuals(MAX_ITERATIONS - 1)).isEqualTo(residuals);
    assertThat(withAll.sumX()).isEqualTo(undisturbed.sumX());
    assertThat(withAll.maxError()).isEqualTo(undisturbed.maxError()).isLessThan(1e-10);
    assertThat(withoutX.residuals(MAX_ITERATIONS - 1)).as("nothing seems to be wrong").isEqualTo(residuals);
    assertThat(withoutX.maxError()).isGreaterThan(0.1);
  }
}
