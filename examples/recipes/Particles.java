// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/** Checkpoints data whose length changes. */
public class Particles {
  private double[] positions = {};

  void step(Comm world, long step) {
    positions = Arrays.copyOf(positions, positions.length + 1); // one more in each step
    positions[positions.length - 1] = step + world.rank();
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      Particles mine = new Particles();
      Checkpoint saved = run.checkpoint();
      saved.protect("positions", () -> mine.positions, was -> mine.positions = was);
      for (long step = saved.restore().orElse(0); step < 50; step++) {
        run.iteration(step);
        mine.step(run.world(), step);
        if (step % 10 == 9) {
          saved.save(step + 1);
        }
      }
      long all = run.world().allReduce((long) mine.positions.length, Op.SUM);
      double sum = run.world().allReduce(DoubleStream.of(mine.positions).sum(), Op.SUM);
      if (run.world().rank() == 0) {
        System.out.println(all + " particles, sum " + sum);
      }
    }));
  }
}
