// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * A failure ends waits in every communicator of the epoch.
 *
 * <p>This includes communicators that no rank has which knows of the failure: a split may succeed
 * on one rank and fail on the others.
 */
@Tag("flavours")
class RevokedTogetherTest {
  private static final int RANKS = 4;
  private static final int TAG = 7;

  /** Runs in the ranks: rank 3 dies, and rank 0 waits in a pair of ranks 0 and 1 that rank 1 does not have. */
  static final class WaitsInAPair {
    public static void main(String[] args) {
      int[] place = {-1, 0};
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          place[0] = run.world().rank();
          place[1] = run.epoch();
          if (run.epoch() == 0) {
            disturbed(run);
          }
          run.world().barrier();
        });
      }
      if (place[0] >= 0) {
        RankJob.report(args[0], String.valueOf(place[0]), place[1] + " recoveries");
      }
    }

    private static void disturbed(Run run) {
      Comm world = run.world();
      Buf nothing = Buf.wrap(new int[1]);
      Comm pair = world.split(world.rank() / 2, 0);
      world.barrier();
      switch (world.rank()) {
        case 0 -> pair.recv(nothing, 1, TAG);
        case 1 -> {
          // As if it had not come to be here.
          pair.close();
          world.recv(nothing, RANKS - 1, TAG);
        }
        case RANKS - 1 -> Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
        default -> pair.recv(nothing, 1, TAG);
      }
    }
  }

  @Test
  void nobodyWaitsInACommunicatorThatTheOthersDoNotHave() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).maxRespawns(1).timeoutSeconds(90).jvm("-Dkintsugi.recovery.timeout.seconds=30")
        .run(WaitsInAPair.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly("1 recoveries");
  }
}
