// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.test.RankJob;

/**
 * A recovery does not wait for a disk in the middle of a sync.
 *
 * <p>The late end of that sync does no harm.
 */
@Tag("flavours")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class SlowDiskTest {
  private static final int RANKS = 2;
  private static final long SYNC_SECONDS = 8;

  @TempDir
  private Path folder;

  /** Runs in the ranks: a recovery comes while version 2 is being synced. Arguments: the folder for reports, the bytes. */
  static final class RollsBackInASync {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args); Buf data = Buf.allocateBytes(Long.parseLong(args[1]))) {
        Checkpoint checkpoint = CheckpointAccess.get().ofJob(mpi.processorName());
        bind(checkpoint, mpi, data);
        checkpoint.save(1);
        checkpoint.saveAsync(2);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        long begin = System.nanoTime();
        bind(checkpoint, mpi, data);
        long restored = checkpoint.restore().orElse(-1);
        double seconds = (System.nanoTime() - begin) / 1e9;
        checkpoint.save(3);
        LockSupport.parkNanos(begin + TimeUnit.SECONDS.toNanos(SYNC_SECONDS) - System.nanoTime());
        bind(checkpoint, mpi, data);
        long last = checkpoint.restore().orElse(-1);
        RankJob.report(args[0], "rank-" + mpi.world().rank(), restored + " " + last + " " + seconds);
        checkpoint.close();
      }
    }

    private static void bind(Checkpoint checkpoint, Mpi mpi, Buf data) {
      CheckpointAccess.get().bind(checkpoint, mpi.world());
      checkpoint.protect("data", data);
    }
  }

  /** It is the one at the end. */
  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = "1000000")
  void aRecoveryDoesNotWaitForASync(String bytes) {
    Path library = TestLibrary.of(RankJob.flavour(), "slowdisk");
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).mpirun("-x", "LD_PRELOAD=" + library, "-x",
        "KINTSUGI_SLOW_SYNC=" + TimeUnit.SECONDS.toMillis(SYNC_SECONDS) + ":.1.ckpt")
        .jvm("-Dkintsugi.checkpoint.store=file", "-Dkintsugi.checkpoint.dir=" + folder)
        .run(RollsBackInASync.class, bytes).assertSuccess();
    assertThat(outcome.reports()).hasSize(RANKS);
    assertThat(outcome.reports().values()).allSatisfy(report -> {
      String[] told = report.split(" ");
      assertThat(told[0] + " " + told[1]).isEqualTo("1 3");
      assertThat(Double.parseDouble(told[2])).as("seconds until the restore was done").isLessThan(SYNC_SECONDS - 1.0);
    });
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = "67108864")
  void aRecoveryDoesNotWaitForASyncThatBeginsInTheMiddle(String bytes) {
    aRecoveryDoesNotWaitForASync(bytes);
  }
}
