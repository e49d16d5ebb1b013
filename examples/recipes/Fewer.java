// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Policy;
import org.kintsugi.reinit.Reinit;

/** Goes on with fewer ranks, when no spare is left. */
public class Fewer {
  static final int ROUNDS = 60;
  static final int PARTS = 12; // in each round

  static double part(int round, int part) {
    return Math.sin(round * PARTS + part);
  }

  public static void main(String[] args) {
    double[] results = new double[ROUNDS]; // outside of the body: survivors keep their values
    int[] done = {0};
    Mpi.run(args, mpi -> Reinit.run(mpi, new Reinit.Options().policy(Policy.SHRINK), run -> {
      Comm world = run.world();
      // Some ranks may lack the last sum: all continue from the last round that every rank has.
      done[0] = world.allReduce(done[0], Op.MIN);
      while (done[0] < ROUNDS) {
        run.iteration(done[0]);
        double mine = 0;
        for (int part = world.rank(); part < PARTS; part += world.size()) {
          mine += part(done[0], part);
        }
        results[done[0]] = world.allReduce(mine, Op.SUM);
        done[0]++;
      }
      if (world.rank() == 0) {
        System.out.printf(Locale.ROOT, "%d ranks, sum %.9f%n", world.size(), DoubleStream.of(results).sum());
      }
    }));
  }
}
