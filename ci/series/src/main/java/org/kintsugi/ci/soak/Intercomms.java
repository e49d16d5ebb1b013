// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Run;

/**
 * A workload: two coupled models, of half of the ranks each, talk across an intercommunicator.
 *
 * <p>Now and then they make other communicators from it. Each rank compares the received values; a
 * wrong value ends the job. {@link RandomFailures} chooses the deaths; after the last one the ranks go on
 * for a moment and end.
 */
public final class Intercomms {
  private static final int TAG = 7;
  private static final int LAST_TURNS = 40;

  private Intercomms() {}

  /** Arguments: the folder for reports, the seed, how many die, the shortest and the longest time to a death in ms. */
  public static void main(String[] args) {
    RandomFailures.run(args, Intercomms::couple);
  }

  private static void couple(Run run, RandomFailures deadly) {
    Comm world = run.world();
    int half = world.size() / 2;
    int side = world.rank() / half;
    int turn = 0;
    while (!deadly.isOver(run, turn / LAST_TURNS)) {
      try (Comm model = world.split(side, 0); Intercomm across = model.intercomm(0, world, side == 0 ? half : 0, TAG)) {
        for (int i = 0; i < LAST_TURNS; i++, turn++) {
          exchange(across, turn);
          if (turn % 8 == 3) {
            merge(world, across, side);
          }
          if (turn % 8 == 6) {
            create(world);
          }
        }
      }
    }
  }

  private static void exchange(Intercomm across, int turn) {
    int[] told = {-1};
    across.sendRecv(Buf.wrap(new int[] {across.rank() * 1000 + turn}), across.rank(), TAG, Buf.wrap(told), across.rank(), TAG);
    RandomFailures.expect(across.rank() * 1000 + turn, told[0], "what came across");
  }

  private static void merge(Comm world, Intercomm across, int side) {
    try (Comm all = across.merge(side == 1)) {
      RandomFailures.expect(world.size(), all.allReduce(1, Op.SUM), "the sum over the merged communicator");
    }
  }

  private static void create(Comm world) {
    int[] even = new int[(world.size() + 1) / 2];
    for (int i = 0; i < even.length; i++) {
      even[i] = 2 * i;
    }
    try (Group all = world.group(); Group some = all.include(even)) {
      Comm part = world.create(some);
      if (part != null) {
        try (part) {
          RandomFailures.expect(even.length, part.allReduce(1, Op.SUM), "the sum over the even ranks");
        }
      }
    }
  }
}
