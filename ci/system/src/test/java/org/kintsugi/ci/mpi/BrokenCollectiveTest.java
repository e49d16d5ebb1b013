// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.ProcessFailedException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * A message of a collective arrives at a process that knows of a death already, and for which that collective fails. Later
 * messages of the program from the same sender arrive all the same.
 */
class BrokenCollectiveTest {
  private static final int RECEIVER = 0;
  private static final int SENDER = 1;
  private static final int DEAD = 2;
  private static final int TAG = 7;
  private static final int VALUE = 4711;
  private static final int LIMIT_SECONDS = 60;

  /** Runs in the ranks. The sender is out of MPI until the receiver knows of the death, and does not know of it by itself. */
  static final class Gathers {
    public static void main(String[] args) throws InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Buf part = Buf.allocateInts(Long.parseLong(args[1]));
        Victim.diesWhenAllAreThere(world, DEAD);
        if (world.rank() == RECEIVER) {
          Buf value = Buf.allocateInts(1);
          try {
            world.recv(value, DEAD, TAG);
          } catch (ProcessFailedException itKnows) {
            world.recv(value, SENDER, TAG);
            RankJob.report(args[0], "told", String.valueOf(value.getInt(0)));
          }
        } else {
          TimeUnit.SECONDS.sleep(2);
          try {
            world.gather(part, null, RECEIVER);
          } catch (MpiFaultException itLearnsInThere) {
            // For a short part it does not come to that.
          }
          world.send(Buf.copyOf(VALUE), RECEIVER, TAG);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1 << 20})
  void whatFollowsOnItArrives(int elements) {
    RankJob.assumeFlavour(Flavour.ULFM, "only ULFM reports failures to the program");
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(),
        "only the Open MPI that make setup builds counts what it drops (native/openmpi/patches/pml-btl/0009)");
    RankJob.Outcome outcome = RankJob.of(3, 0).timeoutSeconds(LIMIT_SECONDS).run(Gathers.class, String.valueOf(elements));
    assertThat(outcome.reports()).as(outcome.output()).isEqualTo(Map.of("told", String.valueOf(VALUE)));
  }
}
