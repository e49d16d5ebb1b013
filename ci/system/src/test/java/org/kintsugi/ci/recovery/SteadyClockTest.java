// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;

/** The wall clock is set while a job runs (native/test/clock.c): no wait may use it. */
@Tag("flavours")
class SteadyClockTest {
  private static final int RANKS = 2;
  private static final int AN_HOUR = 3600;

  /** Runs in the ranks. */
  static final class Meets {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          run.world().barrier();
          run.iteration(1);
          run.world().barrier();
          if (run.epoch() == 1) {
            RankJob.report(args[0], String.valueOf(run.world().rank()), "recovered");
          }
        });
      }
    }
  }

  private static void aFailureIsRecovered(int clockShift) {
    RankJob.Outcome outcome = RankJob.of(RANKS, 2).kill("process:1@1").timeoutSeconds(90)
        .mpirun("-x", "LD_PRELOAD=" + TestLibrary.of(RankJob.flavour(), "clock"), "-x", "KINTSUGI_CLOCK_SHIFT=" + clockShift)
        .run(Meets.class).assertSuccess();
    assertThat(outcome.reports()).isEqualTo(Map.of("0", "recovered", "1", "recovered"));
  }

  /**
   * The launcher's notice wakes one spare. The other one must find by itself that the job is over.
   */
  @Test
  void sparesDoNotSleepLongerWhenTheClockIsSetBack() {
    aFailureIsRecovered(AN_HOUR);
  }

  @Test
  void theJobRecoversWhenTheClockIsSetForward() {
    aFailureIsRecovered(-AN_HOUR);
  }
}
