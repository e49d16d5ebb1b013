// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.LongRef;
import org.kintsugi.ci.soak.GrowingData;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;

/** Data of other lengths in every step and on every rank, and deaths; {@code make soak WORKLOADS=growing} has hundreds. */
@Tag("flavours")
@Tag("once")
class GrowingDataTest {
  private static final int RANKS = 4;
  private static final int STEPS = 30;
  private static final Set<String> LIBRARIES = Set.of("fti", "scr");

  @TempDir
  private Path folder;

  /**
   * Runs in the ranks.
   *
   * <p>Arguments: the folder for reports, the first step with a save after it, and the last step.
   */
  static final class Program {
    private static GrowingData data;

    public static void main(String[] args) {
      long firstSave = Long.parseLong(args[1]);
      long end = Long.parseLong(args[2]);
      try (Mpi mpi = Mpi.init(args)) {
        StringBuilder story = new StringBuilder();
        int[] rank = {-1};
        Reinit.run(mpi, run -> {
          rank[0] = run.world().rank();
          data = data == null ? new GrowingData(rank[0]) : data;
          Checkpoint checkpoint = run.checkpoint();
          data.protect(checkpoint);
          LongRef step = checkpoint.longRef("step");
          checkpoint.restore();
          story.append(step).append(' ');
          while (step.get() < end) {
            run.iteration(step.get());
            data.expect(step.get());
            data.make(step.add(1));
            run.world().barrier();
            if (step.get() >= firstSave && step.get() % 4 == 0) {
              checkpoint.save(step.get());
            } else if (step.get() >= firstSave && step.get() % 4 == 2) {
              checkpoint.saveAsync(step.get());
            }
          }
          data.expect(end);
        });
        if (rank[0] >= 0) {
          RankJob.report(args[0], String.valueOf(rank[0]), story.toString().trim());
        }
      }
    }
  }

  private RankJob job(String store, int spares) {
    if (LIBRARIES.contains(store)) {
      Installed.orSkip(store);
    }
    return RankJob.of(RANKS, spares).timeoutSeconds(90).jvm("-Dkintsugi.checkpoint.store=" + store,
        "-Dkintsugi.checkpoint.dir=" + folder.resolve("shared"), "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local"));
  }

  private static RankJob.Outcome right(RankJob job, long firstSave, long end) {
    RankJob.Outcome outcome =
        job.run(Program.class, String.valueOf(firstSave), String.valueOf(end)).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    return outcome;
  }

  /** A save that was begun in step 26 may be complete or not. */
  @ParameterizedTest
  @ValueSource(strings = {"memory,xor:2,file:4", "fti"}) // xor: make soak WORKLOADS=growing
  void everyRankGetsBackTheLengthsOfTheVersion(String store) {
    RankJob.Outcome outcome = right(job(store, 2).kill("process:2@17").kill("process:0@27"), 0, STEPS);
    assertThat(outcome.reports().values()).as(outcome.output()).allMatch(story -> story.matches("(0 16 |16 )?2[46]"));
    assertThat(outcome.reports().get("1")).as(outcome.output()).startsWith("0 16 ");
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = {"memory", "file", "scr"})
  void everyRankGetsBackTheLengthsOfTheVersionInOtherStores(String store) {
    everyRankGetsBackTheLengthsOfTheVersion(store);
  }

  @Test
  void beforeTheFirstSaveTheyAreWhatTheyWereAtTheStart() {
    RankJob.Outcome outcome = right(job("memory", 1).kill("process:1@9"), 100, STEPS);
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("0", "0 0").containsEntry("1", "0");
  }

  /** Its processes are new, and their arrays have the lengths of the start. */
  @ParameterizedTest
  @ValueSource(strings = "file")
  void anotherJobGoesOnFromFiles(String store) {
    right(job(store, 0), 0, 19);
    RankJob.Outcome outcome = right(job(store, 1).kill("process:3@21"), 0, STEPS);
    assertThat(outcome.reports().get("0")).as(outcome.output()).matches("1[68] (18|20)");
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = "memory,file:2")
  void anotherJobGoesOnFromTheFilesOfTwoLevels(String store) {
    anotherJobGoesOnFromFiles(store);
  }
}
