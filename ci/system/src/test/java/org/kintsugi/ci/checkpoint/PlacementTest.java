// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.test.RanksTest;

/** Copies in memory, with replacements on other nodes than the failed processes. */
@Tag("flavours")
@Tag("once")
class PlacementTest {
  private static final int RANKS = 7;
  private static final int FAILURES = 150;

  /** No save in between: what holds copies by the first of many placements has copies by all of them. */
  @RanksTest(n = RANKS)
  void aVersionOutlivesAnyNumberOfFailuresOneByOne(Mpi mpi) {
    int rank = mpi.world().rank();
    long[] data = {100 + rank};
    Checkpoint checkpoint = CheckpointAccess.get().inMemory("node " + rank);
    CheckpointAccess.get().bind(checkpoint, mpi.world());
    checkpoint.protect("data", data);
    checkpoint.save(1);
    Random random = new Random(1); // the same on all
    for (int failure = 1; failure <= FAILURES; failure++) {
      int victim = 1 + random.nextInt(RANKS - 1);
      int node = random.nextInt();
      if (rank == victim) {
        checkpoint = CheckpointAccess.get().inMemory("node " + node);
      }
      data[0] = 0;
      CheckpointAccess.get().bind(checkpoint, mpi.world());
      checkpoint.protect("data", data);
      assertThat(checkpoint.restore()).as("failure %d", failure).hasValue(1);
      assertThat(data[0]).isEqualTo(100 + rank);
    }
  }
}
