// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/** Broadcasts what rank 0 has read. */
public class Input {
  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Comm world = run.world();
      String text = world.bcast(world.rank() == 0 ? Files.readString(Path.of(args[0])) : null, 0);
      long lines = text.lines().count();
      if (world.allReduce(lines, Op.MAX) == lines && world.rank() == world.size() - 1) {
        System.out.println("all have " + lines + " lines");
      }
    }));
  }
}
