// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.DoubleRef;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
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

  /**
   * Runs in the ranks, which are the rows of a grid: rank 0, at its upper edge, sends to rank 1 and receives from {@code
   * PROC_NULL}. Rank 1 waits for rank 2 instead, which fails. So the revocation of the world ends the call of rank 0.
   */
  static final class Edge {
    private static final int ROW = 1 << 17; // too long to be sent before it is received
    private static final int DOWN_TAG = 1;
    private static final int NEVER_SENT_TAG = 2;
    private static final long UNTIL_RANK_0_SENDS_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        RankReport.write(args[0],
            Reinit.call(mpi,
                run -> new RankReport(run.world().rank(), fromAbove(run) + " after " + run.epoch() + " recoveries")));
      }
    }

    private static double fromAbove(Run run) {
      Comm world = run.world();
      int rank = world.rank();
      int above = rank == 0 ? Comm.PROC_NULL : rank - 1;
      int below = rank == world.size() - 1 ? Comm.PROC_NULL : rank + 1;
      if (run.epoch() == 0 && rank == 1) {
        world.recv(Buf.wrap(new int[1]), below, NEVER_SENT_TAG);
      } else if (rank == 2) {
        LockSupport.parkNanos(run.epoch() == 0 ? UNTIL_RANK_0_SENDS_NANOS : 0);
        run.iteration(run.epoch());
      }
      double[] own = new double[ROW];
      own[0] = rank;
      double[] row = new double[ROW];
      row[0] = -1;
      world.sendRecv(Buf.wrap(own), below, DOWN_TAG, Buf.wrap(row), above, DOWN_TAG);
      return row[0];
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

  /** An Open MPI without the patch mpi/0003 crashes in rank 0, and then lacks a spare. */
  @Test
  void aRankAtTheEdgeRecoversFromARevocation() {
    RankJob.Outcome outcome = RankJob.of(3, 1).refill(false).kill("process:2@0").run(Edge.class).assertSuccess();
    assertThat(outcome.reports().values()).as(outcome.output()).containsExactlyInAnyOrder("-1.0 after 1 recoveries",
        "0.0 after 1 recoveries", "1.0 after 1 recoveries");
  }
}
