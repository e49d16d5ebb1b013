// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
import java.util.stream.DoubleStream;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;

/** Saves in the background, when a save pays. */
public class Background {
  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> {
      double[] x = new double[100_000];
      Checkpoint saved = run.checkpoint();
      saved.protect("x", x);
      for (long step = saved.restore().orElse(0); step < 200; step++) {
        run.iteration(step);
        for (int i = 0; i < x.length; i++) {
          x[i] += step * (i % 7);
        }
        if (saved.needed()) {
          saved.saveAsync(step + 1);
        }
      }
      double sum = run.world().allReduce(DoubleStream.of(x).sum(), Op.SUM);
      if (run.world().rank() == 0) {
        System.out.println("sum " + sum);
      }
    }));
  }
}
