// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.app.Work;
import org.kintsugi.examples.sparse.MpiRanks;
import org.kintsugi.mpi.Comm;

/** The solver on the ranks of a world, as the frame of applications sees it. */
final class HpccgWork implements Work {
  /** The residual at which the original stops. */
  static final double TOLERANCE = 0.0;

  private final StencilMatrix matrix;
  private final MpiRanks ranks;
  private final ConjugateGradient solver;
  private final int maxIterations;
  private int passes;
  private double maxError;
  private double sumX;

  /** Passes are 1 to {@code maxIterations - 1}. */
  HpccgWork(StencilMatrix matrix, Comm world, int maxIterations) {
    this.matrix = matrix;
    this.maxIterations = maxIterations;
    ranks = new MpiRanks(world);
    solver = new ConjugateGradient(matrix, ranks, maxIterations);
  }

  @Override
  public void protect(Checkpoint checkpoint) {
    solver.protect(checkpoint);
  }

  @Override
  public void begin() {
    solver.begin();
  }

  @Override
  public boolean goesOn(int k) {
    passes = k - 1;
    return k < maxIterations && solver.residual() > TOLERANCE;
  }

  @Override
  public void iterate(int k) {
    solver.pass(k);
  }

  @Override
  public String progress() {
    return String.format(Locale.ROOT, "residual %.1e", solver.residual());
  }

  @Override
  public Map<String, Object> figures() {
    maxError = solver.maxError();
    sumX = solver.sumX();
    return HpccgFigures.of(matrix, ranks, solver, passes, maxError, sumX);
  }

  @Override
  public Map<String, Object> details() {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("residuals", solver.residuals(passes));
    details.put("maxError", maxError);
    details.put("sumX", sumX);
    return details;
  }

  @Override
  public String summary() {
    return String.format(Locale.ROOT, "HPCCG on %d ranks, %d rows on each: %d passes, final residual %s, max error %s",
        ranks.size(), matrix.rows(),
        passes, solver.residual(), maxError);
  }

  @Override
  public void close() {
    ranks.close();
  }
}
