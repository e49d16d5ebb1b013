// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.kintsugi.bindings.FTI;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.test.RankJob;

/** Runs in the ranks of {@link FtiBindingTest}: FTI's functions called as a C program calls them. */
final class FtiLineByLine {
  private static final int CONFIGURATION_BYTES = 1024;
  private static final int EXECUTION_ID_BYTES = 256;

  private FtiLineByLine() {}

  /** Arguments: the folder for reports, one for checkpoints. */
  public static void main(String[] args) throws IOException {
    try (Mpi mpi = Mpi.init(args); Buf numbers = Buf.allocateDoubles(1000); Buf counter = Buf.allocateInts(1)) {
      int rank = mpi.world().rank();
      Path folder = Path.of(args[1]);
      Path config = folder.resolve("config.fti");
      if (rank == 0) {
        Files.writeString(config, """
            [basic]
            node_size = 1
            group_size = 2
            ckpt_dir = %1$s/local
            glbl_dir = %1$s/global
            meta_dir = %1$s/meta
            verbosity = 3
            [restart]
            failure = 0
            [advanced]
            block_size = 64
            local_test = 1
            """.formatted(folder));
      }
      mpi.world().barrier();
      long file = Memory.allocateString(config.toString());
      expect(FTI.FTI_SCES, FTI.FTI_Init(file, mpi.world().handle()), "FTI_Init");
      expect(0, FTI.FTI_Status(), "FTI_Status");
      require(FTI.FTI_COMM_WORLD() != 0, "FTI_COMM_WORLD");
      require(FTI.FTI_DBLE() != FTI.FTI_INTG(), "FTI's types");
      expect(FTI.FTI_SCES, FTI.FTI_Protect(0, counter.address(), 1, FTI.FTI_INTG()), "FTI_Protect");
      expect(FTI.FTI_SCES, FTI.FTI_Protect(1, numbers.address(), 1000, FTI.FTI_DBLE()), "FTI_Protect");
      for (int level = 1; level <= 4; level++) {
        counter.putInt(0, 100 * rank + level);
        numbers.putDouble(999, level + rank);
        expect(FTI.FTI_DONE, FTI.FTI_Checkpoint(level, level), "FTI_Checkpoint at level " + level);
      }
      expect(8000, FTI.FTI_GetStoredSize(1), "FTI_GetStoredSize");
      counter.putInt(0, 0);
      numbers.putDouble(999, 0);
      expect(FTI.FTI_SCES, FTI.FTI_Recover(), "FTI_Recover");
      require(counter.getInt(0) == 100 * rank + 4 && numbers.getDouble(999) == 4 + rank, "what was recovered");
      try (Buf configuration = Buf.allocateBytes(CONFIGURATION_BYTES)) {
        expect(FTI.FTI_SCES, FTI.FTI_GetConfig(file, mpi.world().handle(), configuration.address(), CONFIGURATION_BYTES),
            "FTI_GetConfig");
        // Its first member is the configuration file's name.
        String begin = Memory.getString(configuration.address(), EXECUTION_ID_BYTES);
        require(begin.contains(config.toString()), "FTI_GetConfig's file: " + begin);
      }
      expect(FTI.FTI_SCES, FTI.FTI_Finalize(), "FTI_Finalize");
      Memory.free(file);
      RankJob.report(args[0], String.valueOf(rank), "as in C");
    }
  }

  private static void expect(long expected, long got, String what) {
    require(expected == got, what + ": " + got + " instead of " + expected);
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalStateException("wrong: " + what);
    }
  }
}
