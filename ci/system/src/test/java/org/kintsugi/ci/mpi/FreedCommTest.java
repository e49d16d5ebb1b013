// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * A communicator is revoked and freed while other ranks still use it.
 *
 * <p>They are in its barrier, or a long message is on its way to a rank that has freed it. No rank
 * may wait forever, and no later communicator may get a message of it.
 */
class FreedCommTest {
  private static final int RANKS = 3; // whose barrier ends with a message that has to be answered
  private static final int ROUNDS = 1500;
  private static final int LONG = 20_000;
  private static final int TAG = 1;
  private static final int LIMIT_SECONDS = 60;

  /** Runs in the ranks. */
  static final class Frees {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Buf sent = Buf.allocateDoubles(LONG);
        Buf received = Buf.allocateDoubles(LONG);
        Random random = new Random(world.rank());
        Random common = new Random(RANKS);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
          Comm stage = world.dup();
          Request send = null;
          Request receive = null;
          boolean isAhead = common.nextInt(2 * RANKS) == world.rank(); // in each second round one revokes at once
          try {
            if (random.nextBoolean()) {
              send = stage.iSend(sent, (world.rank() + 1) % RANKS, TAG);
              receive = random.nextBoolean() ? stage.iRecv(received, (world.rank() + RANKS - 1) % RANKS, TAG) : null;
            }
            if (!isAhead) {
              stage.barrier();
              stage.barrier();
            }
          } catch (MpiFaultException anotherOneIsAhead) {
            refused++;
          }
          stage.revoke();
          refused += failed(receive);
          stage.close();
          refused += failed(send);
          if (world.allReduce(1, Op.SUM) != RANKS) {
            throw new IllegalStateException("a message of another communicator in round " + round);
          }
        }
        RankJob.report(args[0], String.valueOf(world.rank()), refused > 0 ? "some failed" : "none failed");
      }
    }

    private static int failed(Request request) {
      try {
        if (request != null) {
          request.waitFor();
        }
        return 0;
      } catch (MpiFaultException revoked) {
        return 1;
      }
    }
  }

  @Test
  void nobodyWaitsForWhomItIsFreed() {
    RankJob.assumeFlavour(Flavour.ULFM, "nobody revokes on the fork");
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(),
        "only the Open MPI that make setup builds refuses what comes late (native/openmpi/patches/pml-btl/0008)");
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).timeoutSeconds(LIMIT_SECONDS).run(Frees.class);
    assertThat(outcome.reports()).as(outcome.output())
        .isEqualTo(Map.of("0", "some failed", "1", "some failed", "2", "some failed"));
  }
}
