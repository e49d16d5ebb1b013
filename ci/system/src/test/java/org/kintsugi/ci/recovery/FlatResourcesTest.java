// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.ProcFiles;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/** A survivor of many rollbacks has no more memory, threads and file descriptors than after a few. */
@Tag("flavours")
@Execution(ExecutionMode.SAME_THREAD)
class FlatResourcesTest {
  private static final int RANKS = 3;
  private static final int SETTLED = 40;
  private static final int ROLLBACKS = 120;
  private static final int BYTES = 1 << 20;
  private static final int LOOKS = 20;

  /** Runs in the ranks: everybody is rolled back again and again, from the middle of a receive, with another one pending. */
  static final class ManyRollbacks {
    public static void main(String[] args) {
      long[][] samples = new long[2][];
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          if (run.epoch() == SETTLED || run.epoch() == ROLLBACKS) {
            samples[run.epoch() == SETTLED ? 0 : 1] = sample();
          }
          if (run.epoch() < ROLLBACKS) {
            disturbed(run);
          }
        });
        RankJob.report(args[0], String.valueOf(mpi.world().rank()),
            samples[0][0] + " " + samples[1][0] + " " + samples[0][1] + " "
                + samples[1][1] + " " + samples[0][2] + " " + samples[1][2]);
      }
    }

    private static void disturbed(Run run) {
      double[] data = new double[BYTES / Double.BYTES];
      run.checkpoint().protect("data", data);
      run.checkpoint().save(1);
      try (Comm other = run.world().dup()) {
        other.iRecv(Buf.wrap(data), Comm.ANY_SOURCE, 1);
        other.barrier();
        if (other.rank() == run.epoch() % RANKS) {
          // mpirun hands the signal on to all ranks.
          Kintsugi.kintsugi_kill(Kintsugi.kintsugi_parent_pid(), SignalNumbers.SIGUSR1);
        }
        other.recv(Buf.wrap(new int[1]), Comm.ANY_SOURCE, 2);
      }
    }

    /** Kilobytes in memory, threads, file descriptors: at a moment when threads and descriptors are fewest. */
    private static long[] sample() {
      System.gc();
      long[] fewest = now();
      for (int look = 0; look < LOOKS; look++) {
        // The thread that watched over the last recovery ends by itself, soon.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        long[] now = now();
        fewest = now[1] + now[2] <= fewest[1] + fewest[2] ? now : fewest;
      }
      return fewest;
    }

    private static long[] now() {
      long pid = ProcessHandle.current().pid();
      return new long[] {ProcFiles.status(pid, "VmRSS"), ProcFiles.status(pid, "Threads"), ProcFiles.openFiles(pid)};
    }
  }

  @Test
  void isFlat() {
    RankJob.assumeFlavour(Flavour.REINIT, "only the Reinit++ fork can roll back without a death");
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).compiledAsForUsers().timeoutSeconds(180)
        // The JIT's threads are not to come and go meanwhile.
        .jvm("-Xms64m", "-Xmx64m", "-XX:-UseDynamicNumberOfCompilerThreads").run(ManyRollbacks.class);
    outcome.assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    outcome.reports().forEach((rank, report) -> {
      String[] parts = report.split(" ");
      long grown = Long.parseLong(parts[1]) - Long.parseLong(parts[0]);
      System.out.println("FlatResourcesTest: rank " + rank + ": after " + SETTLED + " and " + ROLLBACKS + " rollbacks: memory "
          + parts[0] + ", " + parts[1] + " kB; threads " + parts[2] + ", " + parts[3] + "; descriptors " + parts[4] + ", "
          + parts[5]);
      // A megabyte of array staging in each epoch would show.
      assertThat(grown).as("kilobytes more, rank %s: %s", rank, report).isLessThan(8 * 1024);
      assertThat(parts[3]).as("threads").isEqualTo(parts[2]);
      assertThat(parts[5]).as("file descriptors").isEqualTo(parts[4]);
    });
  }
}
