// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.app.Work;
import org.kintsugi.examples.sparse.GhostExchange;
import org.kintsugi.examples.sparse.Sums;
import org.kintsugi.mpi.Comm;

/** The solver on the ranks of a world, as the frame of applications sees it. */
final class MiniFeWork implements Work {
  private static final int TAG = 99;

  private final Mesh mesh;
  private final HeatMatrix matrix;
  private final Comm world;
  private final boolean verifies;
  private final GhostExchange ghosts;
  private final ConjugateGradient solver;
  private int made;
  private Map<String, Object> figures;

  /** @param verifies whether the result says if the solution is near that of the series */
  MiniFeWork(Mesh mesh, HeatMatrix matrix, Comm world, boolean verifies) {
    this.mesh = mesh;
    this.matrix = matrix;
    this.world = world;
    this.verifies = verifies;
    ghosts = new GhostExchange(mesh.layout, world, TAG);
    solver = new ConjugateGradient(matrix, mesh.layout.lengthWithGhosts(), ghosts, Sums.over(world));
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
    made = k - 1;
    return k <= ConjugateGradient.MOST_ITERATIONS && solver.residual() > ConjugateGradient.TOLERANCE;
  }

  @Override
  public void iterate(int k) {
    solver.iterate(k);
  }

  @Override
  public String progress() {
    return String.format(Locale.ROOT, "residual %.1e", solver.residual());
  }

  @Override
  public Map<String, Object> figures() {
    figures = MiniFeFigures.of(mesh, matrix, solver.solution(), solver.residuals(made), world);
    return figures;
  }

  @Override
  public Map<String, Object> details() {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("residuals", solver.residuals(made));
    details.put("rowsPerRank", MiniFeFigures.spread(figures, "rows"));
    details.put("nonzerosPerRank", MiniFeFigures.spread(figures, "nonzeros"));
    details.put("operations", MiniFeFigures.operations(mesh, (long) figures.get("nonzeros"), made));
    if (verifies) {
      details.put("verified", pointsAtCentre() == 0 ? null : errorAtCentre() <= Verification.MOST_ERROR);
    }
    return details;
  }

  private Map<?, ?> check() {
    return (Map<?, ?>) figures.get("check_near_centre");
  }

  private int pointsAtCentre() {
    return (int) check().get("points_on_reporting_rank");
  }

  private double errorAtCentre() {
    return (double) check().get("max_abs_error");
  }

  @Override
  public String summary() {
    String summary = String.format(Locale.ROOT,
        "miniFE %d x %d x %d elements on %d ranks: %d rows, %d iterations, final residual %s", mesh.nx, mesh.ny, mesh.nz,
        world.size(), (long) figures.get("rows"), made, solver.residual());
    return verifies ? summary + System.lineSeparator() + verdict(pointsAtCentre(), errorAtCentre()) : summary;
  }

  static String verdict(int points, double error) {
    if (points == 0) {
      return "solution near the centre: nothing could be checked, as no node is near enough; an even -nx, -ny and -nz would do";
    }
    return String.format(Locale.ROOT, "solution near the centre %s: the error is %.3f, %.2f may be",
        error <= Verification.MOST_ERROR ? "passes" : "fails", error, Verification.MOST_ERROR);
  }

  @Override
  public void close() {
    ghosts.close();
  }
}
