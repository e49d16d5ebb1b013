// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.reinit.Reinit;

/** Exchanges the edges of a grid with the neighbours, while the inner cells are computed. */
public class Halo {
  static final int ROWS = 24;
  static final int COLUMNS = 64;
  static final long STEPS = 100;

  static void relax(double[] from, double[] to, int firstRow, int lastRow) {
    for (int row = firstRow; row <= lastRow; row++) {
      for (int i = row * COLUMNS + 1; i < (row + 1) * COLUMNS - 1; i++) {
        to[i] = 0.25 * (from[i - 1] + from[i + 1] + from[i - COLUMNS] + from[i + COLUMNS]);
      }
    }
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Comm world = run.world();
      int above = world.rank() > 0 ? world.rank() - 1 : Comm.PROC_NULL;
      int below = world.rank() < world.size() - 1 ? world.rank() + 1 : Comm.PROC_NULL;
      double[] grid = new double[(ROWS + 2) * COLUMNS];
      double[] next = new double[grid.length];
      Arrays.fill(grid, 0, COLUMNS, above == Comm.PROC_NULL ? 100 : 0); // a warm upper edge
      run.checkpoint().protect("grid", grid);
      for (long step = run.checkpoint().restore().orElse(0); step < STEPS; step++) {
        run.iteration(step);
        Buf rows = Buf.wrap(grid);
        Request[] halo = {
            world.iRecv(rows.slice(0, COLUMNS), above, 0),
            world.iRecv(rows.slice((ROWS + 1) * COLUMNS, COLUMNS), below, 1),
            world.iSend(rows.slice(COLUMNS, COLUMNS), above, 1),
            world.iSend(rows.slice(ROWS * COLUMNS, COLUMNS), below, 0)};
        relax(grid, next, 2, ROWS - 1);
        Request.waitAll(halo);
        relax(grid, next, 1, 1);
        relax(grid, next, ROWS, ROWS);
        System.arraycopy(next, COLUMNS, grid, COLUMNS, ROWS * COLUMNS);
        if (run.checkpoint().needed()) {
          run.checkpoint().save(step + 1);
        }
      }
      double mine = DoubleStream.of(grid).skip(COLUMNS).limit(ROWS * COLUMNS).sum();
      double heat = world.allReduce(mine, Op.SUM);
      if (world.rank() == 0) {
        System.out.printf(Locale.ROOT, "heat %.6f%n", heat);
      }
    }));
  }
}
