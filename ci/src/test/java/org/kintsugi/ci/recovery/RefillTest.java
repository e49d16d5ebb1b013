// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.ci.soak.DeathTimer;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiConfig;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.test.RankJob;

/**
 * More processes die than there are spares, and new ones are started while the job runs ({@code jmpirun --refill}). Flavour ulfm;
 * the runtime of the fork starts a new process for each that dies, whatever it is asked.
 */
class RefillTest {
  private static final int STEPS = 200;
  private static final long STEP_MILLIS = 5;
  private static final int SAVE_EVERY = 5;

  /** Runs in the ranks. Arguments: the folder for reports, and after how many milliseconds the first new process dies. */
  static final class Sums {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        if (args.length > 1 && MpiConfig.STARTED.longValue() == 1) {
          new DeathTimer().strikeAfter(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[1])));
        }
        double[] sum = new double[1];
        String[] place = new String[2];
        Reinit.run(mpi, run -> {
          place[0] = String.valueOf(run.world().rank());
          place[1] = String.valueOf(run.epoch());
          sum(run, sum);
        });
        if (place[0] != null) {
          RankJob.report(args[0], place[0], sum[0] + " after " + place[1]);
        }
      }
    }

    private static void sum(Run run, double... sum) {
      Comm world = run.world();
      Checkpoint checkpoint = run.checkpoint();
      checkpoint.protect("sum", sum);
      double[] one = new double[1];
      double[] all = new double[1];
      for (long step = checkpoint.restore().orElse(0); step < STEPS; step++) {
        run.iteration(step);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS));
        one[0] = world.rank() + step;
        world.allReduce(Buf.wrap(one), Buf.wrap(all), Op.SUM);
        sum[0] += all[0];
        if (step % SAVE_EVERY == 0) {
          checkpoint.save(step + 1);
        }
      }
    }
  }

  private static RankJob job(int ranks, int spares, String... kills) {
    RankJob job = RankJob.of(ranks, spares).refill(true);
    for (String kill : kills) {
      job.kill(kill);
    }
    return job;
  }

  private static void assertAllRight(RankJob.Outcome outcome, int ranks, int recoveries) {
    outcome.assertSuccess();
    double expected = ranks * (STEPS * (STEPS - 1) / 2.0) + STEPS * (ranks * (ranks - 1) / 2.0);
    assertThat(outcome.reports()).as(outcome.output()).hasSize(ranks);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly(expected + " after " + recoveries);
  }

  @Test
  void oneSpareIsEnoughForManyDeaths() {
    // Some of the dead have been started later themselves, and so has whoever meets the next one in the end.
    assertAllRight(job(3, 1, "process:1@20", "process:2@50", "process:1@80", "process:0@110", "process:2@140", "process:0@170")
        .run(Sums.class), 3, 6);
  }

  @Test
  void theRunWaitsForThoseUnderWay() {
    assertAllRight(job(3, 1, "process:1@30", "process:2@31", "process:0@32").run(Sums.class), 3, 3);
  }

  @Test
  void withoutSparesThePolicySpawnWaitsForANewProcess() {
    assertAllRight(
        job(2, 0, "process:0@20", "process:1@60", "process:1@100", "process:0@140").jvm("-Dkintsugi.reinit.policy=SPAWN")
            .run(Sums.class),
        2, 4);
  }

  /** Before it is ready, or while it waits, or later; the next one is started then. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "60", "150", "300", "500"})
  void theNewProcessDies(String millis) {
    RankJob.Outcome outcome = job(2, 1, "process:1@30", "process:0@150").run(Sums.class, millis);
    outcome.assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(2);
  }

  /** The one that waits is of no use then, and must not keep the job from its end. */
  @Test
  void nobodyIsLeftWhoKnowsTheState() {
    RankJob.Outcome outcome = job(1, 1, "process:0@30", "process:0@31").run(Sums.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isIn(ExitCodes.RESTART, ExitCodes.DIED_OUT);
    assertThat(outcome.reports()).isEmpty();
  }

  @Test
  void unlessAskedForSparesRunOut() {
    RankJob.Outcome outcome = RankJob.of(2, 1).kill("process:1@30").kill("process:0@60").run(Sums.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
  }
}
