// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;

/**
 * An error on one rank, or a difference between ranks, is thrown on all ranks.
 *
 * <p>This holds for each engine; no rank waits forever.
 */
@Tag("flavours")
@Tag("once")
class RefusedTogetherTest {
  private static final int RANKS = 2;
  private static final Set<String> LIBRARIES = Set.of("fti", "scr");

  @TempDir
  private Path folder;

  /** Runs in the ranks. */
  static final class Disagrees {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> RankJob.report(args[0], String.valueOf(run.world().rank()),
            args[1].equals("numbers") ? numbers(run.checkpoint(), run.world().rank())
                : readsBack(run.checkpoint(), run.world().rank())));
      }
    }

    private static String numbers(Checkpoint checkpoint, int rank) {
      long[] data = {10};
      checkpoint.protect("data", data);
      checkpoint.save(10);
      data[0] = 11;
      StringBuilder story = new StringBuilder();
      story.append(refusal(() -> checkpoint.save(11 + rank))); // different
      story.append(refusal(() -> checkpoint.save(rank == 1 ? 10 : 11))); // different, and one is the number of what is there
      story.append(refusal(() -> checkpoint.save(9))); // too small on all
      data[0] = 0;
      checkpoint.restore();
      story.append(data[0]);
      data[0] = 12;
      checkpoint.save(12);
      data[0] = 0;
      checkpoint.restore();
      return story.append(' ').append(data[0]).toString();
    }

    private static String refusal(Runnable save) {
      try {
        save.run();
        return "saved; ";
      } catch (IllegalArgumentException e) {
        return e.getMessage().replaceFirst(":.*", "").replaceFirst("rank \\d saves version \\d+", "") + "; ";
      }
    }

    private static String readsBack(Checkpoint checkpoint, int rank) {
      Stubborn stubborn = new Stubborn();
      checkpoint.protectObject("x", Stubborn.class, () -> stubborn, value -> {});
      checkpoint.save(1);
      Stubborn.refuses = rank == 1;
      String story = "";
      try {
        checkpoint.restore();
      } catch (CheckpointException e) {
        story = e.getMessage();
      }
      Stubborn.refuses = false;
      long restored = checkpoint.restore().orElse(-1);
      checkpoint.save(2);
      return story + " " + restored + " " + checkpoint.restore().orElse(-1);
    }
  }

  private RankJob.Outcome job(String store, String what) {
    if (LIBRARIES.contains(store)) {
      Installed.orSkip(store);
    }
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(60).jvm("-Dkintsugi.checkpoint.store=" + store,
        "-Dkintsugi.checkpoint.dir=" + folder.resolve("shared"), "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local"))
        .run(Disagrees.class, what).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    return outcome;
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "xor", "file", "fti", "scr"})
  void anObjectThatCannotBeReadBackOnOneRankIsReportedToAll(String store) {
    assertThat(job(store, "objects").reports().values()).allSatisfy(story -> assertThat(story)
        .contains("rank 1 cannot bring back version 1").contains("not today").endsWith(" 1 2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "xor", "file", "memory,file:2", "fti", "scr"})
  void versionsThatAreNotTheSameOnAllRanksAreRefused(String store) {
    assertThat(job(store, "numbers").reports().values()).containsOnly(", and the ranks' numbers go from 11 to 12; "
        + ", and the ranks' numbers go from 10 to 11; version 9 is not larger than the last one, 10; 10 12");
  }
}
