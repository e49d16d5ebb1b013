// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.LongRef;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * A wait of one thread that begins while another thread handles a revocation does not sleep for good: native/test/slowwait.c
 * makes all waits begin late. (Patch 0061, and native/src/rewake.c where Open MPI does not have it; without both, a rank stays in
 * {@code MPI_Waitall} until the limit of the recovery.)
 */
@Tag("once")
class LateWaitsTest {
  private static final int RANKS = 4;
  private static final int THREADS = 8;
  private static final int STEPS = 12;
  private static final int LENGTH = 100_000;

  /** Runs in the ranks: threads of a pool exchange long messages with the neighbours. */
  static final class Exchanges {
    public static void main(String[] args) {
      ExecutorService pool = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
      });
      try (Mpi mpi = Mpi.init(ThreadLevel.MULTIPLE, args)) {
        Reinit.run(mpi, run -> RankJob.report(args[0], "rank-" + run.world().rank(), String.valueOf(steps(run, pool))));
      }
    }

    private static long steps(Run run, ExecutorService pool) throws Exception {
      Comm world = run.world();
      LongRef sum = run.checkpoint().longRef("sum");
      for (long step = run.checkpoint().restore().orElse(0); step < STEPS; step++) {
        run.iteration(step);
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int tag = 0; tag < THREADS; tag++) {
          long value = step * THREADS + tag;
          int itsTag = tag;
          tasks.add(() -> exchange(world, value, itsTag));
        }
        for (Future<Long> task : pool.invokeAll(tasks)) {
          sum.add(task.get());
        }
        run.checkpoint().save(step + 1);
      }
      return sum.get();
    }

    private static long exchange(Comm world, long value, int tag) {
      long[] out = new long[LENGTH];
      Arrays.fill(out, value);
      long[] in = new long[LENGTH];
      Request.waitAll(world.iRecv(Buf.wrap(in), (world.rank() + world.size() - 1) % world.size(), tag),
          world.iSend(Buf.wrap(out), (world.rank() + 1) % world.size(), tag));
      return LongStream.of(in).sum();
    }
  }

  @Test
  void aWaitThatBeginsDuringARevocationIsWokenUp() {
    RankJob.assumeFlavour(Flavour.ULFM, "the fork has no threads in MPI");
    RankJob.Outcome outcome = RankJob.of(RANKS, 3).kill("process:3@3").kill("process:1@6").kill("process:2@9")
        .mpirun("-x", "LD_PRELOAD=" + TestLibrary.of(Flavour.ULFM, "slowwait")).timeoutSeconds(110).run(Exchanges.class)
        .assertSuccess();
    long values = (long) STEPS * THREADS;
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS)
        .allSatisfy((rank, sum) -> assertThat(sum).isEqualTo(String.valueOf(LENGTH * values * (values - 1) / 2)));
  }
}
