// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.Protect;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/**
 * State that the program reads by a getter only. The getter computes it from fields that are not seen.
 *
 * <p>Needed: both fields of {@link Mean}; the incomplete form protects the sum, for which there are a getter and a setter, and
 * not the count. Not needed: {@code name}, which never changes.
 */
public final class ThroughAGetter {
  private static final int STEPS = 12;
  private static final int EVERY = 4;

  private ThroughAGetter() {}

  /** The mean of some numbers. */
  static final class Mean {
    private final String name = "mean";
    @Protect
    private double sum;
    @Protect
    private long count;

    double value() {
      return count == 0 ? 0 : sum / count;
    }

    double sum() {
      return sum;
    }

    void setSum(double value) {
      sum = value;
    }

    void add(double value) {
      sum += value;
      count++;
    }

    @Override
    public String toString() {
      return name + " " + value();
    }
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Checkpoint checkpoint = run.checkpoint();
      Mean mean = new Mean();
      if (Form.isComplete(args)) {
        checkpoint.protectFields("mean", mean);
      } else {
        checkpoint.protect("sum", mean::sum, mean::setSum);
      }
      for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
        run.iteration(i);
        mean.add(run.world().allReduce(1 + 0.5 * mean.value() + i * run.world().rank(), Op.SUM));
        if (i % EVERY == EVERY - 1) {
          checkpoint.save(i + 1);
        }
      }
      if (run.world().rank() == 0) {
        System.out.println(mean);
      }
    }));
  }
}
