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
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.Op;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * Every way in which a JVM can end without {@code MPI_Finalize} is the same failure.
 *
 * <p>Inside a Reinit run the job recovers from it. Where it cannot recover, the job ends by itself,
 * with a code that says why (docs/recovery.md, "How a rank may end").
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

  private static void assertRecovered(RankJob.Outcome outcome, int recoveries) {
    outcome.assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly(recoveries + " recoveries");
  }

  /** Signals: TERM 15, INT 2, HUP 1, SEGV 11, ABRT 6, KILL 9. */
  @ParameterizedTest
  @CsvSource({"exit exit-0 halt native-exit", "15 2 1", "native-crash native-abort 11 6 9"})
  void theJobRecoversFromAnEndInsideARun(String ways) {
    String[] all = ways.split(" ");
    assertRecovered(job(RANKS, all.length).run(WaysToEnd.class, all), all.length);
  }

  @Test
  void theJobRecoversWhenTheJvmEndsForLackOfMemory() {
    assertRecovered(job(RANKS, 1).jvm("-XX:+ExitOnOutOfMemoryError").run(WaysToEnd.class, "memory"), 1);
  }

  /** An exception of the body ends the run on all ranks. */
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
  void anotherErrorOfTheBodyEndsTheJob(String way, String reason) {
    whatTheBodyThrowsEndsTheJob(way, reason);
  }

  /** Runs in the ranks: without a Reinit run there is no recovery. */
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

  /** The same with {@link Mpi#run}, which ends the job when a rank gets the failure. */
  static final class UnderMpiRun {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        Meeting.of(args[0], "has-left-mpi-init", mpi.world().rank(), mpi.world().size());
        if (mpi.world().rank() == WaysToEnd.VICTIM) {
          WaysToEnd.end(args[1]);
        }
        try {
          while (true) {
            mpi.world().allReduce(1, Op.SUM);
          }
        } catch (MpiFaultException e) {
          throw new IllegalStateException("as a program reports it", e);
        }
      });
    }
  }

  @Tag("series")
  @ParameterizedTest
  @CsvSource({"halt, 3", "native-exit, 3"})
  void theOtherEndsOutsideARunEndTheJob(String way, int code) {
    anEndOutsideARunEndsTheJobWithItsCode(way, code);
  }

  @ParameterizedTest
  @CsvSource({"exit, 3", "15, 143"})
  void anEndOutsideARunEndsTheJobWithItsCode(String way, int code) {
    assertEndsWith(WithoutARun.class, way, code);
  }

  /** If the failed process exited with 0, the job has the code of those that mpirun then kills. */
  @ParameterizedTest
  @CsvSource({"halt, 3", "exit-0, 137"})
  void anEndUnderMpiRunDoesTheSame(String way, int code) {
    assertEndsWith(UnderMpiRun.class, way, code);
  }

  @Tag("series")
  @ParameterizedTest
  @CsvSource({"exit, 3", "native-exit, 3", "15, 143", "9, 137"})
  void theOtherEndsUnderMpiRunEndTheJob(String way, int code) {
    anEndUnderMpiRunDoesTheSame(way, code);
  }

  private static void assertEndsWith(Class<?> program, String way, int code) {
    RankJob.Outcome outcome = job(RANKS + 1, 0).run(program, way);
    if (RankJob.flavour() == Flavour.ULFM) {
      assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(code);
    } else {
      // The fork's runtime reports no exit codes; the launcher recognises System.exit alone.
      assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(way.startsWith("exit") ? 1 : Mpi.RESTART_CODE);
    }
  }

  /** Without a process to take the place the policy decides, here for a restart. */
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
