// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.internal.lifetime.BeforeFinalize;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * A process dies inside of {@code MPI_Finalize}, when the work of the job is done.
 *
 * <p>The others must leave MPI without an error (patch ulfm/0007). With a stock Open MPI
 * nearly each such death is an exception in all of them. On the Reinit++ fork the job ends for a
 * restart, see {@link LateEndTest}.
 */
@Execution(ExecutionMode.CONCURRENT)
class FailureInFinalizeTest {
  private static final int RANKS = 4;

  /** Deaths before {@code MPI_Finalize}, inside of it, and those that did not come, as the victim was through before. */
  private static final AtomicInteger EARLY = new AtomicInteger();
  private static final AtomicInteger STRUCK = new AtomicInteger();
  private static final AtomicInteger LATE = new AtomicInteger();

  /** Runs in the ranks. */
  static final class DiesInFinalize {
    private static final String ARMED = "armed";
    private static final String DIES = "dies";
    private static final String CLOSED = "closed";

    /** Arguments: the folder for reports, and how many microseconds inside of MPI_Finalize rank 1 dies; 0: at its start. */
    public static void main(String[] args) {
      Mpi mpi = Mpi.init(args);
      int rank = mpi.world().rank();
      mpi.world().barrier();
      if (rank == WaysToEnd.VICTIM) {
        long micros = Long.parseLong(args[1]);
        Thread main = Thread.currentThread();
        // Loaded now, so that the death is in time.
        RankJob.report(args[0], ARMED, String.valueOf(isInFinalize(main)));
        Kintsugi.kintsugi_parent_pid();
        Thread killer = new Thread(() -> {
          while (micros > 0 && !isInFinalize(main)) {
            Thread.onSpinWait();
          }
          LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
          RankJob.report(args[0], DIES, String.valueOf(isInFinalize(main)));
          Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
        });
        killer.setDaemon(true);
        BeforeFinalize.add(killer::start);
      }
      mpi.close();
      RankJob.report(args[0], String.valueOf(rank), CLOSED);
    }

    private static boolean isInFinalize(Thread thread) {
      return Arrays.stream(thread.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("MPI_Finalize"));
    }
  }

  /** A victim may be through MPI_Finalize before its death comes, and that job shows nothing; all of them must not. */
  @AfterAll
  static void oneDeathWasInsideOfFinalize() {
    String all =
        "FailureInFinalizeTest: " + STRUCK + " struck inside of MPI_Finalize, " + EARLY + " before it, " + LATE
            + " came too late";
    System.out.println(all);
    if (EARLY.get() + LATE.get() > 0) {
      assertThat(STRUCK).as(all).hasPositiveValue();
    }
  }

  private static void closesFor(long micros) {
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(30).run(DiesInFinalize.class, String.valueOf(micros));
    outcome.assertSuccess();
    Map<String, String> reports = new HashMap<>(outcome.reports());
    assertThat(reports.remove(DiesInFinalize.ARMED)).isEqualTo("false");
    boolean isThrough = reports.remove(String.valueOf(WaysToEnd.VICTIM)) != null;
    String inFinalize = reports.remove(DiesInFinalize.DIES);
    assertThat(reports).as(outcome.output()).hasSize(RANKS - 1);
    assertThat(isThrough || inFinalize != null).as("rank %d is through or dies: %s", WaysToEnd.VICTIM, outcome.output()).isTrue();
    (isThrough ? LATE : Boolean.parseBoolean(inFinalize) ? STRUCK : EARLY).incrementAndGet();
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
