// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/** A recovery that hangs ends the job for a restart. The message has the call traces. */
@Tag("flavours")
@Execution(ExecutionMode.CONCURRENT)
class RepairLimitTest {
  private static final int RANKS = 3;

  /** Runs in the ranks: rank 1 dies, rank 2 waits for it, and rank 0 computes for longer than a recovery may take. */
  static final class DoesNotCome {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          int rank = run.world().rank();
          run.world().barrier();
          if (run.epoch() == 0) {
            Meeting.of(args[0], "has-left-the-barrier", rank, RANKS);
          }
          if (rank == 1 && run.epoch() == 0) {
            Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
          } else if (rank == 0) {
            TimeUnit.SECONDS.sleep(90);
          } else {
            run.world().barrier();
          }
        });
      }
    }
  }

  /** Runs in the ranks: rank 1 dies before its run, and rank 0 computes for longer than a recovery may take before its own. */
  static final class DoesNotBegin {
    public static void main(String[] args) throws InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        Meeting.of(args[0], "has-left-mpi-init", mpi.world().rank(), mpi.world().size());
        if (mpi.world().rank() == 1) {
          Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
        } else if (mpi.world().rank() == 0) {
          TimeUnit.SECONDS.sleep(90);
        }
        Reinit.run(mpi, run -> run.world().barrier());
      }
    }
  }

  /** Runs in the ranks: rank 0 begins later than a recovery may take, without a failure. */
  static final class BeginsLate {
    public static void main(String[] args) throws InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        if (mpi.world().rank() == 0) {
          TimeUnit.SECONDS.sleep(5);
        }
        Reinit.run(mpi, run -> run.world().barrier());
      }
    }
  }

  /** Runs in the ranks: rank 1 throws, and rank 0 computes for longer than a recovery may take. */
  static final class Throws {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          run.world().barrier();
          if (run.world().rank() == 0) {
            TimeUnit.SECONDS.sleep(90);
          } else if (run.world().rank() == 1) {
            throw new IOException("no such input");
          }
        });
      }
    }
  }

  /** Not 75: started again the job would throw again. */
  @Test
  void whatABodyThrowsEndsTheJobEvenIfARankDoesNotCome() {
    RankJob.Outcome outcome =
        RankJob.of(RANKS, 0).timeoutSeconds(60).jvm("-Dkintsugi.recovery.timeout.seconds=5").run(Throws.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(1);
    assertThat(outcome.output()).contains("java.io.IOException: no such input");
  }

  @Tag("once")
  @Test
  void aRankThatDoesNotBeginEndsTheJobWhereAnotherHasDied() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).timeoutSeconds(60).jvm("-Dkintsugi.recovery.timeout.seconds=4")
        .run(DoesNotBegin.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(Mpi.RESTART_CODE);
    assertThat(outcome.output()).containsPattern("a recovery has not ended in time|a process died before all")
        .contains("where the threads of process").containsPattern("org\\.kintsugi\\.reinit\\..*Provider.begin");
  }

  @Test
  void theOthersWaitForARankThatBeginsLate() {
    RankJob.of(RANKS, 1).timeoutSeconds(60).jvm("-Dkintsugi.recovery.timeout.seconds=2").run(BeginsLate.class).assertSuccess();
  }

  @Test
  void aRankThatDoesNotComeToARecoveryEndsTheJob() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).maxRespawns(1).timeoutSeconds(60)
        .jvm("-Dkintsugi.recovery.timeout.seconds=4").run(DoesNotCome.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(Mpi.RESTART_CODE);
    assertThat(outcome.output()).contains("a recovery has not ended in time").contains("where the threads of process")
        .containsOnlyOnce("jmpirun: a limit has struck on rank ")
        .containsOnlyOnce(
            "rank 0: a process has failed, and the body has called neither run.iteration, run.poll nor MPI for 2.0 s")
        .doesNotContain("rank 2: a process has failed")
        .containsPattern("rank 0: waits outside of MPI for .*RepairLimitTest.java:\\d+ main")
        .containsPattern("org\\.kintsugi\\.reinit\\..*Provider");
  }
}
