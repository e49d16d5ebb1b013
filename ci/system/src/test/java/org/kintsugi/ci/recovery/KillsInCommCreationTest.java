// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.soak.FailureTimer;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * Ranks die while all make communicators, so that some have one that others have not.
 *
 * <p>One such job in five hung with a stock Open MPI (5.0.7), because of stale state;
 * native/openmpi/patches ulfm/0004, ulfm/0008 and pml-btl/0008, fix that.
 */
@Tag("flavours")
class KillsInCommCreationTest {
  private static final int RANKS = 4;

  /** Runs in the ranks. */
  static final class Makes {
    private static final int TURNS = 100;
    private static final long LONGEST_NANOS = 8_000_000;

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        int[] place = {-1, 0};
        Reinit.run(mpi, run -> {
          place[0] = run.world().rank();
          place[1] = run.epoch();
          make(run, new SplittableRandom(Long.parseLong(args[1]) + run.epoch()), Integer.parseInt(args[2]));
        });
        if (place[0] >= 0) {
          RankJob.report(args[0], String.valueOf(place[0]), place[1] + " recoveries");
        }
      }
    }

    private static void make(Run run, SplittableRandom random, int kills) {
      Comm world = run.world();
      int victim = random.nextInt(RANKS);
      long when = random.nextLong(LONGEST_NANOS);
      world.barrier();
      if (run.epoch() < kills && world.rank() == victim) {
        new FailureTimer().strikeAfter(when);
      }
      for (int turn = 0; turn < TURNS || run.epoch() < kills; turn++) {
        try (Comm copy = world.dup(); Comm part = copy.split(world.rank() % 2, 0)) {
          assertThat(part.size()).isEqualTo(RANKS / 2);
        }
      }
    }
  }

  /** Fewer deaths on the fork: it takes seconds to start a process on a busy machine. */
  @Test
  void theJobRecoversFromEveryDeath() {
    assertRecovered(RankJob.flavour() == Flavour.REINIT ? 2 : 6);
  }

  @Tag("series")
  @Test
  void theJobRecoversFromTwiceAsManyFailures() {
    assertRecovered(RankJob.flavour() == Flavour.REINIT ? 4 : 12);
  }

  private static void assertRecovered(int kills) {
    RankJob.Outcome outcome =
        RankJob.of(RANKS, kills).maxRespawns(kills).timeoutSeconds(180).run(Makes.class, "4711", String.valueOf(kills))
            .assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly(kills + " recoveries");
  }
}
