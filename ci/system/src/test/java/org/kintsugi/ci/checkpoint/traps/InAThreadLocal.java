// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.DoubleRef;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/**
 * State in a {@link ThreadLocal}. No field of the program's objects leads to it, and it outlives the body in survivors.
 *
 * <p>Needed: {@code sum}, and the array in {@link #RECENT}, which is missing in the incomplete form. Not needed: the array in
 * {@link #SCRATCH}, which each step writes before it reads it.
 */
public final class InAThreadLocal {
  private static final int STEPS = 12;
  private static final int EVERY = 4;
  private static final int COUNT = 3;
  private static final ThreadLocal<double[]> RECENT = ThreadLocal.withInitial(() -> new double[COUNT]);
  private static final ThreadLocal<double[]> SCRATCH = ThreadLocal.withInitial(() -> new double[COUNT]);

  private InAThreadLocal() {}

  /** The mean of the last numbers, with this one. */
  private static double smoothed(double value) {
    double[] recent = RECENT.get();
    double[] scratch = SCRATCH.get();
    System.arraycopy(recent, 1, scratch, 0, COUNT - 1);
    scratch[COUNT - 1] = value;
    System.arraycopy(scratch, 0, recent, 0, COUNT);
    return (recent[0] + recent[1] + recent[2]) / COUNT;
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Checkpoint checkpoint = run.checkpoint();
      DoubleRef sum = checkpoint.doubleRef("sum");
      if (Form.isComplete(args)) {
        checkpoint.protect("recent", RECENT.get());
      }
      for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
        run.iteration(i);
        sum.add(run.world().allReduce(smoothed(i * i + run.world().rank()), Op.SUM));
        if (i % EVERY == EVERY - 1) {
          checkpoint.save(i + 1);
        }
      }
      if (run.world().rank() == 0) {
        System.out.println("sum " + sum.get());
      }
    }));
  }
}
