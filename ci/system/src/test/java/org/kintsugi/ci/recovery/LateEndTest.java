// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * A process ends after {@code Mpi.close}.
 *
 * <p>The Reinit++ fork starts another one in its place, which no rank can admit any more. So the
 * job ends: for a restart if the process was killed, and else with 1.
 */
@Tag("flavours")
@Execution(ExecutionMode.CONCURRENT)
class LateEndTest {
  /** Runs in the ranks. */
  static final class EndsLate {
    public static void main(String[] args) {
      int rank;
      try (Mpi mpi = Mpi.init(args)) {
        rank = mpi.world().rank();
      }
      if (rank == WaysToEnd.VICTIM) {
        WaysToEnd.end(args[1]);
      }
    }
  }

  /** Signals 9 and 15: KILL and TERM. Under ULFM a death by a signal is never an error to mpirun, and MPI has done its work. */
  @ParameterizedTest
  @CsvSource({"9, 0, 75", "15, 143, 75", "exit, 3, 1"})
  void itsCodeSaysWhetherAnotherStartHelps(String way, int ulfm, int reinit) {
    RankJob.Outcome outcome = RankJob.of(2, 0).timeoutSeconds(40).run(EndsLate.class, way);
    boolean isFork = RankJob.flavour() == Flavour.REINIT;
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(isFork ? reinit : ulfm);
    if (isFork) {
      assertThat(outcome.output()).contains(reinit == Mpi.RESTART_CODE ? "died when others had finished already"
          : "ended with an error after Mpi.close");
    }
  }
}
