// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.kintsugi.checkpoint.LevelCost;
import org.kintsugi.examples.app.IterationTimes;
import org.kintsugi.examples.app.Progress;
import org.kintsugi.examples.app.RunClock;
import org.kintsugi.examples.app.RunOptions;
import org.kintsugi.examples.app.RunReport;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiConfig;
import org.kintsugi.reinit.Recovery;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.reinit.WarmUp;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine;

/** HPCCG under Reinit: loses a process and finishes with the same residuals and solution, bit for bit. */
@Command(name = "hpccg", mixinStandardHelpOptions = true,
    description = "Conjugate gradients on a 27-point operator; every rank owns a block of NX x NY x NZ.")
public final class Hpccg implements Callable<Integer> {
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

  @Mixin
  private RunOptions options;

  /** Never changes, so a survivor keeps it through a rollback. */
  private StencilMatrix matrix;

  /** Runs the program. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Hpccg()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    options.check();
    options.requirePositive(nx, "NX");
    options.requirePositive(ny, "NY");
    options.requirePositive(nz, "NZ");
    options.requirePositive(maxIterations, "--iterations");
    try (Mpi mpi = Mpi.init()) {
      RunClock clock = new RunClock();
      IterationTimes times = new IterationTimes(maxIterations);
      RunResult<Result> outcome;
      try (Progress progress = new Progress(options.progress(), "HPCCG", maxIterations - 1L)) {
        outcome = Reinit.call(mpi, new Reinit.Options().warmUp(Hpccg::warmUp), run -> {
          clock.enter(run);
          return solve(run, times, progress);
        });
      }
      if (!outcome.stayedSpare() && outcome.value().rank == 0) {
        report(outcome.value(), outcome.recoveries(), clock.seconds());
      }
    }
    return 0;
  }

  private record Result(int rank, int ranks, int iterations, double[] residuals, double maxError, double sumX,
      double[] iterationSeconds, List<Map<String, Object>> takeovers, List<Map<String, Object>> resumptions,
      double checkpointSeconds, List<LevelCost> checkpoints) {}

  private Result solve(Run run, IterationTimes times, Progress progress) {
    Comm world = run.world();
    int rank = world.rank();
    if (matrix == null || !matrix.isOf(rank, world.size())) {
      matrix = new StencilMatrix(nx, ny, nz, rank, world.size());
    }
    try (MpiRanks ranks = new MpiRanks(matrix, world)) {
      ConjugateGradient solver = new ConjugateGradient(matrix, ranks, maxIterations);
      solver.protect(run.checkpoint());
      int k = (int) run.checkpoint().restore().orElse(0);
      if (k == 0) {
        solver.begin();
        k = 1;
      }
      times.enter(run, k);
      for (; k < maxIterations && solver.residual() > 0.0; k++) {
        run.iteration(k);
        long start = System.nanoTime();
        solver.pass(k);
        times.note(k, start);
        if (options.isCheckpointDue(k)) {
          run.checkpoint().save(k + 1L);
        }
        progress.at(run, k, solver.residual());
      }
      return new Result(rank, world.size(), k - 1, solver.residuals(k - 1), solver.maxError(), solver.sumX(),
          times.first(k), times.takeovers(world, k), times.resumptions(), run.checkpoint().seconds(), run.checkpoint().costs());
    }
  }

  @WarmUp
  private static void warmUpCommandLine() {
    new CommandLine(new Hpccg()).parseArgs("4", "4", "4");
  }

  /** What a waiting spare runs: all but the messages, on a small block, until the JIT has seen enough of it. */
  @WarmUp
  private static void warmUp() {
    for (int i = 0; i < WARM_UP_MATRICES; i++) {
      StencilMatrix matrix = new StencilMatrix(WARM_UP_EDGE, WARM_UP_EDGE, WARM_UP_EDGE, 0, 1);
      ConjugateGradient solver = new ConjugateGradient(matrix, new Alone(), WARM_UP_PASSES + 1);
      solver.begin();
      for (int k = 1; k <= WARM_UP_PASSES && !Thread.currentThread().isInterrupted(); k++) {
        solver.pass(k);
      }
    }
  }

  private void report(Result result, List<Recovery> recoveries, double seconds) throws IOException {
    System.out.printf("HPCCG %d x %d x %d on %d ranks: %d passes, final residual %s, max error %s%n", nx, ny, nz,
        result.ranks, result.iterations, result.residuals[result.iterations], result.maxError);
    recoveries.forEach(recovery -> System.out.printf(
        "recovered from the loss of rank(s) %s: detection %.1f ms, repair %.1f ms, together %.1f ms%n",
        recovery.failedRanks(), recovery.detectionMillis(), recovery.repairMillis(), recovery.totalMillis()));
    if (options.json() != null) {
      new RunReport("hpccg", result.ranks, (int) MpiConfig.SPARES.longValue())
          .put("params", List.of(nx, ny, nz))
          .put("iterations", result.iterations)
          .put("residuals", result.residuals)
          .put("maxError", result.maxError)
          .put("sumX", result.sumX)
          .put("iterationSeconds", result.iterationSeconds)
          .put("takeovers", result.takeovers)
          .put("resumptions", result.resumptions)
          .checkpoints(result.checkpoints)
          .times(seconds, result.checkpointSeconds, recoveries)
          .write(options.json());
    }
  }
}
