// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.sparse.Ranks;
import org.kintsugi.examples.sparse.Vectors;

/**
 * Problem 2: six time steps of five solves each. The first of a step makes the preconditioner and goes to a tolerance; the others
 * keep it, while the matrix and the right-hand side change a little, and make a fixed number of GMRES steps.
 */
final class TimeSteps implements Problem {
  static final int STEPS = 6;
  static final int SOLVES = 5;
  private static final double TOLERANCE = 1e-8;
  private static final int MOST = 100;
  /** GMRES steps of the solves of a time step; the first one ends by its tolerance. */
  private static final int[] LIMITS = {MOST, 6, 5, 4, 3};

  /** The diagonal of the first step's matrix, and by how much it is less in each step after it. */
  private static final double FIRST_DIAGONAL = 26.5;
  private static final double LESS_PER_STEP = 0.1;
  /** From a solve to the next, the diagonal grows by this, and the right-hand side by this times the solution. */
  private static final double CHANGE = 0.01;

  private final Operator operator;
  private final Ranks ranks;
  private final Runnable freeGhosts;
  private final int rows;
  private final double[] b;
  private final double[] x;
  private final Gmres gmres;
  private LocalMatrix matrix;
  private double diagonal;
  private long step;
  private long solve;
  private ArrayList<SolveLog> logs = new ArrayList<>();
  private ArrayList<LevelFigures> levels = new ArrayList<>();

  /** @param freeGhosts what frees the exchanges of a hierarchy that is not used any more */
  TimeSteps(Operator operator, Ranks ranks, Runnable freeGhosts) {
    this.operator = operator;
    this.ranks = ranks;
    this.freeGhosts = freeGhosts;
    rows = operator.rowsPerRank();
    b = new double[rows];
    x = new double[rows];
    gmres = new Gmres(rows, ranks);
  }

  private double firstDiagonal() {
    return FIRST_DIAGONAL - LESS_PER_STEP * (step - 1);
  }

  private Hierarchy setUp(double ofStep) {
    freeGhosts.run();
    Hierarchy hierarchy = new Hierarchy(operator.rows(ranks.rank(), ofStep), operator.ranges(ranks), ranks);
    matrix = hierarchy.finest();
    gmres.use(hierarchy);
    return hierarchy;
  }

  @Override
  public void protect(Checkpoint checkpoint) {
    checkpoint.protect("b", b);
    checkpoint.protect("x", x);
    checkpoint.protect("diagonal", () -> diagonal, value -> diagonal = value);
    checkpoint.protect("step", () -> step, value -> step = value);
    checkpoint.protect("solve", () -> solve, value -> solve = value);
    gmres.protect(checkpoint);
    checkpoint.protectObject("logs", ArrayList.class, () -> logs, this::setLogs, SolveLog.class);
    checkpoint.protectObject("levels", ArrayList.class, () -> levels, this::setLevels, LevelFigures.class);
  }

  @SuppressWarnings("unchecked")
  private void setLogs(ArrayList<?> restored) {
    logs = (ArrayList<SolveLog>) restored;
  }

  @SuppressWarnings("unchecked")
  private void setLevels(ArrayList<?> restored) {
    levels = (ArrayList<LevelFigures>) restored;
  }

  @Override
  public void begin() {
    logs.clear();
    levels.clear();
    step = 0;
    nextStep();
    start();
  }

  /** The hierarchy of the time step's first matrix, then the diagonal of now. */
  @Override
  public void resume() {
    setUp(firstDiagonal());
    matrix.setDiagonal(diagonal);
  }

  private void nextStep() {
    step++;
    solve = 0;
    diagonal = firstDiagonal();
    Arrays.fill(b, 1.0);
    Arrays.fill(x, 0.0);
    if (step <= STEPS) {
      levels.addAll(setUp(diagonal).figures());
    }
  }

  private void start() {
    gmres.start(b, x);
    SolveLog log = new SolveLog();
    log.begin(gmres.rightNorm(), gmres.initialNorm());
    logs.add(log);
  }

  @Override
  public boolean isDone() {
    return step > STEPS;
  }

  @Override
  public void iterate() {
    SolveLog log = logs.get(logs.size() - 1);
    boolean ends = gmres.isExact();
    if (!ends) {
      ends = gmres.step(b, x, solve == 0 ? TOLERANCE : 0, LIMITS[(int) solve]);
      log.add(gmres.estimated());
    }
    log.end(gmres.norm());
    if (!ends) {
      return;
    }
    solve++;
    if (solve < LIMITS.length) {
      diagonal += CHANGE;
      matrix.setDiagonal(diagonal);
      Vectors.add(rows, b, CHANGE, x, b);
    } else {
      nextStep();
    }
    if (!isDone()) {
      start();
    }
  }

  @Override
  public double relativeResidual() {
    return gmres.norm() / gmres.rightNorm();
  }

  @Override
  public List<SolveLog> logs() {
    return logs;
  }

  /** The levels of all time steps, one after the other; each begins with the level that has most rows. */
  @Override
  public List<LevelFigures> levels() {
    return levels;
  }
}
