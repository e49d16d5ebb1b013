// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import java.util.Arrays;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Run;

/**
 * The solver's state and its passes. The checkpoint set is complete: k, x, r, the owned part of p, rtrans, normr and the
 * residuals so far; with it a resumed run repeats the undisturbed one bit for bit.
 */
final class ConjugateGradient implements AutoCloseable {
  private final Run run;
  private final Comm world;
  private final StencilMatrix matrix;
  private final Halo halo;
  private final int rows;
  private final int maxIterations;
  private final double[] x;
  private final double[] r;
  private final double[] p;
  private final double[] ap;
  private final double[] residuals;
  private final double[] iterationSeconds;
  private double rtrans;
  private double normr;
  private long iterations;

  ConjugateGradient(Run run, StencilMatrix matrix, int maxIterations) {
    this.run = run;
    this.world = run.world();
    this.matrix = matrix;
    this.maxIterations = maxIterations;
    rows = matrix.rows();
    halo = new Halo(matrix, world);
    x = new double[rows];
    r = new double[rows];
    p = new double[matrix.lengthWithGhosts()];
    ap = new double[rows];
    residuals = new double[maxIterations];
    iterationSeconds = new double[maxIterations];
    var checkpoint = run.checkpoint();
    checkpoint.protect("x", x);
    checkpoint.protect("r", r);
    checkpoint.protect("p", p);
    checkpoint.protect("residuals", residuals);
    checkpoint.protectDouble("rtrans", () -> rtrans, value -> rtrans = value);
    checkpoint.protectDouble("normr", () -> normr, value -> normr = value);
  }

  /** From the start, or from the newest version. */
  void solve(int checkpointEvery, ProgressSink progress) {
    long first = run.checkpoint().restore().orElse(0);
    if (first == 0) {
      begin();
      first = 1;
    }
    iterations = first - 1;
    for (int k = (int) first; k < maxIterations && normr > 0.0; k++) {
      run.iteration(k);
      long start = System.nanoTime();
      pass(k);
      iterations = k;
      iterationSeconds[k] = (System.nanoTime() - start) / 1e9;
      if (checkpointEvery > 0 && k % checkpointEvery == 0) {
        run.checkpoint().save(k + 1L);
      }
      progress.at(k, normr);
    }
  }

  /** Where progress is shown. */
  @FunctionalInterface
  interface ProgressSink {
    void at(long iteration, double residual);
  }

  private void begin() {
    Arrays.fill(x, 0.0);
    System.arraycopy(x, 0, p, 0, rows);
    halo.exchange(p);
    matrix.multiply(p, ap);
    Vectors.add(rows, matrix.rightHandSide(), -1.0, ap, r);
    rtrans = dot(r, r);
    normr = Math.sqrt(rtrans);
    residuals[0] = normr;
  }

  private void pass(int k) {
    if (k == 1) {
      System.arraycopy(r, 0, p, 0, rows);
    } else {
      double old = rtrans;
      rtrans = dot(r, r);
      Vectors.add(rows, r, rtrans / old, p, p);
    }
    normr = Math.sqrt(rtrans);
    residuals[k] = normr;
    halo.exchange(p);
    matrix.multiply(p, ap);
    double alpha = rtrans / dot(p, ap);
    Vectors.add(rows, x, alpha, p, x);
    Vectors.add(rows, r, -alpha, ap, r);
  }

  private double dot(double[] a, double[] b) {
    return world.allReduce(Vectors.dot(rows, a, b), Op.SUM);
  }

  /** Passes that are done. */
  long iterations() {
    return iterations;
  }

  /** The residual before the first pass, then that of each pass. */
  double[] residuals() {
    return Arrays.copyOf(residuals, (int) iterations + 1);
  }

  /** Seconds of each pass that this process made itself; 0 for those that it did not. */
  double[] iterationSeconds() {
    return Arrays.copyOf(iterationSeconds, (int) iterations + 1);
  }

  /** The largest difference from the exact solution, all ones. Collective. */
  double maxError() {
    double largest = 0.0;
    for (double value : x) {
      largest = Math.max(largest, Math.abs(value - 1.0));
    }
    return world.allReduce(largest, Op.MAX);
  }

  /** The sum of the solution, rank by rank in ascending order. Collective. */
  double sumX() {
    double sum = 0.0;
    for (double value : x) {
      sum += value;
    }
    return world.allReduce(sum, Op.SUM);
  }

  @Override
  public void close() {
    halo.close();
  }
}
