// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Recovery;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.test.RankJob;

/** A rank of {@link LongJob}: adds numbers whose sum is known by a formula, until a file tells it to stop. */
final class LongJobRank {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int STEPS_PER_SAVE = 20;

  /** The beginning of the report of a rank whose sum is right. */
  static final String RIGHT = "right";

  private LongJobRank() {}

  /**
   * A file next to the one that ends the work.
   *
   * <p>It is there when all processes, spares too, have left MPI_Init.
   */
  static Path begun(Path stop) {
    return stop.resolveSibling("begun");
  }

  /** Arguments: the folder for reports, the file that ends the work. */
  public static void main(String[] args) {
    String[] report = new String[2];
    try (Mpi mpi = Mpi.init(args)) {
      Reinit.run(mpi, run -> {
        report[0] = String.valueOf(run.world().rank());
        report[1] = add(run, Path.of(args[1])) + times(run);
      });
    }
    if (report[0] != null) {
      RankJob.report(args[0], report[0], report[1]);
    }
  }

  private static void create(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String add(Run run, Path stop) {
    Comm world = run.world();
    if (world.rank() == 0 && run.epoch() == 0) {
      create(begun(stop));
    }
    Checkpoint checkpoint = run.checkpoint();
    long[] sum = new long[1];
    checkpoint.protect("sum", sum);
    long step = checkpoint.restore().orElse(0);
    while (true) {
      run.iteration(step);
      LockSupport.parkNanos(STEP_NANOS);
      sum[0] += world.allReduce(world.rank() + step, Op.SUM);
      step++;
      long over = world.rank() == 0 && Files.exists(stop) ? 1 : 0;
      if (world.allReduce(over, Op.MAX) > 0) {
        break;
      }
      if (step % STEPS_PER_SAVE == 0) {
        checkpoint.save(step);
      }
    }
    long ranks = world.size();
    long expected = ranks * (step * (step - 1) / 2) + step * (ranks * (ranks - 1) / 2);
    return sum[0] == expected ? RIGHT : "WRONG: " + sum[0] + " after " + step + " steps, expected " + expected;
  }

  /** Of each recovery that this process has seen, in ms. */
  private static String times(Run run) {
    return run.recoveries().stream().map(Recovery::totalMillis).map(millis -> " " + millis).collect(Collectors.joining());
  }
}
