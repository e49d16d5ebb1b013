// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import java.util.Arrays;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/**
 * Two arrays that are swapped in each step. The one that was protected first has the present values only after every second step.
 *
 * <p>Needed: {@code now}, whichever array that is at a save; the incomplete form protects the array that it is at the beginning.
 * Not needed: {@code next}, which each step writes before it reads it.
 */
public final class SwappedArrays {
  private static final int STEPS = 12;
  /** Odd: after an even number of steps the arrays are where they began. */
  private static final int EVERY = 3;
  private static final int CELLS = 8;

  private double[] now = new double[CELLS];
  private double[] next = new double[CELLS];

  private SwappedArrays() {}

  private void step(double added) {
    for (int j = 0; j < CELLS; j++) {
      next[j] = 0.5 * now[j] + 0.4 * now[(j + 1) % CELLS] + added;
    }
    double[] swapped = now;
    now = next;
    next = swapped;
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Checkpoint checkpoint = run.checkpoint();
      SwappedArrays grid = new SwappedArrays();
      Arrays.setAll(grid.now, j -> j + run.world().rank());
      if (Form.isComplete(args)) {
        checkpoint.protect("now", () -> grid.now, value -> grid.now = value);
      } else {
        checkpoint.protect("now", grid.now);
      }
      for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
        run.iteration(i);
        grid.step(run.world().allReduce(grid.now[0], Op.SUM) / 10);
        if (i % EVERY == EVERY - 1) {
          checkpoint.save(i + 1);
        }
      }
      if (run.world().rank() == 0) {
        System.out.println("sum " + Arrays.stream(grid.now).sum());
      }
    }));
  }
}
