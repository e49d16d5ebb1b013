// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.kintsugi.examples.app.JobCommand;
import org.kintsugi.examples.app.ProxyApp;
import org.kintsugi.examples.app.Work;
import org.kintsugi.examples.sparse.OneRank;
import org.kintsugi.examples.sparse.CompressedRows;
import org.kintsugi.mpi.Comm;
import org.kintsugi.reinit.WarmUp;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** AMG under Reinit: loses a process and finishes with the same residuals, bit for bit. */
@Command(name = "amg",
    description = "GMRES or conjugate gradients, preconditioned by algebraic multigrid on a 27-point operator.")
public final class Amg extends ProxyApp {
  /** About as many as problem 2 takes: for the progress bar. */
  private static final int USUAL_ITERATIONS = 200;
  private static final int WARM_UP_EDGE = 8;

  @Option(names = "-problem", paramLabel = "1|2", defaultValue = "1",
      description = "1: one solve by conjugate gradients; 2: time steps of GMRES solves (1)")
  private int problem;

  @Option(names = "-n", arity = "3", paramLabel = "N", description = "points of a rank's block in x, y and z (10 10 10)")
  private int[] points = {10, 10, 10};

  @Option(names = "-P", arity = "3", paramLabel = "P", description = "ranks in x, y and z (all in x)")
  private int[] grid;

  /** Its options are read by picocli. */
  public Amg() {
    super("AMG");
  }

  /** Runs the program. */
  public static void main(String[] args) {
    JobCommand.run(new Amg(), args);
  }

  @Override
  protected void check(int ranks) {
    if (problem != 1 && problem != 2) {
      throw refuse("-problem " + problem + ": expected 1 or 2");
    }
    requireThree(points, "-n");
    grid = grid == null ? new int[] {ranks, 1, 1} : grid;
    requireThree(grid, "-P");
    double rows = ranks;
    for (int i = 0; i < 3; i++) {
      options().requirePositive(points[i], "-n");
      options().requirePositive(grid[i], "-P");
      rows *= points[i];
    }
    if ((long) grid[0] * grid[1] * grid[2] != ranks) {
      throw refuse(
          "-P " + grid[0] + " " + grid[1] + " " + grid[2] + ": the product is not " + ranks + ", the number of ranks; -P "
              + ranks + " 1 1 would do");
    }
    if (rows > Integer.MAX_VALUE || CompressedRows.STENCIL * rows / ranks > CompressedRows.MOST_ENTRIES) {
      throw refuse("-n " + points[0] + " " + points[1] + " " + points[2] + ": too many points; use smaller blocks");
    }
  }

  /** Picocli puts the numbers of several together. */
  private void requireThree(int[] numbers, String name) {
    if (numbers.length != 3) {
      String all = Arrays.stream(numbers).mapToObj(String::valueOf).collect(Collectors.joining(" "));
      throw refuse(name + " is given more than once, with " + all + " in all: only once, with three numbers, would do");
    }
  }

  @Override
  protected Map<String, Object> params(int ranks) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("problem", problem);
    params.put("n_per_rank", points);
    params.put("process_grid", grid);
    return params;
  }

  @Override
  protected int iterations() {
    return USUAL_ITERATIONS;
  }

  @Override
  protected Work work(Comm world) {
    return new AmgWork(new Operator(points[0], points[1], points[2], grid[0], grid[1], grid[2]), problem == 1, world);
  }

  @WarmUp
  private static void warmUpCommandLine() {
    new CommandLine(new Amg()).parseArgs("-problem", "2", "-n", "4", "4", "4");
  }

  /** All but the messages, on a small block. */
  @WarmUp
  private static void warmUpKernels() {
    Operator operator = new Operator(WARM_UP_EDGE, WARM_UP_EDGE, WARM_UP_EDGE, 1, 1, 1);
    TimeSteps steps = new TimeSteps(operator, new OneRank(), () -> {});
    steps.begin();
    while (!steps.isDone() && !Thread.currentThread().isInterrupted()) {
      steps.iterate();
    }
  }

  @Override
  protected Runnable warmUp() {
    return Amg::warmUpKernels;
  }
}
