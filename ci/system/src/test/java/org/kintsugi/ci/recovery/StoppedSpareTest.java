// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/** A spare that is stopped (SIGSTOP) is ended: it takes part in each recovery, and in the run's end. Flavour ulfm. */
class StoppedSpareTest {
  /** jmpirun asks all processes where they are at least every 2 s, and knows a spare by its answer. */
  private static final long KNOWN_MILLIS = 4000;

  /** Runs in the ranks: rank 0 stops the spare, and rank 1 dies. */
  static final class StopsTheSpare {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        int[] pids = new int[mpi.world().size()];
        if (pids.length > 1) {
          mpi.world().allGather(Buf.copyOf((int) ProcessHandle.current().pid()), Buf.wrap(pids));
        }
        Reinit.run(mpi, run -> {
          if (run.epoch() == 0) {
            if (run.world().rank() == 0) {
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(KNOWN_MILLIS));
              Kintsugi.kintsugi_kill(pids[pids.length - 1], SignalNumbers.SIGSTOP);
            }
            run.world().barrier();
            if (run.world().rank() == 1) {
              Runtime.getRuntime().halt(WaysToEnd.CODE);
            }
          }
          run.world().barrier();
          RankJob.report(args[0], String.valueOf(run.world().rank()), "in epoch " + run.epoch());
        });
      }
    }
  }

  /** The recovery waits until jmpirun has ended the spare and started a replacement. */
  @Test
  void aRecoveryDoesNotWaitForItForGood() {
    RankJob.Outcome outcome = RankJob.of(2, 1).refill(true).timeoutSeconds(40).run(StopsTheSpare.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("0", "in epoch 1").containsEntry("1", "in epoch 1");
    assertThat(outcome.output()).containsOnlyOnce("was stopped (SIGSTOP)");
  }
}
