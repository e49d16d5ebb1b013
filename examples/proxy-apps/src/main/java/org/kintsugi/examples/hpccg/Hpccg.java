// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import java.util.LinkedHashMap;
import java.util.Map;
import org.kintsugi.examples.app.JobCommand;
import org.kintsugi.examples.app.ProxyApp;
import org.kintsugi.examples.app.Work;
import org.kintsugi.examples.sparse.OneRank;
import org.kintsugi.mpi.Comm;
import org.kintsugi.reinit.WarmUp;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** HPCCG under Reinit: loses a process and finishes with the same residuals and solution, bit for bit. */
@Command(name = "hpccg",
    description = "Conjugate gradients on a 27-point operator; every rank owns a block of NX x NY x NZ.")
public final class Hpccg extends ProxyApp {
  private static final int MOST_ITERATIONS = 10_000_000;
  private static final int WARM_UP_EDGE = 12;
  private static final int WARM_UP_MATRICES = 40;
  private static final int WARM_UP_PASSES = 100;

  @Parameters(index = "0", paramLabel = "NX", description = "points of a rank's block in x")
  private int nx;

  @Parameters(index = "1", paramLabel = "NY", description = "points in y")
  private int ny;

  @Parameters(index = "2", paramLabel = "NZ", description = "points in z")
  private int nz;

  @Option(names = "--iterations", paramLabel = "I", defaultValue = "150",
      description = "the limit of the original: one pass fewer is made (150)")
  private int maxIterations;

  /** Never changes, so a survivor keeps it through a rollback. */
  private StencilMatrix matrix;

  /** Its options are read by picocli. */
  public Hpccg() {
    super("HPCCG");
  }

  /** Runs the program. */
  public static void main(String[] args) {
    JobCommand.run(new Hpccg(), args);
  }

  @Override
  protected void check(int ranks) {
    options().requirePositive(nx, "NX");
    options().requirePositive(ny, "NY");
    options().requirePositive(nz, "NZ");
    options().requirePositive(maxIterations, "--iterations");
    if (maxIterations > MOST_ITERATIONS) {
      throw refuse("--iterations " + maxIterations + ": each has its residual in the result, and " + MOST_ITERATIONS
          + " is the most");
    }
    String objection = StencilMatrix.objection(nx, ny, nz, ranks);
    if (objection != null) {
      throw refuse("NX NY NZ " + nx + " " + ny + " " + nz + ": " + objection);
    }
  }

  @Override
  protected Map<String, Object> params(int ranks) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("local_nx", nx);
    params.put("local_ny", ny);
    params.put("local_nz", nz);
    params.put("max_iter", maxIterations);
    params.put("tolerance", HpccgWork.TOLERANCE);
    return params;
  }

  @Override
  protected int iterations() {
    return maxIterations - 1;
  }

  @Override
  protected Work work(Comm world) {
    if (matrix == null || !matrix.isOf(world.rank(), world.size())) {
      matrix = new StencilMatrix(nx, ny, nz, world.rank(), world.size());
    }
    return new HpccgWork(matrix, world, maxIterations);
  }

  @WarmUp
  private static void warmUpCommandLine() {
    new CommandLine(new Hpccg()).parseArgs("4", "4", "4");
  }

  /** All but the messages, on a small block. */
  @WarmUp
  private static void warmUpKernels() {
    for (int i = 0; i < WARM_UP_MATRICES && !Thread.currentThread().isInterrupted(); i++) {
      StencilMatrix matrix = new StencilMatrix(WARM_UP_EDGE, WARM_UP_EDGE, WARM_UP_EDGE, 0, 1);
      ConjugateGradient solver = new ConjugateGradient(matrix, new OneRank(), WARM_UP_PASSES + 1);
      solver.begin();
      for (int k = 1; k <= WARM_UP_PASSES && !Thread.currentThread().isInterrupted(); k++) {
        solver.pass(k);
      }
    }
  }

  @Override
  protected Runnable warmUp() {
    return Hpccg::warmUpKernels;
  }
}
