// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** MPI calls an operation written in Java on a thread that the JVM does not know (native/test/stranger.c). */
class StrangerThreadTest {
  private static final int ROUNDS = 4;

  /** Runs in the ranks. */
  static final class Reduces {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(ThreadLevel.MULTIPLE, args)) {
        Comm world = mpi.world();
        AtomicReference<Thread> caller = new AtomicReference<>();
        int strangers = 0;
        try (Op sum = Op.of(Datatype.INT, true, (in, inOut, count) -> {
          for (int i = 0; i < count; i++) {
            inOut.putInt(i, in.getInt(i) + inOut.getInt(i));
          }
          caller.set(Thread.currentThread());
        })) {
          for (int round = 0; round < ROUNDS; round++) {
            int[] result = {world.rank() + round};
            world.barrier();
            caller.set(null);
            Request request = world.iAllReduce(Buf.wrap(result), sum);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500); // MPI may combine on one process only
            while (caller.get() == null && System.nanoTime() - end < 0) {
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // and not in MPI
            }
            request.waitFor();
            assertThat(result[0]).isEqualTo(2 * round + 1);
            strangers += caller.get() == null || caller.get() == Thread.currentThread() ? 0 : 1;
          }
        }
        RankJob.report(args[0], String.valueOf(world.rank()), strangers > 0 ? "strange" : "only " + Thread.currentThread());
      }
    }
  }

  @Test
  void theResultIsRight() {
    RankJob.assumeFlavour(Flavour.ULFM, "the fork allows one thread only");
    RankJob.Outcome outcome = RankJob.of(2, 0).timeoutSeconds(60)
        .mpirun("-x", "LD_PRELOAD=" + TestLibrary.of(RankJob.flavour(), "stranger")).run(Reduces.class).assertSuccess();
    assertThat(outcome.reports()).containsValue("strange");
  }
}
