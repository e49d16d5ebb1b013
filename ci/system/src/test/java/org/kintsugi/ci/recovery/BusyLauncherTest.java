// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.test.RankJob;

/**
 * Two ranks die while the launcher waits for a connecting process's first message.
 *
 * <p>The launcher then gets the notices of their ends in another order, and must answer the
 * processes that replace them (patch pmix/0003 of Open MPI). Flavour ulfm.
 */
class BusyLauncherTest {
  private static final String BEFORE = "before-";
  private static final String AFTER = "after-";
  private static final int RANKS = 3;
  private static final long STEP_MILLIS = 5;

  /** The number of epochs in which two ranks die. */
  private static final int ROUNDS = 3;
  private static final int STEPS_OF_A_ROUND = 20;
  private static final int STEPS = (ROUNDS + 1) * STEPS_OF_A_ROUND;
  private static final long BUSY_MILLIS = 150;
  private static final Pattern ADDRESS = Pattern.compile("tcp4://([^:]+):(\\d+)");

  /**
   * Runs in the ranks. Argument: the folder for reports. Processes that are started while the job runs report their MPI_Init.
   */
  static final class Steps {
    public static void main(String[] args) {
      long number = JobConfig.STARTED.longValue();
      if (number > 0) {
        RankJob.report(args[0], BEFORE + number, "");
      }
      try (Mpi mpi = Mpi.init(args)) {
        if (number > 0) {
          RankJob.report(args[0], AFTER + number, "");
        }
        Reinit.run(mpi, Steps::step);
      }
    }

    private static void step(Run run) {
      Comm world = run.world();
      for (int step = 0; step < STEPS; step++) {
        if (step + 1 == failureOf(run.epoch()) && run.epoch() < ROUNDS && world.rank() == 0) {
          keepLauncherBusy();
        }
        world.barrier();
        run.iteration(step);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS));
      }
    }

    /** Connects to it as a process of the job does in MPI_Init, and says nothing for a while. */
    private static void keepLauncherBusy() {
      Socket socket = new Socket();
      try {
        socket.connect(launcher());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Thread later = new Thread(() -> {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BUSY_MILLIS));
        try {
          socket.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      later.setDaemon(true);
      later.start();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS));
    }

    private static InetSocketAddress launcher() {
      return System.getenv().entrySet().stream().filter(each -> each.getKey().startsWith("PMIX_SERVER_URI"))
          .map(each -> ADDRESS.matcher(each.getValue())).filter(Matcher::find)
          .map(found -> new InetSocketAddress(found.group(1), Integer.parseInt(found.group(2)))).findFirst().orElseThrow();
    }
  }

  /** In an epoch, which begins with step 0. */
  private static long failureOf(long round) {
    return (round + 1) * STEPS_OF_A_ROUND;
  }

  @Test
  void replacementsAreAnswered() {
    RankJob job = RankJob.of(RANKS, 0).jvm("-Dkintsugi.reinit.policy=SPAWN");
    for (int round = 0; round < ROUNDS; round++) {
      job.kill("process:1@" + failureOf(round)).kill("process:2@" + failureOf(round));
    }
    RankJob.Outcome outcome = job.run(Steps.class);
    outcome.assertSuccess();
    assertThat(numbers(outcome, BEFORE)).as(outcome.output()).hasSizeGreaterThanOrEqualTo(2 * ROUNDS)
        .isEqualTo(numbers(outcome, AFTER));
  }

  private static List<String> numbers(RankJob.Outcome outcome, String when) {
    return outcome.reports().keySet().stream().filter(each -> each.startsWith(when))
        .map(each -> each.substring(when.length())).toList();
  }
}
