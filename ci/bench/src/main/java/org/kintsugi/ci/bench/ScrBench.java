// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.nio.file.Path;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.checkpoint.scr.ScrLibrary;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.reinit.Reinit;

/**
 * Runs on two ranks: saves with SCR in C and in Java, in turns.
 *
 * <p>Both use the same bytes, the same calls and the same folders.
 */
final class ScrBench {
  private static final int[] MEBIBYTES = {1, 64};
  private static final int SAVES = 20;
  private static final int TURNS = 5;
  private static final double MICROS = 1e6;

  private ScrBench() {}

  /** JVM options for a run in a folder. */
  static String[] options(Path folder) {
    return new String[] {"-Dkintsugi.checkpoint.store=scr", "-Dkintsugi.checkpoint.dir=" + folder.resolve("shared"),
        "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local")};
  }

  /** Prints the figures as MessageBench does. */
  public static void main(String[] args) {
    Twins.load();
    try (Mpi mpi = Mpi.init(args)) {
      Reinit.run(mpi, run -> {
        for (int mebibytes : MEBIBYTES) {
          compare(mpi, run.world(), mebibytes);
        }
      });
    }
  }

  private static void compare(Mpi mpi, Comm world, int mebibytes) {
    double[] c = new double[TURNS];
    double[] save = new double[TURNS];
    double[] saveOverC = new double[TURNS];
    try (Buf data = Buf.allocateBytes((long) mebibytes << 20)) {
      save(mpi, world, data);
      for (int turn = 0; turn < TURNS; turn++) {
        c[turn] = c(world, data);
        save[turn] = save(mpi, world, data);
        saveOverC[turn] = save[turn] / c[turn];
      }
    }
    if (world.rank() == 0) {
      String name = "scr, " + mebibytes + " MiB";
      System.out.printf("%s\tC\t%.1f\t1.000%n", name, Median.of(c) * MICROS);
      System.out.printf("%s\tcheckpoint\t%.1f\t%.3f%n", name, Median.of(save) * MICROS, Median.of(saveOverC));
    }
  }

  /** Seconds of the median save of a program: the data, its checksum, SCR's calls, the agreement. */
  private static double save(Mpi mpi, Comm world, Buf data) {
    Checkpoint checkpoint = CheckpointAccess.get().ofJob(mpi.processorName());
    CheckpointAccess.get().bind(checkpoint, world);
    checkpoint.protect("data", data);
    double[] seconds = new double[SAVES];
    // Loads SCR and forgets what was there, which the twin does before it takes times as well.
    checkpoint.drop(0);
    for (int i = 0; i < SAVES; i++) {
      world.barrier();
      double begin = mpi.wtime();
      checkpoint.save(1 + i);
      seconds[i] = mpi.wtime() - begin;
    }
    checkpoint.close();
    return Median.of(seconds);
  }

  private static double c(Comm world, Buf data) {
    long library = Memory.allocateString(ScrLibrary.file().toString());
    long prefix = Memory.allocateString(Path.of(CheckpointConfig.DIR.value()).toAbsolutePath().toString());
    try (Buf times = Buf.allocateDoubles(SAVES)) {
      world.barrier();
      int code = Twins.scrSaves(library, prefix, data.address(), data.count(), SAVES, times.address());
      if (code != 0) {
        throw new IllegalStateException("the twin's SCR ended with " + code);
      }
      double[] seconds = new double[SAVES];
      for (int i = 0; i < SAVES; i++) {
        seconds[i] = times.getDouble(i);
      }
      return Median.of(seconds);
    } finally {
      Memory.free(library);
      Memory.free(prefix);
    }
  }
}
