// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.DoubleRef;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.RanksTest;

class SumsTest {
  /** Runs on every rank of a job, once with one rank and once with three. */
  @RanksTest(n = {1, 3})
  void everyRankHasTheSum(Mpi mpi) {
    assertEquals(mpi.world().size(), mpi.world().allReduce(1, Op.SUM));
  }

  /** The program of the next test; its main method gets a folder for reports as the first argument. */
  static final class Sums {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
        DoubleRef sum = run.checkpoint().doubleRef("sum");
        for (long i = run.checkpoint().restore().orElse(0); i < 100; i++) {
          run.iteration(i);
          sum.add(run.world().allReduce((double) i, Op.SUM));
          if (i % 10 == 9) {
            run.checkpoint().save(i + 1);
          }
        }
        if (run.world().rank() == 0) {
          RankJob.report(args[0], "sum", String.valueOf(sum.get()));
        }
      }));
    }
  }

  /** Rank 1 of three is killed in iteration 55; a spare takes its place. */
  @Test
  void aDeathDoesNotChangeTheSum() {
    RankJob.Outcome outcome = RankJob.of(3, 1).kill("process:1@55").run(Sums.class).assertSuccess();
    assertEquals("14850.0", outcome.reports().get("sum"));
  }

  /** The same after a failure of any rank, at five moments: all data that the sum depends on are saved. */
  @Test
  void allThatIsNeededIsSaved() {
    RankJob.of(3, 1).prove(5, Sums.class).assertSuccess();
  }
}
