// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Run;

/**
 * A workload: the world is divided into pairs again and again.
 *
 * <p>Pairs come from splits and from the rows of a grid; each pair reduces and is closed. A death
 * finds some ranks with a pair that others could not make. Each rank compares the received values;
 * a wrong value ends the job. The number of ranks is even. {@link RandomFailures} chooses the deaths.
 */
public final class Subcomms {
  private static final int LAST_TURNS = 100;

  private Subcomms() {}

  /** Arguments: the folder for reports, the seed, how many die, the shortest and the longest time to a death in ms. */
  public static void main(String[] args) {
    RandomFailures.run(args, Subcomms::divide);
  }

  private static void divide(Run run, RandomFailures deadly) {
    Comm world = run.world();
    for (int turn = 0; !deadly.isOver(run, turn / LAST_TURNS); turn++) {
      if (turn % 4 < 3) {
        try (Comm pair = world.split(world.rank() / 2, 0)) {
          reduce(pair, world.rank(), turn);
        }
      } else {
        try (CartComm grid = world.cart(new int[] {world.size() / 2, 2}, new boolean[2], false);
            CartComm pair = grid.sub(false, true)) {
          reduce(pair, grid.rank(), turn);
        }
      }
    }
  }

  private static void reduce(Comm pair, int rank, int turn) {
    int expected = (rank / 2 * 2) + (rank / 2 * 2 + 1) + 2 * turn;
    RandomFailures.expect(expected, pair.allReduce((long) rank + turn, Op.SUM), "the sum over a pair");
  }
}
