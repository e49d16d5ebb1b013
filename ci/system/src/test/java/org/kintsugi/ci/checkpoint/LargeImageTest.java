// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.test.RankJob;

/** An image that has more bytes than an MPI count: in memory it goes from rank to rank. */
@Execution(ExecutionMode.SAME_THREAD)
class LargeImageTest {
  private static final long DOUBLES = (1L << 28) + (1L << 22);
  private static final long NEEDED_KIB = 10L << 20;

  /** Runs in the ranks: only the image of rank 0 is large; rank 1 has its copy, and the memory for it. */
  static final class SavesAndLoses {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args); Buf data = Buf.allocateDoubles(mpi.world().rank() == 0 ? DOUBLES : 1)) {
        int rank = mpi.world().rank();
        Checkpoint checkpoint = checkpoint(mpi, data);
        data.putDouble(data.count() - 1, 7 + rank);
        checkpoint.save(1);
        data.putDouble(data.count() - 1, 0);
        if (rank == 0) {
          // As a process that was started anew.
          checkpoint.close();
          checkpoint = checkpoint(mpi, data);
        } else {
          CheckpointAccess.get().bind(checkpoint, mpi.world());
          checkpoint.protect("data", data);
        }
        long version = checkpoint.restore().orElse(-1);
        RankJob.report(args[0], String.valueOf(rank), "version " + version + ": " + data.getDouble(data.count() - 1));
        checkpoint.close();
      }
    }

    private static Checkpoint checkpoint(Mpi mpi, Buf data) {
      Checkpoint checkpoint = CheckpointAccess.get().inMemory(mpi.processorName());
      CheckpointAccess.get().bind(checkpoint, mpi.world());
      checkpoint.protect("data", data);
      return checkpoint;
    }
  }

  @Tag("series")
  @Test
  void comesBackFromThePartner() throws IOException {
    String available = Files.readString(Path.of("/proc/meminfo")).replaceAll("(?s).*MemAvailable: *(\\d+) kB.*", "$1");
    assumeTrue(Long.parseLong(available) > NEEDED_KIB, "10 GiB of memory are needed, and " + available + " KiB are free");
    RankJob.Outcome outcome = RankJob.of(2, 0).timeoutSeconds(100).run(SavesAndLoses.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("0", "version 1: 7.0").containsEntry("1", "version 1: 8.0");
  }
}
