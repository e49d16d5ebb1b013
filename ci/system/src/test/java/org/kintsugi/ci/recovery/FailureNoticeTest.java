// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;

/**
 * The launcher's notice of a death arrives, in whatever order handlers are registered
 * (lasthandler.c).
 */
class FailureNoticeTest {
  private static final int RANKS = 2;
  private static final long LIMIT_SECONDS = 30;

  /** Runs in the ranks: rank 1 dies, and rank 0 counts the notices of deaths. */
  static final class Counts {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          run.world().barrier();
          run.iteration(1);
          run.world().barrier();
          if (run.world().rank() == 0) {
            long began = System.nanoTime();
            while (Kintsugi.kintsugi_failures_reported() == 0
                && System.nanoTime() - began < TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
              TimeUnit.MILLISECONDS.sleep(1);
            }
            RankJob.report(args[0], "told", String.valueOf(Kintsugi.kintsugi_failures_reported()));
          }
        });
      }
    }
  }

  @Test
  void aHandlerRegisteredBeforeThatOfOpenMpiIsNotified() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).kill("process:1@1").timeoutSeconds(90)
        .mpirun("-x", "LD_PRELOAD=" + TestLibrary.of(RankJob.flavour(), "lasthandler")).run(Counts.class).assertSuccess();
    assertThat(outcome.reports()).isEqualTo(Map.of("told", "1"));
  }
}
