// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;
import java.util.stream.IntStream;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;

/** Gathers parts of different lengths. */
public class Lengths {
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Comm world = mpi.world();
      int[] mine = IntStream.range(0, world.rank() + 1).toArray(); // rank 0 has one number, rank 1 two, ...
      int[] counts = new int[world.size()];
      world.gather(Buf.copyOf(mine.length), Buf.wrap(counts), 0);
      int[] displacements = new int[world.size()];
      for (int i = 1; i < counts.length; i++) {
        displacements[i] = displacements[i - 1] + counts[i - 1];
      }
      int[] all = new int[IntStream.of(counts).sum()]; // of length 0 on all ranks but the root
      world.gatherV(Buf.wrap(mine), Buf.wrap(all), counts, displacements, 0);
      if (world.rank() == 0) {
        System.out.println(Arrays.toString(all));
      }
    });
  }
}
