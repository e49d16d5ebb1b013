// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint.traps;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/**
 * State in a file of each rank, in the folder of the first argument. Each step reads the last number, and appends another one; no
 * rollback takes the file back.
 *
 * <p>Needed: {@code sum}, and the length of the file, to which it is cut after a restore; this is missing in the incomplete form.
 * Not needed: the contents of the file, which outlive a process.
 */
public final class StateInAFile {
  private static final int STEPS = 12;
  private static final int EVERY = 4;

  private StateInAFile() {}

  /** Reads the number at the end, 1 if there is none, and appends another one. */
  private static double next(RandomAccessFile file) {
    try {
      double last = 1;
      if (file.length() > 0) {
        file.seek(file.length() - Double.BYTES);
        last = file.readDouble();
      }
      file.seek(file.length());
      file.writeDouble(0.7 * last + 1);
      return last;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long length(RandomAccessFile file) {
    try {
      return file.length();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void cut(RandomAccessFile file, long length) {
    try {
      file.setLength(length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Checkpoint checkpoint = run.checkpoint();
      Path path = Path.of(args[0], "numbers-" + run.world().rank());
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        double[] sum = new double[1];
        checkpoint.protect("sum", sum);
        if (Form.isComplete(args)) {
          checkpoint.protect("length", () -> length(file), length -> cut(file, length));
        }
        long first = checkpoint.restore().orElse(0);
        if (first == 0) {
          cut(file, 0); // of the job before, or of the steps before a failure
        }
        for (long i = first; i < STEPS; i++) {
          run.iteration(i);
          sum[0] += run.world().allReduce(next(file), Op.SUM);
          if (i % EVERY == EVERY - 1) {
            checkpoint.save(i + 1);
          }
        }
        if (run.world().rank() == 0) {
          System.out.println("sum " + sum[0]);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }));
  }
}
