// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.LongRef;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/**
 * A counter that the threads of a parallel stream increase.
 *
 * <p>Needed: {@code chosen}, and {@code hits}, which each step continues from; this is missing in the incomplete form. Not
 * needed:
 * {@code inThisStep}, which each step sets to zero.
 */
public final class ParallelCounter {
  private static final int STEPS = 12;
  private static final int EVERY = 4;
  private static final int TRIALS = 1000;

  private ParallelCounter() {}

  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Checkpoint checkpoint = run.checkpoint();
      AtomicLong hits = new AtomicLong();
      AtomicLong inThisStep = new AtomicLong();
      LongRef chosen = checkpoint.longRef("chosen");
      if (Form.isComplete(args)) {
        checkpoint.protect("hits", hits::get, hits::set);
      }
      for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
        run.iteration(i);
        inThisStep.set(0);
        long divisor = 3 + hits.get() % 5;
        IntStream.range(0, TRIALS).parallel().filter(k -> (k * k + run.world().rank()) % divisor == 0).forEach(k -> {
          hits.incrementAndGet();
          inThisStep.incrementAndGet();
        });
        chosen.add(run.world().allReduce(inThisStep.get() * hits.get() % TRIALS, Op.SUM));
        if (i % EVERY == EVERY - 1) {
          checkpoint.save(i + 1);
        }
      }
      if (run.world().rank() == 0) {
        System.out.println("chosen " + chosen.get());
      }
    }));
  }
}
