// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.test.RankJob;

/**
 * Data in static fields, made once and outside of the body, as programmers write it.
 *
 * <p>A death before the first save takes all ranks back to the initial data.
 */
@Tag("flavours")
class InitialDataTest {
  private static final int RANKS = 3;
  private static final int STEPS = 60;
  private static final String RIGHT = String.valueOf(100 + RANKS * LongStream.range(0, STEPS).sum());

  /**
   * Runs in the ranks. Arguments: the folder for reports, in which iteration the first save is, and whether the body makes an
   * array of another length in each epoch.
   */
  static final class Program {
    private static final double[] TOTAL = {100};
    private static long iteration;
    private static double[] current = {1};
    private static double[] best = {2};

    public static void main(String[] args) {
      int firstSave = Integer.parseInt(args[1]);
      boolean ofOtherLengths = Boolean.parseBoolean(args[2]);
      try (Mpi mpi = Mpi.init(args)) {
        RunResult<int[]> end = Reinit.call(mpi, run -> {
          run.checkpoint().protect("total", TOTAL);
          run.checkpoint().protect("iteration", () -> iteration, value -> iteration = value);
          run.checkpoint().protect("current", () -> current, value -> current = value);
          run.checkpoint().protect("best", () -> best, value -> best = value);
          int[] other = new int[ofOtherLengths ? run.epoch() + 1 : 1];
          other[0] = run.epoch();
          run.checkpoint().protect("other", other);
          boolean isFromStart = run.checkpoint().restore().isEmpty();
          assertThat(iteration).isEqualTo(isFromStart ? 0 : firstSave + 1);
          if (isFromStart) {
            assertThat(other[0]).as("made anew by the body").isEqualTo(run.epoch());
            assertThat(current).as("one array for both when the failure came").containsExactly(1);
            assertThat(best).isNotSameAs(current).containsExactly(2);
          }
          while (iteration < STEPS) {
            run.iteration(iteration);
            TOTAL[0] += run.world().allReduce((double) iteration, Op.SUM);
            iteration++;
            best = current;
            if (iteration == firstSave + 1) {
              run.checkpoint().save(iteration);
            }
          }
          return new int[] {run.world().rank(), run.epoch()};
        });
        if (!end.stayedSpare()) {
          RankJob.report(args[0], String.valueOf(end.value()[0]), (long) TOTAL[0] + " " + end.value()[1]);
        }
      }
    }
  }

  /** Runs in the ranks: the body makes all data, and does not call restore. */
  static final class ForgetsToRestore {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          long[] done = {0};
          run.checkpoint().protect("done", done);
          while (done[0] < STEPS) {
            run.iteration(done[0]);
            done[0] = run.world().allReduce(done[0] + 1, Op.MAX);
            if (done[0] % 10 == 0) {
              run.checkpoint().save(done[0]);
            }
          }
        });
      }
    }
  }

  @Tag("once")
  @Test
  void aRestoreThatIsMissingIsSaid() {
    String saysSo = "is saved after a recovery, and restore() was not called";
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).kill("process:1@25").run(ForgetsToRestore.class).assertSuccess();
    assertThat(outcome.output()).containsOnlyOnce("kintsugi: version 10 " + saysSo);
    assertThat(RankJob.of(RANKS, 0).run(ForgetsToRestore.class).assertSuccess().output()).doesNotContain(saysSo);
  }

  private static void assertRight(RankJob job, int recoveries, String... arguments) {
    RankJob.Outcome outcome = job.run(Program.class, arguments).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).allMatch((RIGHT + " " + recoveries)::equals);
  }

  @Test
  void aDeathBeforeTheFirstSaveTakesAllBackToTheStart() {
    assertRight(RankJob.of(RANKS, 1).kill("process:1@20"), 1, "30", "false");
  }

  @Tag("once")
  @Test
  void whatTheBodyMakesAnewWithAnotherLengthStaysAsItIs() {
    assertRight(RankJob.of(RANKS, 1).kill("process:1@20"), 1, "30", "true");
  }

  @Tag("once")
  @Test
  void afterSeveralDeathsAVersionIsThereAndCounts() {
    assertRight(RankJob.of(RANKS, 3).kill("process:1@20").kill("process:2@10").kill("process:0@50"), 3, "30", "false");
  }
}
