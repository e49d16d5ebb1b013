// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** {@code jmpirun --no-fault-tolerance}: a program with a Reinit run runs, and the failure of a process ends the job. */
class NoFaultToleranceTest {
  private static final int RANKS = 3;

  /** The program: it sums, saves and restores. */
  static final class Program {
    private static final int ITERATIONS = 5;

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        long[] sum = new long[1];
        Reinit.run(mpi, run -> {
          run.checkpoint().protect("sum", sum);
          for (long i = run.checkpoint().restore().orElse(0); i < ITERATIONS; i++) {
            run.iteration(i);
            sum[0] += run.world().allReduce(i + run.world().rank(), Op.SUM);
            run.checkpoint().save(i + 1);
          }
        });
        if (mpi.world().rank() == 0) {
          RankJob.report(args[0], "sum", String.valueOf(sum[0]));
        }
      }
    }
  }

  private static RankJob job() {
    RankJob.mpiOrSkip(Flavour.ULFM);
    return RankJob.of(RANKS, 0).withoutFaultTolerance();
  }

  @Test
  void theBodyRunsOnceAndTheJobSaysThatNothingProtectsIt() {
    RankJob.Outcome outcome = job().run(Program.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("sum", String.valueOf(RANKS * 10 + 5 * 3));
    assertThat(outcome.output()).containsOnlyOnce("this job has no fault tolerance").containsOnlyOnce("nothing protects it");
  }

  @Test
  void theFailureOfAProcessEndsTheJob() {
    RankJob.Outcome outcome = job().kill("process:1@3").run(Program.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isGreaterThan(ExitCodes.BY_SIGNAL);
    assertThat(outcome.reports()).isEmpty();
  }
}
