// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.test.RankJob;

/** Ranks that have finished leave the processor to the rank that still works. */
@Tag("flavours")
@Execution(ExecutionMode.SAME_THREAD)
class IdleWaitTest {
  private static final int RANKS = 3;
  private static final long WORK_MILLIS = 5000;
  /**
   * The largest share of a working process's processor time that a waiting one may use.
   *
   * <p>A process that spins uses as much as the working one, a process that sleeps in between a fiftieth.
   */
  private static final double MOST = 0.3;

  /** The cost of a wait: processor time of the whole process in a second. */
  private static final class Wait {
    private final long began = System.nanoTime();
    private final Duration before = processorTime();

    private static Duration processorTime() {
      return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }

    double share() {
      return (double) processorTime().minus(before).toNanos() / (System.nanoTime() - began);
    }

    boolean wasLong() {
      return System.nanoTime() - began > WORK_MILLIS * 1_000_000 / 2;
    }
  }

  /** At full speed, as a program computes: without a call of MPI. */
  private static void work(int rank) {
    long until = System.nanoTime() + WORK_MILLIS * 1_000_000;
    while (rank == 0 && System.nanoTime() - until < 0) {
      Thread.onSpinWait();
    }
  }

  private static void report(String folder, int rank, Wait wait) {
    RankJob.report(folder, String.valueOf(rank), wait.wasLong() ? String.valueOf(wait.share()) : "nobody to wait for");
  }

  /** Runs in the ranks: rank 0 is still in its body when the others have left theirs. */
  static final class BodyEnds {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        RunResult<Wait> outcome = Reinit.call(mpi, run -> {
          run.world().barrier();
          Wait begun = new Wait();
          work(run.world().rank());
          return begun;
        });
        report(args[0], mpi.world().rank(), outcome.value());
      }
    }
  }

  /** Runs in the ranks: the same without a Reinit run. */
  static final class Closes {
    public static void main(String[] args) {
      int rank;
      Wait wait;
      try (Mpi mpi = Mpi.init(args)) {
        rank = mpi.world().rank();
        mpi.world().barrier();
        wait = new Wait();
        work(rank);
      }
      report(args[0], rank, wait);
    }
  }

  @Test
  void whoseBodyHasEndedTakesNoCore() {
    assertRest(RankJob.of(RANKS, 0).timeoutSeconds(90).run(BodyEnds.class).assertSuccess());
  }

  @Tag("once")
  @Test
  void whoClosesMpiTakesNoCore() {
    assertRest(RankJob.of(RANKS, 0).timeoutSeconds(90).run(Closes.class).assertSuccess());
  }

  private static void assertRest(RankJob.Outcome outcome) {
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    double working = Double.parseDouble(outcome.reports().get("0"));
    for (int rank = 1; rank < RANKS; rank++) {
      assertThat(Double.parseDouble(outcome.reports().get(String.valueOf(rank)))).isLessThan(MOST * working);
    }
  }
}
