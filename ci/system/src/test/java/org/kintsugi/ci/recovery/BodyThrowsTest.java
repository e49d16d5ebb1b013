// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.launch.Job;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** An exception of the body leaves Reinit.run as it is on its process, and the run ends everywhere. */
@Tag("flavours")
class BodyThrowsTest {
  private static final int RANKS = 3;

  /** Runs in the ranks: rank 1 throws while the others wait for it. */
  static final class Throws {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        int rank = mpi.world().rank();
        String end = "nothing thrown";
        try {
          Reinit.run(mpi, run -> {
            if (run.world().rank() == 1) {
              throw new IOException("no such input");
            }
            run.world().recv(Buf.wrap(new int[1]), 1, 7);
          });
        } catch (Exception e) {
          end = e.getClass().getName() + ": " + e.getMessage();
        }
        RankJob.report(args[0], String.valueOf(rank), end);
      }
    }
  }

  /** Runs in the ranks: all throw at once, as when a folder for all of them is not there. */
  static final class AllThrow {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        int rank = mpi.world().rank();
        try {
          Reinit.run(mpi, run -> {
            run.world().barrier();
            throw new IOException("no such input");
          });
        } catch (Exception e) {
          RankJob.report(args[0], String.valueOf(rank), e.toString());
        }
      }
    }
  }

  /** Runs in the ranks: all throw, and rank 0 does not come to MPI_Finalize for long. */
  static final class EndsLate {
    public static void main(String[] args) throws InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        try {
          Reinit.run(mpi, run -> {
            run.world().barrier();
            throw new IOException("no such input");
          });
        } finally {
          if (mpi.world().rank() == 0) {
            Thread.sleep(9_000);
          }
        }
      }
    }
  }

  /** Runs in the ranks: one of them dies, and what rank 0 has to clean up fails. */
  static final class CleanupThrows {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          if (run.world().rank() == 0) {
            run.pushCleanup(() -> RankJob.report(args[0], "handler", "called"));
            run.pushCleanup(() -> {
              throw new IllegalStateException("cannot clean up");
            });
          }
          pass(run);
        });
      }
    }
  }

  /** Runs in the ranks: whatever comes, the body wraps it. */
  static final class Wraps {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        RunResult<?> outcome = Reinit.call(mpi, run -> {
          try {
            pass(run);
          } catch (Throwable t) {
            throw new IllegalStateException("wrapped", t);
          }
          return run.recoveries();
        });
        assertThat(outcome.value()).isEqualTo(outcome.stayedSpare() ? null : outcome.recoveries());
        RankJob.report(args[0], String.valueOf(mpi.world().rank()), String.valueOf(outcome.recoveries().size()));
      }
    }
  }

  private static void pass(Run run) {
    for (long i = 0; i < 20; i++) {
      run.iteration(i);
      run.world().barrier();
    }
  }

  @Test
  void aCleanupThatThrowsEndsTheRunAndLeavesNobodyWaiting() {
    RankJob.Outcome outcome =
        RankJob.of(RANKS, 1).kill("process:1@5").maxRespawns(1).timeoutSeconds(90).run(CleanupThrows.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isNotZero().isNotEqualTo(Job.TIMED_OUT);
    assertThat(outcome.output()).contains("the body threw on rank 0: java.lang.IllegalStateException: cannot clean up")
        .as("without the others' stack traces").doesNotContain("threwOn");
    assertThat(outcome.reports()).as("the other handler").containsEntry("handler", "called");
  }

  @Test
  void aRollbackThatTheBodyWrapsIsARollback() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).kill("process:1@5").timeoutSeconds(90).run(Wraps.class).assertSuccess();
    assertThat(outcome.reports().values()).as(outcome.output()).hasSizeGreaterThanOrEqualTo(RANKS).contains("1");
    assertThat(outcome.output()).contains("on the way its body threw java.lang.IllegalStateException: wrapped");
  }

  /** Runs in the ranks. */
  static final class Returns {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        RunResult<String> outcome = Reinit.call(mpi, run -> "rank " + run.world().rank() + " of " + run.world().size());
        RankJob.report(args[0], String.valueOf(mpi.world().rank()), outcome.stayedSpare() + " " + outcome.value());
      }
    }
  }

  @Test
  void theExceptionIsThrownOnAllRanks() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(90).run(Throws.class).assertSuccess();
    String told = "java.lang.IllegalStateException: the body threw on rank 1: java.io.IOException: no such input";
    assertThat(outcome.reports()).as(outcome.output())
        .containsEntry("0", told).containsEntry("1", "java.io.IOException: no such input").containsEntry("2", told);
  }

  @Test
  void allMayThrowAtOnce() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(90).run(AllThrow.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    // A rank that was still in the barrier may have got the failure instead.
    assertThat(outcome.reports().values()).contains("java.io.IOException: no such input")
        .allSatisfy(end -> assertThat(end).endsWith("java.io.IOException: no such input"));
  }

  @Test
  void aRankThatEndsByAnExceptionDoesNotWaitForever() {
    RankJob.Outcome outcome =
        RankJob.of(RANKS, 0).timeoutSeconds(90).jvm("-Dkintsugi.finalize.timeout.seconds=3").run(EndsLate.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(1);
    assertThat(outcome.output()).contains("MPI_Finalize has not returned for 3 s", "java.io.IOException: no such input");
  }

  @Test
  void whatTheBodyReturnsReachesTheCaller() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).timeoutSeconds(90).run(Returns.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("0", "false rank 0 of 3")
        .containsEntry("2", "false rank 2 of 3");
    if (RankJob.flavour() == Flavour.ULFM) { // the fork's spares are the runtime's: none comes as far as main
      assertThat(outcome.reports()).as(outcome.output()).containsEntry("3", "true null");
    }
  }
}
