// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.DoubleRef;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/**
 * State in a local variable outside of the body, which the body captures. Survivors keep the value that it had at the failure.
 *
 * <p>Needed: {@code position}, and {@code largest}, which is missing in the incomplete form. Not needed: {@code limits}, which
 * the body captures as well, as it never changes.
 */
public final class CapturedLocal {
  private static final int STEPS = 12;
  private static final int EVERY = 4;

  private CapturedLocal() {}

  public static void main(String[] args) {
    double[] largest = {0};
    double[] limits = {-3, 3};
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Checkpoint checkpoint = run.checkpoint();
      DoubleRef position = checkpoint.doubleRef("position");
      if (Form.isComplete(args)) {
        checkpoint.protect("largest", largest);
      }
      for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
        run.iteration(i);
        double step = Math.sin(7.0 * i + run.world().rank());
        position.set(Math.max(limits[0], Math.min(limits[1], position.get() + step)));
        largest[0] = Math.max(largest[0], Math.abs(position.get()) + 0.1 * largest[0]);
        if (i % EVERY == EVERY - 1) {
          checkpoint.save(i + 1);
        }
      }
      double sum = run.world().allReduce(largest[0], Op.SUM);
      if (run.world().rank() == 0) {
        System.out.println("sum of the largest " + sum);
      }
    }));
  }
}
