// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;

/** A rank whose heap is full: the threads of Kintsugi's in it go on all the same. */
@Tag("once")
class FullHeapTest {
  private static final int LIMIT_SECONDS = 90;
  private static final String SMALL_HEAP = "-Xmx48m";

  /** All of the heap, down to the last bytes, for a while. */
  private static final class Hog extends Thread {
    private Object[] all;
    private Object[] last;
    private final long nanos;

    private final long delayMillis;
    private final boolean takesWhatComesFree;

    Hog(long delayMillis, long seconds, boolean takesWhatComesFree) {
      this.delayMillis = delayMillis;
      this.takesWhatComesFree = takesWhatComesFree;
      nanos = TimeUnit.SECONDS.toNanos(seconds);
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        sleep(delayMillis);
      } catch (InterruptedException e) {
        return;
      }
      long begin = System.nanoTime();
      int size = 1 << 16;
      while (System.nanoTime() - begin < nanos) {
        try {
          Object[] more = new Object[size];
          if (all == null) {
            all = more;
          } else {
            last[0] = more;
          }
          last = more;
        } catch (OutOfMemoryError full) {
          if (size == 1 && !takesWhatComesFree) {
            LockSupport.parkNanos(nanos);
          }
          size = Math.max(1, size / 2);
        }
      }
      all = null;
      last = null;
    }
  }

  /**
   * Runs in the ranks: rank 1's heap is full for some seconds, in which the launcher asks it where
   * it is.
   */
  static final class IsFullForAWhile {
    public static void main(String[] args) throws IOException {
      try (Mpi mpi = Mpi.init(args)) {
        Files.createFile(Path.of(args[1], "process-" + ProcessHandle.current().pid()));
        Reinit.run(mpi, run -> {
          run.world().barrier();
          // Until the launcher has heard of it.
          TimeUnit.SECONDS.sleep(2);
          if (run.world().rank() == 1) {
            Hog hog = new Hog(0, 5, true);
            hog.start();
            hog.join();
          }
          run.world().barrier();
          TimeUnit.SECONDS.sleep(2);
          RankJob.report(args[0], "state-" + run.world().rank(), run.state().toString());
        });
      }
    }
  }

  /**
   * Runs in the ranks: rank 0 ends with an exception, its heap is full, and rank 1 does not come to
   * the end of MPI.
   */
  static final class EndsWithAFullHeap {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          run.world().barrier();
          if (run.world().rank() == 1) {
            TimeUnit.SECONDS.sleep(2 * LIMIT_SECONDS);
          }
          // Not before the run has ended.
          new Hog(1500, 2 * LIMIT_SECONDS, false).start();
          throw new IllegalStateException("rank 0 cannot go on");
        });
      }
    }
  }

  @Test
  void theRankIsNotTakenForDead(@TempDir Path folder) throws IOException {
    RankJob.Outcome outcome = RankJob.of(2, 1).jvm(SMALL_HEAP).timeoutSeconds(LIMIT_SECONDS).stall(4, false)
        .run(IsFullForAWhile.class, folder.toString()).assertSuccess();
    assertThat(outcome.reports()).containsEntry("state-0", "NEW").containsEntry("state-1", "NEW");
    try (Stream<Path> processes = Files.list(folder)) {
      assertThat(processes.count()).as(outcome.output()).isEqualTo(3);
    }
  }

  @Test
  void aDeadlineEndsTheJob() {
    RankJob.Outcome outcome = RankJob.of(2, 0).jvm(SMALL_HEAP, "-Dkintsugi.recovery.timeout.seconds=12")
        .timeoutSeconds(LIMIT_SECONDS).run(EndsWithAFullHeap.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(1);
  }
}
