// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.sparse.Ranks;
import org.kintsugi.examples.sparse.Vectors;

/** Problem 1: one solve by conjugate gradients with the preconditioner. */
final class OneSolve implements Problem {
  private static final double DIAGONAL = 26;
  private static final double TOLERANCE = 1e-8;
  private static final int MOST = 100;

  private final Ranks ranks;
  private final int rows;
  private final Hierarchy hierarchy;
  private final LocalMatrix matrix;
  private final double[] x;
  private final double[] r;
  private final double[] p;
  private final double[] product;
  private final double[] preconditioned;
  private double gamma;
  private SolveLog log = new SolveLog();

  /** Collective. */
  OneSolve(Operator operator, Ranks ranks) {
    this.ranks = ranks;
    rows = operator.rowsPerRank();
    hierarchy = new Hierarchy(operator.rows(ranks.rank(), DIAGONAL), operator.ranges(ranks), ranks);
    matrix = hierarchy.finest();
    x = new double[rows];
    r = new double[rows];
    p = new double[matrix.lengthOfColumns()];
    product = new double[rows];
    preconditioned = new double[rows];
  }

  @Override
  public void protect(Checkpoint checkpoint) {
    checkpoint.protect("x", x);
    checkpoint.protect("r", r);
    checkpoint.protect("p", p);
    checkpoint.protect("gamma", () -> gamma, value -> gamma = value);
    checkpoint.protectObject("log", SolveLog.class, () -> log, restored -> log = restored);
  }

  /** From x = 0, for b = 1. */
  @Override
  public void begin() {
    Arrays.fill(x, 0);
    Arrays.fill(r, 1);
    hierarchy.cycle(r, preconditioned);
    System.arraycopy(preconditioned, 0, p, 0, rows);
    gamma = dot(r, p);
    double norm = Math.sqrt(dot(r, r));
    log = new SolveLog();
    log.begin(norm, norm);
  }

  @Override
  public void resume() {
    // The hierarchy is there, and does not change.
  }

  @Override
  public boolean isDone() {
    int made = log.steps();
    return made > 0 && (made >= MOST || relativeResidual() < TOLERANCE);
  }

  @Override
  public void iterate() {
    matrix.multiply(p, product);
    double alpha = gamma / dot(product, p);
    Vectors.add(rows, x, alpha, p, x);
    Vectors.add(rows, r, -alpha, product, r);
    double norm = Math.sqrt(dot(r, r));
    log.add(norm);
    log.end(norm);
    hierarchy.cycle(r, preconditioned);
    double old = gamma;
    gamma = dot(r, preconditioned);
    Vectors.add(rows, preconditioned, gamma / old, p, p);
  }

  private double dot(double[] a, double[] b) {
    return ranks.sum(Vectors.dot(rows, a, b));
  }

  @Override
  public double relativeResidual() {
    return log.steps() == 0 ? 1 : log.relativeResidual();
  }

  @Override
  public List<SolveLog> logs() {
    return List.of(log);
  }

  @Override
  public List<LevelFigures> levels() {
    return new ArrayList<>(hierarchy.figures());
  }
}
