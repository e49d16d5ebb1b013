// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.kintsugi.examples.app.Restored;
import org.kintsugi.examples.sparse.OneRank;

/** MATCH leaves the Krylov basis of AMG out, and saves norms, rotations and counts: what goes on with those is another solve. */
class IncompleteSetTest {
  private static final int EDGE = 8;
  private static final int STEPS = 8;
  private static final int RESTORED_AT = 5;
  private static final String[] OF_MATCH = {"hessenberg", "cosines", "sines", "rotated", "rightNorm", "initialNorm", "norm",
      "position", "made"};

  private final OneRank alone = new OneRank();
  private final Operator operator = new Operator(EDGE, EDGE, EDGE, 1, 1, 1);
  private final Hierarchy hierarchy = new Hierarchy(operator.rows(0, 26.5), operator.ranges(alone), alone);

  /** A solve of a few steps, and its results. */
  private final class Solve {
    final double[] b = new double[operator.rowsPerRank()];
    final double[] x = new double[operator.rowsPerRank()];
    final double[] residuals = new double[STEPS];
    final Gmres gmres = new Gmres(b.length, alone);

    Solve() {
      Arrays.fill(b, 1);
      gmres.use(hierarchy);
      gmres.start(b, x);
    }

    Solve steps(int from, int to) {
      for (int k = from; k < to; k++) {
        gmres.step(b, x, 0, STEPS);
        residuals[k] = gmres.estimated();
      }
      return this;
    }

    /** Goes on from where another one was, with these of its data. */
    Solve goneOn(String... fields) throws ReflectiveOperationException {
      Solve saved = new Solve().steps(0, RESTORED_AT);
      System.arraycopy(saved.residuals, 0, residuals, 0, RESTORED_AT);
      Restored.from(saved.gmres, gmres, fields);
      return steps(RESTORED_AT, STEPS);
    }
  }

  @Test
  void withoutTheBasisTheSolveGoesAnotherWay() throws ReflectiveOperationException {
    String[] all = Arrays.copyOf(OF_MATCH, OF_MATCH.length + 1);
    all[OF_MATCH.length] = "basis";
    Solve undisturbed = new Solve().steps(0, STEPS);
    Solve withAll = new Solve().goneOn(all);
    Solve withoutBasis = new Solve().goneOn(OF_MATCH);

    assertThat(withAll.residuals).isEqualTo(undisturbed.residuals);
    assertThat(withAll.x).isEqualTo(undisturbed.x);
    assertThat(withoutBasis.residuals).isNotEqualTo(undisturbed.residuals);
    assertThat(withoutBasis.x).isNotEqualTo(undisturbed.x);
  }
}
