// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.launch.Job;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * Every way in which a JVM can end without {@code MPI_Finalize} is the same failure: inside a Reinit run it is mended, and what
 * cannot be mended ends the job by itself, with a code that says why (docs/known-issues.md, "How a rank may end").
 */
@Tag("flavours")
class WaysToEndTest {
  private static final int RANKS = 3;
  private static final int TIMEOUT_SECONDS = 120;

  private static RankJob job(int ranks, int spares) {
    return RankJob.of(ranks, spares).timeoutSeconds(TIMEOUT_SECONDS).maxRespawns(spares)
        .jvm("-D" + WaysToEnd.LIBRARY + "=" + TestLibrary.of(RankJob.flavour(), "ends"), "-Xmx64m",
            "-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash");
  }

  private static void assertMended(RankJob.Outcome outcome, int recoveries) {
    outcome.assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly(recoveries + " recoveries");
  }

  /** Signals 15, 2, 1, 11, 6, 9: TERM, INT, HUP, SEGV, ABRT, KILL. The others of a job live on through all of these. */
  @ParameterizedTest
  @CsvSource({"exit exit-0 halt native-exit", "15 2 1", "native-crash native-abort 11 6 9"})
  void anEndInsideARunIsMended(String ways) {
    String[] all = ways.split(" ");
    assertMended(job(RANKS, all.length).run(WaysToEnd.class, all), all.length);
  }

  @Test
  void anEndByTheJvmItselfWhenMemoryIsOutIsMended() {
    assertMended(job(RANKS, 1).jvm("-XX:+ExitOnOutOfMemoryError").run(WaysToEnd.class, "memory"), 1);
  }

  /** They are thrown by the body, which ends the run everywhere. */
  @ParameterizedTest
  @CsvSource({"memory, java.lang.OutOfMemoryError", "exception, java.lang.IllegalStateException: on purpose"})
  void whatTheBodyThrowsEndsTheJob(String way, String reason) {
    RankJob.Outcome outcome = job(RANKS, 1).jvm("-Dkintsugi.finalize.timeout.seconds=5").run(WaysToEnd.class, way);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(1);
    assertThat(outcome.output()).contains("the body threw on rank " + WaysToEnd.VICTIM + ": " + reason);
  }

  @Tag("series")
  @ParameterizedTest
  @CsvSource("stack, java.lang.StackOverflowError")
  void soDoesAnotherError(String way, String reason) {
    whatTheBodyThrowsEndsTheJob(way, reason);
  }

  /** Runs in the ranks: without a Reinit run nobody mends anything. */
  static final class WithoutARun {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Meeting.of(args[0], "has-left-mpi-init", mpi.world().rank(), mpi.world().size());
        if (mpi.world().rank() == WaysToEnd.VICTIM) {
          WaysToEnd.end(args[1]);
        }
        while (true) {
          mpi.world().allReduce(1, Op.SUM);
        }
      }
    }
  }

  @Tag("series")
  @ParameterizedTest
  @CsvSource({"halt, 3", "native-exit, 3"})
  void soDoTheOtherEndsThatNobodyMends(String way, int code) {
    anEndThatNobodyMendsEndsTheJobWithItsCode(way, code);
  }

  @ParameterizedTest
  @CsvSource({"exit, 3", "15, 143"})
  void anEndThatNobodyMendsEndsTheJobWithItsCode(String way, int code) {
    RankJob.Outcome outcome = job(RANKS + 1, 0).run(WithoutARun.class, way);
    if (RankJob.flavour() == Flavour.ULFM) {
      assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(code);
    } else {
      // Its runtime does not tell codes; System.exit is told apart.
      assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(way.equals("exit") ? 1 : Mpi.RESTART_CODE);
    }
  }

  /** A spare is none where there is no other process to take the place: the policy decides, here for another start. */
  @Test
  void anEndWithoutASpareIsForThePolicy() {
    RankJob.Outcome outcome = job(RANKS, 0).jvm("-Dkintsugi.reinit.policy=RESTART").run(WaysToEnd.class, "exit");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(Mpi.RESTART_CODE);
  }

  @Test
  void anAbortInsideARunEndsTheJobWithItsCode() {
    RankJob.Outcome outcome = job(RANKS, 1).run(WaysToEnd.class, "abort");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(WaysToEnd.ABORT_CODE);
    assertThat(outcome.reports()).isEmpty();
  }

  @Test
  void theEndOfMainWithoutCloseHoldsUpNobody() {
    RankJob.Outcome outcome = job(RANKS, 0).run(WaysToEnd.class, "main");
    assertThat(outcome.exitCode()).as(outcome.output()).isNotEqualTo(Job.TIMED_OUT);
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(List.copyOf(outcome.reports().values())).containsOnly("0 recoveries");
  }
}
