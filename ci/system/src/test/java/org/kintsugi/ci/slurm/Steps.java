// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.slurm;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.checkpoint.LongRef;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;

/**
 * A loop of sums over all ranks, of the length that a test wants. It saves every ten steps, and when its end is announced. Its
 * arguments are environment variables, as the job scripts of the manual give it none.
 */
public final class Steps {
  /** The number of steps. */
  static final String STEPS = "KINTSUGI_TEST_STEPS";
  /** The milliseconds of each. */
  static final String MILLIS = "KINTSUGI_TEST_STEP_MILLIS";

  private static final int BETWEEN_SAVES = 10;

  private Steps() {}

  /** Runs the loop. */
  public static void main(String[] args) {
    long steps = Long.parseLong(System.getenv(STEPS));
    long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(System.getenv(MILLIS)));
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> body(run, steps, nanos)));
  }

  private static void body(Run run, long steps, long nanos) {
    Comm world = run.world();
    LongRef sum = run.checkpoint().longRef("sum");
    long first = run.checkpoint().restore().orElse(0);
    tell(world, "begins with step " + first);
    for (long i = first; i < steps; i++) {
      run.iteration(i);
      sum.add(part(i, world.allReduce(world.rank() + 1L, Op.SUM)));
      LockSupport.parkNanos(nanos);
      boolean isEnd = run.isEndAnnounced();
      if (isEnd || i % BETWEEN_SAVES == BETWEEN_SAVES - 1) {
        run.checkpoint().save(i + 1);
        tell(world, "saved " + (i + 1));
      }
      if (isEnd) {
        run.endForRestart();
      }
    }
    tell(world, result(world.size(), steps, sum.get()));
  }

  private static void tell(Comm world, String text) {
    if (world.rank() == 0) {
      System.out.println(text);
    }
  }

  private static long part(long step, long ofRanks) {
    return step * step * ofRanks % (step + 7);
  }

  private static String result(int ranks, long steps, long sum) {
    return "all " + steps + " steps on " + ranks + " ranks: " + sum;
  }

  /** The last line of a run, computed without MPI. */
  static String result(int ranks, long steps) {
    long sum = 0;
    for (long i = 0; i < steps; i++) {
      sum += part(i, ranks * (ranks + 1L) / 2);
    }
    return result(ranks, steps, sum);
  }
}
