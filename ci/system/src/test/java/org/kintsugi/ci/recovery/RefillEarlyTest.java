// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/** Spares are filled up when processes die before they are in the run, the new ones included. Flavour ulfm. */
class RefillEarlyTest {
  private static final String ENDS = "ends";
  private static final String NEXT = "next";

  /** From one's end to the program's start in the next: less than the pool waits for one that it cannot see. */
  private static final long MISSED_MILLIS = 10_000;

  /** Runs in the ranks: the first process that is started later ends before it begins MPI. */
  static final class FirstEndsBeforeMpi {
    public static void main(String[] args) {
      long started = JobConfig.STARTED.longValue();
      if (started > 0) {
        RankJob.report(args[0], started == 1 ? ENDS : NEXT, String.valueOf(System.currentTimeMillis()));
      }
      if (started == 1) {
        Runtime.getRuntime().halt(WaysToEnd.CODE);
      }
      RefillTest.Sums.main(args);
    }
  }

  @Test
  void oneThatEndsBeforeItComesToMpiIsMissedSoon() {
    RankJob.Outcome outcome = RankJob.of(2, 0).refill(true).jvm(RefillTest.SPAWN).kill("process:1@50")
        .run(FirstEndsBeforeMpi.class);
    outcome.assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsKeys("0", "1");
    long ended = Long.parseLong(outcome.reports().get(ENDS));
    assertThat(Long.parseLong(outcome.reports().get(NEXT)) - ended).as(outcome.output()).isLessThan(MISSED_MILLIS);
  }

  /** Runs in the ranks: rank 1 dies between {@code Mpi.init} and the run, which does not end before a new process is there. */
  static final class DiesBeforeTheRun {
    private static final long LOADING_MILLIS = 500;

    public static void main(String[] args) {
      boolean isNew = JobConfig.STARTED.longValue() > 0;
      try (Mpi mpi = Mpi.init(args)) {
        if (isNew) {
          RankJob.report(args[0], NEXT, "is there");
        } else if (mpi.world().rank() == 1) {
          RankJob.report(args[0], ENDS, "now");
          Runtime.getRuntime().halt(WaysToEnd.CODE);
        }
        Meeting.await(Path.of(args[0], "report-" + ENDS));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOADING_MILLIS)); // jmpirun sees it die while none is in the run
        Reinit.run(mpi, run -> {
          if (run.world().rank() == 0) {
            Meeting.await(Path.of(args[0], "report-" + NEXT));
          }
          run.world().barrier();
          RankJob.report(args[0], String.valueOf(run.world().rank()), "in epoch " + run.epoch());
        });
      }
    }
  }

  @Test
  void aDeathBeforeTheRunIsMadeUpFor() {
    RankJob.Outcome outcome = RankJob.of(2, 1).refill(true).run(DiesBeforeTheRun.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsOnlyKeys("0", "1", ENDS, NEXT)
        .containsEntry("0", "in epoch 0").containsEntry("1", "in epoch 0");
  }

  /** Runs in the ranks: ranks 1 and 2 die, and so does one of the two that are spawned for them, before it meets anybody. */
  static final class OneOfTwoSpawnedDies {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        boolean isFirst = !Files.exists(Path.of(args[0], "report-" + ENDS));
        if (JobConfig.SPAWNED.booleanValue() && mpi.world().rank() == 1 && isFirst) {
          RankJob.report(args[0], ENDS, "now");
          Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
        }
        Reinit.run(mpi, run -> {
          if (run.epoch() == 0) {
            Meeting.of(args[0], "in-run", run.world().rank(), 3);
            if (run.world().rank() > 0) {
              Runtime.getRuntime().halt(WaysToEnd.CODE);
            }
          }
          run.world().barrier();
          RankJob.report(args[0], String.valueOf(run.world().rank()), "is there");
        });
      }
    }
  }

  /** Both share memory, by which a process cannot detect a death (native/openmpi/patches/prrte/0008). */
  @Test
  void theOtherSpawnedProcessIsNotified() {
    RankJob.Outcome outcome = RankJob.of(3, 0).jvm(RefillTest.POLICY + "SPAWN_TOGETHER").timeoutSeconds(100)
        .run(OneOfTwoSpawnedDies.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsOnlyKeys("0", "1", "2", ENDS);
  }

  /** Runs in the ranks: rank 1 dies, rank 0 stops the process that was started then and waits, and the run ends. */
  static final class StopsTheOneThatWaits {
    private static final long READY_MILLIS = 1500;

    public static void main(String[] args) {
      if (JobConfig.STARTED.longValue() > 0) {
        RankJob.report(args[0], NEXT, String.valueOf(ProcessHandle.current().pid()));
      }
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          if (run.epoch() == 0 && run.world().rank() == 1) {
            Runtime.getRuntime().halt(WaysToEnd.CODE);
          }
          run.world().barrier();
          if (run.world().rank() == 0) {
            Path report = Path.of(args[0], "report-" + NEXT);
            Meeting.await(report);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(READY_MILLIS));
            Kintsugi.kintsugi_kill(Integer.parseInt(Files.readString(report)), SignalNumbers.SIGSTOP);
          }
          run.world().barrier();
        });
      }
    }
  }

  /** mpirun waits for its end. */
  @Test
  void oneThatIsStoppedWhileItWaitsDoesNotHoldUpTheEnd() {
    RankJob.Outcome outcome = RankJob.of(2, 1).refill(true).timeoutSeconds(40).run(StopsTheOneThatWaits.class).assertSuccess();
    assertThat(ProcessHandle.of(Long.parseLong(outcome.reports().get(NEXT)))).as("it is gone").isEmpty();
  }
}
