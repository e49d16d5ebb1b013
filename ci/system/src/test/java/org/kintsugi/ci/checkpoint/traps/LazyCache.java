// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import java.util.Arrays;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/**
 * A cache that is filled when a value is first needed. Iterations read what earlier ones wrote, and yet it may be lost.
 *
 * <p>Needed: {@code sum}, and {@code position}, which is missing in the incomplete form. Not needed: {@link #KNOWN}, as each
 * value can be computed again. With {@code cached} among the arguments it is protected as well, which does no harm.
 */
public final class LazyCache {
  private static final int STEPS = 12;
  private static final int EVERY = 4;
  /** NaN: not known yet. */
  private static final double[] KNOWN = new double[16];

  static {
    Arrays.fill(KNOWN, Double.NaN);
  }

  private LazyCache() {}

  private static double weight(int at) {
    if (Double.isNaN(KNOWN[at])) {
      KNOWN[at] = Math.exp(-0.1 * at); // stands for a long computation
    }
    return KNOWN[at];
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Checkpoint checkpoint = run.checkpoint();
      double[] sum = new double[1];
      checkpoint.protect("sum", sum);
      long[] position = new long[1];
      if (Form.isComplete(args)) {
        checkpoint.protect("position", position);
      }
      if (Arrays.asList(args).contains("cached")) {
        checkpoint.protect("known", KNOWN);
      }
      for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
        run.iteration(i);
        position[0] += 1 + i % 3;
        sum[0] += run.world().allReduce(weight((int) (position[0] % KNOWN.length)), Op.SUM);
        if (i % EVERY == EVERY - 1) {
          checkpoint.save(i + 1);
        }
      }
      if (run.world().rank() == 0) {
        System.out.println("sum " + sum[0]);
      }
    }));
  }
}
