// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.DoubleRef;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** Cartesian grids, their rows and the collectives of neighbours, while processes die. */
@Tag("flavours")
class GridTest {
  private static final int RANKS = 4;
  private static final int STEPS = 40;

  /** Runs in the ranks: each step adds what the neighbours and the row have. */
  static final class Grid {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        RankReport.write(args[0], Reinit.call(mpi,
            run -> new RankReport(run.world().rank(), sum(run) + " after " + run.epoch() + " recoveries")));
      }
    }

    private static double sum(Run run) {
      DoubleRef sum = run.checkpoint().doubleRef("sum");
      try (CartComm grid = run.world().cart(new int[] {2, 2}, new boolean[] {true, true}, false);
          CartComm row = grid.sub(false, true)) {
        double[] around = new double[grid.neighbours()];
        for (long i = run.checkpoint().restore().orElse(0); i < STEPS; i++) {
          run.iteration(i);
          grid.neighbourAllGather(Buf.wrap(new double[] {1}), Buf.wrap(around));
          for (double one : around) {
            sum.add(one);
          }
          sum.add(row.allReduce(1.0, Op.SUM));
          run.checkpoint().save(i + 1);
        }
      }
      return sum.get();
    }
  }

  /** Four neighbours and two in a row, in each step. */
  private static String expected(int recoveries) {
    return STEPS * (4.0 + 2.0) + " after " + recoveries + " recoveries";
  }

  @Test
  void nothingOfAFaultFreeRunIsFrightening() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).run(Grid.class).assertSuccess();
    assertThat(outcome.reports().values()).hasSize(RANKS).containsOnly(expected(0));
    if (RankJob.flavour() == Flavour.REINIT || RankJob.mpiOrSkip().isPatched()) {
      // A stock Open MPI says of its grids that nobody has tested them with failures.
      assertThat(outcome.output().lines().filter(line -> !line.matches("(NOTE: )?Picked up .*"))).isEmpty();
    }
  }

  @Test
  void theJobRecoversFromDeaths() {
    RankJob.Outcome outcome =
        RankJob.of(RANKS, 2).kill("process:1@13").kill("process:2@29").run(Grid.class).assertSuccess();
    assertThat(outcome.reports().values()).as(outcome.output()).hasSize(RANKS).containsOnly(expected(2));
  }
}
