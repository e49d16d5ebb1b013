// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

import java.util.LinkedHashMap;
import java.util.Map;
import org.kintsugi.examples.app.JobCommand;
import org.kintsugi.examples.app.ProxyApp;
import org.kintsugi.examples.app.Work;
import org.kintsugi.examples.sparse.Ghosts;
import org.kintsugi.examples.sparse.Sums;
import org.kintsugi.mpi.Comm;
import org.kintsugi.reinit.WarmUp;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** miniFE under Reinit: loses a process and finishes with the same residuals and solution, bit for bit. */
@Command(name = "minife",
    description = "A heat problem on a unit cube of NX x NY x NZ bricks, assembled and solved by conjugate gradients.")
public final class MiniFe extends ProxyApp {
  private static final int WARM_UP_EDGE = 12;
  private static final int WARM_UP_MATRICES = 20;

  @Option(names = "-nx", paramLabel = "NX", defaultValue = "10", description = "elements in x, of all ranks (10)")
  private int nx;

  @Option(names = "-ny", paramLabel = "NY", description = "elements in y (as in x)")
  private Integer ny;

  @Option(names = "-nz", paramLabel = "NZ", description = "elements in z (as in y)")
  private Integer nz;

  @Option(names = "-verify_solution", paramLabel = "0|1", defaultValue = "0",
      description = "1: say whether the solution near the centre is that of a series (0)")
  private int verify;

  /** These never change, so a survivor keeps them through a rollback. */
  private Mesh mesh;
  private HeatMatrix matrix;
  private int rank = -1;

  /** Its options are read by picocli. */
  public MiniFe() {
    super("miniFE");
  }

  /** Runs the program. */
  public static void main(String[] args) {
    JobCommand.run(new MiniFe(), args);
  }

  @Override
  protected void check(int ranks) {
    ny = ny == null ? nx : ny;
    nz = nz == null ? ny : nz;
    options().requirePositive(nx, "-nx");
    options().requirePositive(ny, "-ny");
    options().requirePositive(nz, "-nz");
    if (verify != 0 && verify != 1) {
      throw refuse("-verify_solution " + verify + ": expected 0 or 1");
    }
    String objection = Mesh.objection(nx, ny, nz, ranks);
    if (objection != null) {
      throw refuse(objection);
    }
  }

  @Override
  protected Map<String, Object> params(int ranks) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("nx", nx);
    params.put("ny", ny);
    params.put("nz", nz);
    params.put("max_iter", ConjugateGradient.MOST_ITERATIONS);
    params.put("tolerance", ConjugateGradient.TOLERANCE);
    return params;
  }

  @Override
  protected int iterations() {
    return ConjugateGradient.MOST_ITERATIONS;
  }

  @Override
  protected Work work(Comm world) {
    if (matrix == null || rank != world.rank()) {
      rank = world.rank();
      mesh = new Mesh(nx, ny, nz, rank, world.size());
      matrix = new HeatMatrix(mesh);
    }
    return new MiniFeWork(mesh, matrix, world, verify == 1);
  }

  @WarmUp
  private static void warmUpCommandLine() {
    new CommandLine(new MiniFe()).parseArgs("-nx", "4");
  }

  /** All but the messages, on a small mesh. */
  @WarmUp
  private static void warmUpKernels() {
    for (int i = 0; i < WARM_UP_MATRICES && !Thread.currentThread().isInterrupted(); i++) {
      Mesh mesh = new Mesh(WARM_UP_EDGE, WARM_UP_EDGE, WARM_UP_EDGE, 0, 1);
      ConjugateGradient solver =
          new ConjugateGradient(new HeatMatrix(mesh), mesh.layout.lengthWithGhosts(), Ghosts.NONE, Sums.ALONE);
      solver.begin();
      for (int k = 1; k <= ConjugateGradient.MOST_ITERATIONS && solver.residual() > ConjugateGradient.TOLERANCE; k++) {
        solver.iterate(k);
      }
    }
  }

  @Override
  protected Runnable warmUp() {
    return MiniFe::warmUpKernels;
  }
}
