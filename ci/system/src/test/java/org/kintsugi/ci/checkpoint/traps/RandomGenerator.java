// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import java.util.Random;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.DoubleRef;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/**
 * A random generator, whose state is data as well. A generator that is made anew repeats its numbers.
 *
 * <p>Needed: {@code walked}, and the generator, which is missing in the incomplete form. Not needed: {@code draws}, which each
 * step fills before it reads them.
 */
public final class RandomGenerator {
  private static final int STEPS = 12;
  private static final int EVERY = 4;

  private RandomGenerator() {}

  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Checkpoint checkpoint = run.checkpoint();
      Random[] random = {new Random(42 + run.world().rank())};
      double[] draws = new double[3]; // an odd number: nextGaussian keeps every second number in the generator
      DoubleRef walked = checkpoint.doubleRef("walked");
      if (Form.isComplete(args)) {
        checkpoint.protectObject("random", Random.class, () -> random[0], value -> random[0] = value);
      }
      for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
        run.iteration(i);
        for (int j = 0; j < draws.length; j++) {
          draws[j] = random[0].nextGaussian();
        }
        for (double draw : draws) {
          walked.add(draw);
        }
        if (i % EVERY == EVERY - 1) {
          checkpoint.save(i + 1);
        }
      }
      double sum = run.world().allReduce(walked.get(), Op.SUM);
      if (run.world().rank() == 0) {
        System.out.println("sum " + sum);
      }
    }));
  }
}
