// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/** A spare that is stopped (SIGSTOP) is ended: it takes part in each recovery, and in the run's end. Flavour ulfm. */
class StoppedSpareTest {
  /** jmpirun asks all processes where they are at least every 2 s, and knows a spare by its answer. */
  private static final long KNOWN_MILLIS = 2500;

  /** Runs in the ranks: rank 0 stops the spare; then the run ends, or, with the word "death", rank 1 dies before that. */
  static final class StopsTheSpare {
    public static void main(String[] args) {
      boolean dies = args[1].equals("death");
      try (Mpi mpi = Mpi.init(args)) {
        int[] pids = new int[mpi.world().size()];
        if (pids.length > 1) {
          mpi.world().allGather(Buf.copyOf((int) ProcessHandle.current().pid()), Buf.wrap(pids));
        }
        Reinit.run(mpi, run -> {
          if (run.epoch() == 0 && run.world().rank() == 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(KNOWN_MILLIS));
            Kintsugi.kintsugi_kill(pids[pids.length - 1], SignalNumbers.SIGSTOP);
            run.world().barrier();
          } else if (run.epoch() == 0) {
            run.world().barrier();
            if (dies) {
              Runtime.getRuntime().halt(WaysToEnd.CODE);
            }
          }
          run.world().barrier();
          RankJob.report(args[0], String.valueOf(run.world().rank()), "in epoch " + run.epoch());
        });
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"end, 0", "death, 1"})
  void nobodyWaitsForItForGood(String what, String epoch) {
    RankJob.Outcome outcome =
        RankJob.of(2, 1).refill(true).timeoutSeconds(40).run(StopsTheSpare.class, what).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("0", "in epoch " + epoch)
        .containsEntry("1", "in epoch " + epoch);
    assertThat(outcome.output()).containsOnlyOnce("was stopped (SIGSTOP)");
  }
}
