// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.kintsugi.examples.app.Restored;
import org.kintsugi.examples.sparse.Ghosts;
import org.kintsugi.examples.sparse.Sums;

/** MATCH leaves k and the breakdown limit of miniFE out: a restart begins a new Krylov space, and goes another way. */
class IncompleteSetTest {
  private static final int EDGE = 10;
  private static final int ITERATIONS = 20;
  private static final int RESTORED_AT = 6;

  private final Mesh mesh = new Mesh(EDGE, EDGE, EDGE, 0, 1);
  private final HeatMatrix matrix = new HeatMatrix(mesh);

  private ConjugateGradient begun() {
    ConjugateGradient solver = new ConjugateGradient(matrix, mesh.layout.lengthWithGhosts(), Ghosts.NONE, Sums.ALONE);
    solver.begin();
    return solver;
  }

  private static ConjugateGradient iterated(ConjugateGradient solver, int from, int to) {
    for (int k = from; k <= to; k++) {
      solver.iterate(k);
    }
    return solver;
  }

  @Test
  void withoutKTheSearchGoesAnotherWay() throws ReflectiveOperationException {
    String[] all = {"x", "r", "p", "residuals", "rtrans", "normr", "breakdown"};
    String[] ofMatch = {"x", "r", "p", "residuals", "rtrans", "normr"};
    ConjugateGradient undisturbed = iterated(begun(), 1, ITERATIONS);
    ConjugateGradient saved = iterated(begun(), 1, RESTORED_AT - 1);
    ConjugateGradient withAll = iterated(Restored.from(saved, begun(), all), RESTORED_AT, ITERATIONS);
    // Without k it begins with 1, which makes p = r; as many iterations as the other one has left.
    ConjugateGradient withoutK = iterated(Restored.from(saved, begun(), ofMatch), 1, ITERATIONS - RESTORED_AT + 1);

    assertThat(withAll.solution()).isEqualTo(undisturbed.solution());
    assertThat(withAll.residual()).isEqualTo(undisturbed.residual());
    assertThat(withoutK.solution()).isNotEqualTo(undisturbed.solution());
    assertThat(withoutK.residual()).isNotEqualTo(undisturbed.residual());
  }
}
