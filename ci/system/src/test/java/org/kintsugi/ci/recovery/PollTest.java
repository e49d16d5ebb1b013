// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Rollback;
import org.kintsugi.test.RankJob;

/** {@code run.poll()} finds a failure although a message is there that has not been received yet. */
@Tag("flavours")
class PollTest {
  private static final int RANKS = 3;
  private static final long LIMIT_SECONDS = 30;
  private static final int READY = 1;

  /** Runs in the ranks: rank 1 sends to rank 0, which only polls, and rank 2 dies. */
  static final class Polls {
    public static void main(String[] args) throws InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          Comm world = run.world();
          if (run.epoch() > 0) {
            return;
          }
          switch (world.rank()) {
            case 0 -> world.probe(1, 0);
            case 1 -> world.send(Buf.copyOf(1), 0, 0);
            default -> {
              // No barrier here: rank 2 may leave it and die while another rank is still inside,
              // and that rank would then be notified in the barrier.
              world.recv(Buf.allocateInts(1), 0, READY);
              world.recv(Buf.allocateInts(1), 1, READY);
              run.iteration(1);
            }
          }
          long began = System.nanoTime();
          try {
            // Inside, as rank 2 may have received it, and be dead, before this call is over.
            world.send(Buf.copyOf(1), 2, READY);
            while (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
              run.poll();
              TimeUnit.MILLISECONDS.sleep(1);
            }
            RankJob.report(args[0], String.valueOf(world.rank()), "not notified");
          } catch (Rollback rollback) {
            RankJob.report(args[0], String.valueOf(world.rank()), "told");
            throw rollback;
          }
        });
      }
    }
  }

  @Test
  void aMessageThatNobodyReceivesHidesNoFailure() {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).kill("process:2@1").timeoutSeconds(90).run(Polls.class).assertSuccess();
    assertThat(outcome.reports()).isEqualTo(Map.of("0", "told", "1", "told"));
  }
}
