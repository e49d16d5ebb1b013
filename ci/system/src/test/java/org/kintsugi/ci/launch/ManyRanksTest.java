// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kintsugi.ci.ranks.NamedLines.assertNames;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.launch.Job;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.test.RankJob;

/** One mistake in a job of 128 ranks is named as in a small one. Minutes on two cores. */
@Tag("flavours")
@Tag("once")
@Tag("series")
@Execution(ExecutionMode.SAME_THREAD)
class ManyRanksTest {
  private static final int RANKS = 128;
  private static final int ODD_ONE = 77;
  private static final int LIMIT_SECONDS = 600;
  /** Ranks wait for each other in MPI_Init for longer than in a small job. */
  private static final int STALL_SECONDS = 60;

  /** Runs in the ranks: one rank leaves out a sum. */
  static final class LeavesOneOut {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Buf step = Buf.allocateInts(1);
        for (int i = 0; i < 5; i++) {
          if (i < 3 || world.rank() != ODD_ONE) {
            world.allReduce(1.0, Op.SUM);
          }
          world.bcast(step, 0);
        }
      }
    }
  }

  private static RankJob job() {
    return RankJob.of(RANKS, 0).timeoutSeconds(LIMIT_SECONDS);
  }

  @Test
  void aStallIsExplained() throws IOException {
    RankJob.Outcome outcome = job().stall(STALL_SECONDS, true).run(LeavesOneOut.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(Job.TIMED_OUT);
    assertNames(outcome.output(), "rank 77: waits for \\d+ s in MPI_Bcast \\(Comm\\.bcast on mpi\\.world\\(\\), root 0\\)",
        ManyRanksTest.class, "bcast(step, 0)");
    assertNames(outcome.output(),
        "ranks 0-76,78-127: wait for \\d+ s in MPI_Allreduce \\(Comm\\.allReduce on mpi\\.world\\(\\)\\)",
        ManyRanksTest.class, "allReduce(1.0, Op.SUM)");
    assertThat(outcome.output()).contains("The odd one out: rank 77");
  }

  @Test
  void whatIsCheckedIsNamedAtOnce() throws IOException {
    RankJob.Outcome outcome = job().stall(LIMIT_SECONDS, false).check().run(LeavesOneOut.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.DIFFERENT_CALLS);
    assertThat(outcome.output()).contains("the ranks of mpi.world() do not call the same (call 7 on it):");
    assertNames(outcome.output(), "rank 77: MPI_Bcast \\(Comm\\.bcast\\), root 0, 1 x Int", ManyRanksTest.class,
        "bcast(step, 0)");
    assertNames(outcome.output(), "ranks 0-76,78-127: MPI_Allreduce \\(Comm\\.allReduce\\), SUM, 1 x Double", ManyRanksTest.class,
        "allReduce(1.0, Op.SUM)");
  }
}
