// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * A process dies inside of {@code MPI_Finalize}, behind all that the job was to do: the others leave MPI in order (patches 0043
 * and 0044). With a stock Open MPI nearly each such death is an exception in all of them. On the Reinit++ fork the job ends for a
 * restart, see {@link LateEndTest}.
 */
@Execution(ExecutionMode.CONCURRENT)
class FinalizeDeathTest {
  private static final int RANKS = 4;

  /** Runs in the ranks. */
  static final class DiesInFinalize {
    /** Arguments: the folder for reports, and when rank 1 dies, in microseconds behind the beginning of its end. */
    public static void main(String[] args) {
      Mpi mpi = Mpi.init(args);
      int rank = mpi.world().rank();
      mpi.world().barrier();
      if (rank == WaysToEnd.VICTIM) {
        long micros = Long.parseLong(args[1]);
        new Thread(() -> {
          LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
          Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
        }).start();
      }
      mpi.close();
      RankJob.report(args[0], String.valueOf(rank), "closed");
    }
  }

  private static void closesFor(long micros) {
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(30).run(DiesInFinalize.class, String.valueOf(micros));
    outcome.assertSuccess();
    Map<String, String> reports = new HashMap<>(outcome.reports());
    reports.remove(String.valueOf(WaysToEnd.VICTIM));
    assertThat(reports).as(outcome.output()).hasSize(RANKS - 1);
  }

  @ParameterizedTest(name = "after {0} µs")
  @ValueSource(longs = {0, 300, 1000, 3000})
  void theOthersLeaveInOrder(long micros) {
    closesFor(micros);
  }

  @Tag("series")
  @ParameterizedTest(name = "after {0} µs")
  @ValueSource(longs = {100, 200, 400, 500, 600, 700, 800, 900, 1200, 1400, 1600, 1800, 2000, 2500, 4000, 5000})
  void theOthersLeaveInOrderInTheLongRun(long micros) {
    closesFor(micros);
  }
}
