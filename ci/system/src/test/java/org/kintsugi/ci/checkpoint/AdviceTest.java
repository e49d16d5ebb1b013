// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.Interval;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.test.RanksTest;

/** When {@code Checkpoint.needed} has the loop save. */
@Tag("flavours")
@Tag("once")
class AdviceTest {
  private static final int TURNS = 400;
  private static final int MTBF_SECONDS = 10;
  private static final String MTBF = CheckpointConfig.MTBF_SECONDS.property();

  private static Checkpoint checkpoint(Mpi mpi) {
    String before = System.setProperty(MTBF, String.valueOf(MTBF_SECONDS));
    try {
      Checkpoint checkpoint = CheckpointAccess.get().inMemory(mpi.processorName());
      CheckpointAccess.get().bind(checkpoint, mpi.world());
      return checkpoint;
    } finally {
      if (before == null) {
        System.clearProperty(MTBF);
      } else {
        System.setProperty(MTBF, before);
      }
    }
  }

  /** One rank is slower than the others, and still all get the same answer in every turn. */
  @RanksTest(n = 3)
  void allGetTheSameAnswerAboutAsOftenAsDalySays(Mpi mpi) throws InterruptedException {
    Checkpoint checkpoint = checkpoint(mpi);
    checkpoint.protect("data", new double[10_000]);
    long saves = 0;
    double expected = 0;
    long before = System.nanoTime();
    for (int turn = 1; turn <= TURNS; turn++) {
      boolean needed = checkpoint.needed();
      assertThat(mpi.world().allReduce(needed ? 1L : 0L, Op.SUM)).as("ranks that are to save").isIn(0L, 3L);
      assertThat(needed || turn > 1).as("the first call says yes").isTrue();
      if (needed) {
        checkpoint.save(turn);
        saves++;
      }
      // The interval follows the mean cost so far: one save may take long on a busy machine, and those before it do not know.
      long now = System.nanoTime();
      expected += (now - before) / 1e9 / Interval.daly(meanCost(checkpoint), MTBF_SECONDS);
      before = now;
      TimeUnit.MILLISECONDS.sleep(mpi.world().rank() == 1 ? 2 : 1);
    }
    assertThat((double) saves).as("saves, at " + meanCost(checkpoint) + " s each").isBetween(expected / 4, expected * 4 + 2);
  }

  private static double meanCost(Checkpoint checkpoint) {
    return checkpoint.costs().stream().mapToDouble(level -> level.seconds() / level.saves()).sum();
  }
}
