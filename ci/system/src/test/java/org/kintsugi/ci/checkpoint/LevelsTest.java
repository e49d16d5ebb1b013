// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.test.RankJob;

/** Several levels: what one of them keeps for the day when the others are lost is not lost to the next save. */
@Tag("flavours")
@Tag("once")
class LevelsTest {
  private static final int RANKS = 4;

  @TempDir
  private Path folder;

  /** Runs in the ranks: every fourth save goes to the second level; a recovery goes back to what the first has. */
  static final class GoesOn {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        long[] data = {0};
        Checkpoint checkpoint = CheckpointAccess.get().ofJob(mpi.processorName());
        begin(checkpoint, mpi, data);
        for (data[0] = 1; data[0] <= 7; data[0]++) {
          checkpoint.save(data[0]);
        }
        // As after a failure.
        begin(checkpoint, mpi, data);
        data[0] = 8;
        checkpoint.save(8);
        RankJob.report(args[0], String.valueOf(mpi.world().rank()), checkpoint.versions().toString());
        checkpoint.close();
      }
    }

    private static void begin(Checkpoint checkpoint, Mpi mpi, long... data) {
      CheckpointAccess.get().bind(checkpoint, mpi.world());
      checkpoint.protect("data", data);
      checkpoint.restore();
    }
  }

  /** Runs in the ranks: for a while the last one does not see the folder, as on a node where it is not mounted. */
  static final class LosesSight {
    public static void main(String[] args) throws IOException {
      try (Mpi mpi = Mpi.init(args)) {
        int rank = mpi.world().rank();
        Path shared = Path.of(args[1]);
        Path view = shared.resolveSibling("view-" + rank);
        Files.createSymbolicLink(view, shared);
        System.setProperty(CheckpointConfig.DIR.property(), view.toString());
        long[] data = {0};
        Checkpoint checkpoint = CheckpointAccess.get().ofJob(mpi.processorName());
        GoesOn.begin(checkpoint, mpi, data);
        for (data[0] = 1; data[0] <= 5; data[0]++) {
          checkpoint.save(data[0]);
        }
        if (rank == RANKS - 1) {
          Files.delete(view);
        }
        GoesOn.begin(checkpoint, mpi, data);
        data[0] = 6;
        checkpoint.save(6); // the file level's turn
        boolean isTouched = Files.exists(view) && rank == RANKS - 1;
        if (rank == RANKS - 1) {
          Files.createSymbolicLink(view, shared);
        }
        mpi.world().barrier();
        GoesOn.begin(checkpoint, mpi, data);
        RankJob.report(args[0], String.valueOf(rank), checkpoint.versions() + " " + data[0] + " " + isTouched);
        checkpoint.close();
      }
    }
  }

  @Test
  void aLevelThatIsPassedOverIsLeftAlone() throws IOException {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).jvm("-Dkintsugi.checkpoint.store=memory,file:2")
        .run(LosesSight.class, shared.toString()).assertSuccess();
    assertThat(outcome.reports()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly("[2, 4, 5, 6] 6 false");
    assertThat(outcome.output()).containsOnlyOnce("a level is passed over");
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory,file:4", "memory,xor:4"})
  void theOlderVersionOfALevelOutlivesTheNextSave(String store) {
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).jvm("-Dkintsugi.checkpoint.store=" + store,
        "-Dkintsugi.checkpoint.dir=" + folder).run(GoesOn.class).assertSuccess();
    assertThat(outcome.reports()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly("[4, 6, 7, 8]");
  }
}
