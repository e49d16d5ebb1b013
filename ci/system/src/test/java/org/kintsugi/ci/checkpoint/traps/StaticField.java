// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import java.util.Arrays;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/**
 * State in a static field of another class. A rollback does not change it in survivors, and a new process has the first value.
 *
 * <p>Needed: {@code x}, and {@link Damping#factor}, which each step reads and changes; this is missing in the incomplete form.
 * Not needed: {@link Damping#FLOOR}, which never changes, and {@link Damping#weights}, which each step writes before it reads
 * them.
 */
public final class StaticField {
  private static final int STEPS = 12;
  private static final int EVERY = 4;

  private StaticField() {}

  /** The other class. */
  static final class Damping {
    static final double FLOOR = 0.01;
    static double factor = 1;
    static double[] weights = new double[8];

    private Damping() {}

    static void next() {
      factor = 0.8 * factor + FLOOR;
      Arrays.setAll(weights, i -> factor * (i + 1));
    }
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Checkpoint checkpoint = run.checkpoint();
      double[] x = new double[Damping.weights.length];
      checkpoint.protect("x", x);
      if (Form.isComplete(args)) {
        checkpoint.protect("factor", () -> Damping.factor, value -> Damping.factor = value);
      }
      for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
        run.iteration(i);
        Damping.next();
        for (int j = 0; j < x.length; j++) {
          x[j] += Damping.weights[j] * (run.world().rank() + 1);
        }
        if (i % EVERY == EVERY - 1) {
          checkpoint.save(i + 1);
        }
      }
      double sum = run.world().allReduce(Arrays.stream(x).sum(), Op.SUM);
      if (run.world().rank() == 0) {
        System.out.println("sum " + sum);
      }
    }));
  }
}
