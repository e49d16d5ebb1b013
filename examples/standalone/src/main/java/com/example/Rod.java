package com.example;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.State;

/** Heat spreads along a rod, of which every rank has a piece. Its left end is kept at 100 degrees, and its right end at 0. */
public final class Rod {
  private static final int POINTS = 100;
  private static final int STEPS = 200;
  private static final int SAVE_EVERY = 20;

  private Rod() {}

  /** One step: the neighbours' outermost points come in, then each point moves towards the mean of those beside it. */
  static void step(Comm world, double[] now, double[] next) {
    int left = world.rank() - 1;
    int right = world.rank() + 1;
    Buf all = Buf.wrap(now);
    if (right < world.size()) {
      world.sendRecv(all.slice(POINTS, 1), right, 0, all.slice(POINTS + 1, 1), right, 0);
    }
    if (left >= 0) {
      world.sendRecv(all.slice(1, 1), left, 0, all.slice(0, 1), left, 0);
    }
    for (int i = 1; i <= POINTS; i++) {
      next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    }
    System.arraycopy(next, 1, now, 1, POINTS);
  }

  /**
   * Prints the heat in the rod at the end; process failures do not change the number.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> Reinit.run(mpi, run -> { // entered again after every recovery
      Comm world = run.world();
      double[] points = new double[POINTS + 2]; // one more at each side: the neighbour's
      points[0] = world.rank() == 0 ? 100 : 0;
      double[] next = new double[POINTS + 2];
      run.checkpoint().protect("points", points);
      long first = run.checkpoint().restore().orElse(0);
      if (run.state() == State.RESTARTED) {
        System.out.println("rank " + world.rank() + " is a new process and goes on from step " + first);
      }
      for (long i = first; i < STEPS; i++) {
        run.iteration(i);
        step(world, points, next);
        if (i % SAVE_EVERY == SAVE_EVERY - 1) {
          run.checkpoint().save(i + 1);
        }
      }
      double heat = 0;
      for (int i = 1; i <= POINTS; i++) {
        heat += points[i];
      }
      double sum = world.allReduce(heat, Op.SUM);
      if (world.rank() == 0) {
        System.out.println("heat " + sum);
      }
    }));
  }
}
