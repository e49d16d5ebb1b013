// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.test.RankJob;

/** {@code Mpi.abort} in a job in which processes have been started later. To mpirun each of these is a job of its own. */
class RefillAbortTest {
  private static final int CODE = 5;
  private static final String ABORTS = "aborts";
  private static final String EPOCH = "epoch-";

  /**
   * Runs in the ranks: rank 1 dies, a process that is started then takes its place, and one of the two aborts; the other one is
   * in a barrier. Arguments: the folder for reports, and "new" or "old".
   */
  static final class AbortsInTheRun {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          RankJob.report(args[0], EPOCH + run.epoch() + "-" + run.world().rank(), "is reached");
          boolean isNew = JobConfig.STARTED.longValue() > 0 || JobConfig.SPAWNED.booleanValue();
          if (run.epoch() == 0 && run.world().rank() == 1) {
            Runtime.getRuntime().halt(WaysToEnd.CODE);
          }
          run.world().barrier();
          if (isNew == args[1].equals("new")) {
            mpi.abort(CODE);
          }
          run.world().barrier();
        });
      }
    }
  }

  /** All end at once, also if new processes are started by {@code MPI_Comm_spawn}. */
  @ParameterizedTest
  @CsvSource({"new, SPAWN", "old, SPAWN", "new, SPAWN_TOGETHER", "old, SPAWN_TOGETHER"})
  void anAbortEndsAllProcesses(String who, String policy) {
    String way = RefillTest.POLICY + policy;
    RankJob.Outcome outcome = RankJob.of(2, 0).refill(true).jvm(way).run(AbortsInTheRun.class, who);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(CODE);
    assertThat(outcome.reports()).as(outcome.output()).containsOnlyKeys(EPOCH + "0-0", EPOCH + "0-1", EPOCH + "1-0",
        EPOCH + "1-1");
    assertThat(outcome.output()).doesNotContain("mpirun has not ended");
  }

  /** Runs in the ranks: a process that is started later aborts before the run. */
  static final class AbortsBeforeTheRun {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        if (mpi.world().size() < 2) {
          RankJob.report(args[0], ABORTS, "now");
          mpi.abort(CODE);
        }
        Reinit.run(mpi, run -> {
          if (run.epoch() == 0 && run.world().rank() == 1) {
            Runtime.getRuntime().halt(WaysToEnd.CODE);
          }
          if (run.world().rank() == 0) {
            Meeting.await(Path.of(args[0], "report-" + ABORTS));
          }
          run.world().barrier();
          RankJob.report(args[0], String.valueOf(run.world().rank()), "in epoch " + run.epoch());
        });
      }
    }
  }

  @Test
  void anAbortBeforeAdmissionEndsNoOtherProcess() {
    RankJob.Outcome outcome = RankJob.of(2, 1).refill(true).run(AbortsBeforeTheRun.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("0", "in epoch 1").containsEntry("1", "in epoch 1");
    assertThat(outcome.output()).contains("has called MPI_Abort(" + CODE + ") before the run");
  }
}
