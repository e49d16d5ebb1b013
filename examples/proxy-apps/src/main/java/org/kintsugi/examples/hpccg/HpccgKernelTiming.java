// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import org.kintsugi.examples.sparse.MpiRanks;
import org.kintsugi.reinit.Run;

/** Times passes of the solver, for the benchmark that compares them with C. */
public final class HpccgKernelTiming {
  private HpccgKernelTiming() {}

  /**
   * Seconds of one pass. Each rank has a cube with {@code edge} points along an edge. Collective;
   * no checkpoints, no progress.
   */
  public static double secondsPerPass(Run run, int edge, int passes) {
    StencilMatrix matrix = new StencilMatrix(edge, edge, edge, run.world().rank(), run.world().size());
    try (MpiRanks ranks = new MpiRanks(run.world())) {
      ConjugateGradient solver = new ConjugateGradient(matrix, ranks, passes + 1);
      solver.begin();
      run.world().barrier();
      long start = System.nanoTime();
      for (int k = 1; k <= passes; k++) {
        run.iteration(k);
        solver.pass(k);
      }
      return (System.nanoTime() - start) / 1e9 / passes;
    }
  }
}
