// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.kintsugi.examples.app.RunReport;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiConfig;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.ReinitPoint;
import org.kintsugi.reinit.Run;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** HPCCG under Reinit: loses a process and finishes with the same residuals and solution, bit for bit. */
@Command(name = "hpccg", mixinStandardHelpOptions = true,
    description = "Conjugate gradients on a 27-point operator; every rank owns a block of NX x NY x NZ.")
public final class Hpccg implements Callable<Integer> {
  private static final int WARM_UP_EDGE = 12;
  private static final int WARM_UP_PASSES = 4000;

  @Parameters(index = "0", paramLabel = "NX", description = "points of a rank's block in x")
  private int nx;

  @Parameters(index = "1", paramLabel = "NY", description = "points in y")
  private int ny;

  @Parameters(index = "2", paramLabel = "NZ", description = "points in z")
  private int nz;

  @Option(names = "--iterations", defaultValue = "150", description = "upper limit of passes (150)")
  private int maxIterations;

  @Option(names = "--checkpoint-every", defaultValue = "10", description = "passes between checkpoints; 0: never (10)")
  private int checkpointEvery;

  @Option(names = "--json", paramLabel = "FILE", description = "where rank 0 writes the result")
  private Path json;

  @Option(names = "--progress", description = "show a progress bar")
  private boolean showProgress;

  /** Runs the program. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Hpccg()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    requirePositive(nx, "NX");
    requirePositive(ny, "NY");
    requirePositive(nz, "NZ");
    requirePositive(maxIterations, "--iterations");
    try (Mpi mpi = Mpi.init()) {
      long start = System.nanoTime();
      ReinitPoint point = Reinit.point(mpi, new Reinit.Options().warmUp(Hpccg::warmUp));
      Result[] result = new Result[1];
      while (point.enter()) {
        point.attempt(run -> result[0] = solve(run));
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      if (result[0] != null && result[0].rank == 0) {
        report(result[0], point, seconds, mpi.world().size());
      }
    }
    return 0;
  }

  private static void requirePositive(int value, String name) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " " + value + " is not positive");
    }
  }

  private record Result(int rank, int ranks, long iterations, double[] residuals, double[] iterationSeconds,
      double maxError, double sumX, double checkpointSeconds) {}

  private Result solve(Run run) {
    StencilMatrix matrix = new StencilMatrix(nx, ny, nz, run.world().rank(), run.world().size());
    try (ConjugateGradient solver = new ConjugateGradient(run, matrix, maxIterations);
        ProgressBar bar = showProgress && run.world().rank() == 0 ? progressBar() : null) {
      solver.solve(checkpointEvery, (iteration, residual) -> {
        if (bar != null) {
          bar.stepTo(iteration);
          bar.setExtraMessage(String.format("residual %.3e", residual));
        }
      });
      return new Result(run.world().rank(), run.world().size(), solver.iterations(), solver.residuals(),
          solver.iterationSeconds(), solver.maxError(), solver.sumX(), run.checkpoint().seconds());
    }
  }

  private ProgressBar progressBar() {
    return new ProgressBarBuilder().setTaskName("HPCCG").setInitialMax(maxIterations - 1L)
        .setUpdateIntervalMillis(100).build();
  }

  /** What a waiting spare runs: the kernels on a small block, until the JIT has seen enough of them. */
  private static void warmUp() {
    StencilMatrix matrix = new StencilMatrix(WARM_UP_EDGE, WARM_UP_EDGE, WARM_UP_EDGE, 0, 1);
    double[] p = matrix.rightHandSide().clone();
    double[] ap = new double[p.length];
    for (int i = 0; i < WARM_UP_PASSES && !Thread.currentThread().isInterrupted(); i++) {
      matrix.multiply(p, ap);
      Vectors.add(p.length, p, 1e-9 * Vectors.dot(p.length, ap, p), ap, ap);
    }
  }

  private void report(Result result, ReinitPoint point, double seconds, int processes) throws Exception {
    System.out.printf("HPCCG %d x %d x %d on %d ranks: %d passes, final residual %s, max error %s%n", nx, ny, nz,
        result.ranks, result.iterations, result.residuals[result.residuals.length - 1], result.maxError);
    point.recoveries().forEach(recovery -> System.out.printf(
        "recovered from the loss of rank(s) %s: detection %.1f ms, repair %.1f ms, together %.1f ms%n",
        recovery.failedRanks(), recovery.detectionMillis(), recovery.repairMillis(), recovery.totalMillis()));
    if (json != null) {
      new RunReport("hpccg", result.ranks, (int) MpiConfig.SPARES.longValue())
          .put("processes", processes)
          .put("params", List.of(nx, ny, nz))
          .put("iterations", result.iterations)
          .put("residuals", result.residuals)
          .put("maxError", result.maxError)
          .put("sumX", result.sumX)
          .put("iterationSeconds", result.iterationSeconds)
          .times(seconds, result.checkpointSeconds, point.recoveries())
          .write(json);
    }
  }
}
