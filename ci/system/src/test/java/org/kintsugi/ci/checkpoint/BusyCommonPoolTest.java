// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;

/** A save to a file does not wait for the program's tasks in the common pool. */
class BusyCommonPoolTest {
  private static final int THREADS = 2;
  /** So much that the disk is asked to begin before all is written. */
  private static final int BYTES = 40 << 20;

  /** Runs in the ranks. */
  static final class Program {
    public static void main(String[] args) {
      CountDownLatch saved = new CountDownLatch(1);
      for (int task = 0; task < 2 * THREADS; task++) {
        ForkJoinPool.commonPool().execute(() -> {
          try {
            saved.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
      }
      Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
        run.checkpoint().protect("data", new byte[BYTES]);
        run.checkpoint().save(1);
        saved.countDown();
        RankJob.report(args[0], "pool of " + ForkJoinPool.getCommonPoolParallelism(), "saved");
      }));
    }
  }

  @Test
  void aSaveDoesNotWaitForTheCommonPool(@TempDir Path folder) {
    RankJob.Outcome outcome = RankJob.of(1, 0).timeoutSeconds(30).jvm("-Dkintsugi.checkpoint.store=file",
        "-Dkintsugi.checkpoint.dir=" + folder.resolve("checkpoints"),
        // With fewer threads, Java starts one for each task.
        "-Djava.util.concurrent.ForkJoinPool.common.parallelism=" + THREADS).run(Program.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).isEqualTo(Map.of("pool of " + THREADS, "saved"));
  }
}
