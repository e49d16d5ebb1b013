// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.kintsugi.checkpoint.LongRef;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/** Writes results once, although steps are repeated. */
public class Output {
  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Comm world = run.world();
      LongRef length = run.checkpoint().longRef("length of the file");
      long first = run.checkpoint().restore().orElse(0);
      try (RandomAccessFile file = world.rank() == 0 ? new RandomAccessFile(args[0], "rw") : null) {
        if (file != null) {
          file.setLength(first == 0 ? 0 : length.get());
          file.seek(file.length());
        }
        for (long step = first; step < 60; step++) {
          run.iteration(step);
          long sum = world.allReduce(step, Op.SUM);
          if (file != null) {
            file.writeBytes(step + " " + sum + "\n");
            length.set(file.length());
          }
          if (step % 10 == 9) {
            run.checkpoint().save(step + 1);
          }
        }
      }
      if (world.rank() == 0) {
        System.out.println(Files.readAllLines(Path.of(args[0])).size() + " lines");
      }
    }));
  }
}
