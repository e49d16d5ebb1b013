// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.Locale;
import java.util.Map;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.app.Work;
import org.kintsugi.examples.sparse.MpiRanks;
import org.kintsugi.mpi.Comm;

/** A problem on the ranks of a world, as the frame of applications sees it. */
final class AmgWork implements Work {
  private final MpiRanks ranks;
  private final boolean oneSolve;
  private final Problem problem;
  private Map<String, Object> figures;

  /** Collective. */
  AmgWork(Operator operator, boolean oneSolve, Comm world) {
    this.oneSolve = oneSolve;
    ranks = new MpiRanks(world);
    try {
      problem = oneSolve ? new OneSolve(operator, ranks) : new TimeSteps(operator, ranks, ranks::closeGhosts);
    } catch (RuntimeException | Error e) { // a rollback among them
      ranks.close();
      throw e;
    }
  }

  @Override
  public void protect(Checkpoint checkpoint) {
    problem.protect(checkpoint);
  }

  @Override
  public void begin() {
    problem.begin();
  }

  @Override
  public void resume() {
    problem.resume();
  }

  @Override
  public boolean goesOn(int iteration) {
    return !problem.isDone();
  }

  @Override
  public void iterate(int iteration) {
    problem.iterate();
  }

  @Override
  public String progress() {
    return String.format(Locale.ROOT, "relative residual %.1e", problem.relativeResidual());
  }

  @Override
  public Map<String, Object> figures() {
    figures = oneSolve ? AmgFigures.ofOneSolve(problem) : AmgFigures.ofTimeSteps(problem);
    return figures;
  }

  @Override
  public String summary() {
    return String.format(Locale.ROOT, "AMG, problem %d: %d levels, operator complexity %.6f, %s iterations, relative residual %s",
        oneSolve ? 1 : 2,
        (int) figures.get("levels"), (double) figures.get("operator_complexity"),
        figures.get(oneSolve ? "iterations" : "cumulative_iterations"), figures.get("final_relative_residual_printed"));
  }

  @Override
  public void close() {
    ranks.close();
  }
}
