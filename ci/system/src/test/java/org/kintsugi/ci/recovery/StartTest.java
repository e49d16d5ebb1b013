// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.test.RankJob;

/** Deaths before the end of MPI_Init. No recovery in place is possible, and nothing may hang. */
@Tag("flavours")
@Execution(ExecutionMode.CONCURRENT)
class StartTest {
  private static final int TIMEOUT_SECONDS = 40;

  /** Runs in the ranks: rank 1 never reaches MPI, or dies while the others are inside MPI_Init. */
  static final class DiesEarly {
    public static void main(String[] args) throws InterruptedException {
      if ("1".equals(System.getenv("OMPI_COMM_WORLD_RANK"))) {
        Thread.sleep(Long.parseLong(args[1]));
        Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), 9);
      }
      try (Mpi mpi = Mpi.init(args)) {
        RankJob.report(args[0], "rank-" + mpi.world().rank(), "through");
      }
    }
  }

  /** Runs in the ranks: rank 0 never calls MPI_Init. */
  static final class StaysAway {
    public static void main(String[] args) throws InterruptedException {
      if ("0".equals(System.getenv("OMPI_COMM_WORLD_RANK"))) {
        Thread.sleep(TIMEOUT_SECONDS * 1000L); // until the job is ended
        return;
      }
      try (Mpi mpi = Mpi.init(args)) {
        RankJob.report(args[0], "rank-" + mpi.world().rank(), "through");
      }
    }
  }

  @ParameterizedTest(name = "after {0} ms")
  @ValueSource(longs = 0)
  void aDeathBeforeMpiEndsTheJobForARestart(long millis) {
    RankJob.Outcome outcome =
        RankJob.of(3, 0).timeoutSeconds(TIMEOUT_SECONDS).jvm("-Dkintsugi.init.timeout.seconds=15")
            .run(DiesEarly.class, String.valueOf(millis));
    assertThat(outcome.reports()).isEmpty();
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(Mpi.RESTART_CODE);
    assertThat(outcome.output()).contains("the job must be started again");
  }

  @Tag("series")
  @ParameterizedTest(name = "after {0} ms")
  @ValueSource(longs = 2000)
  void aFailureWhileTheOthersAreInMpiInitEndsTheJobForARestart(long millis) {
    aDeathBeforeMpiEndsTheJobForARestart(millis);
  }

  @Test
  void aRankThatWaitsTooLongInMpiInitSaysSo() {
    RankJob.Outcome outcome = RankJob.of(2, 0).timeoutSeconds(TIMEOUT_SECONDS)
        .jvm("-Dkintsugi.init.timeout.seconds=5").run(StaysAway.class);
    assertThat(outcome.output()).contains("MPI_Init has not returned for 5 s");
  }
}
