// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import java.util.Map;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.test.RankJob;

/**
 * Runs in the ranks of {@link ScrStoreTest}: one communicator goes by rounds, another one is written to before them and never
 * used again, on a third nothing is safe because it has no barrier of its own. Rounds and failures as the job says.
 */
final class ScrStoreRanks {
  private static final int OWN = 1;
  private static final int NEIGHBOURS = 2;
  private static final int LATE = 3;

  private ScrStoreRanks() {}

  private static PersistentComm make(Comm world, String interval, String name, String recover) {
    try (Info info = Info.of(Map.of("kintsugi_persist_store", "scr", "kintsugi_persist_name", name, "kintsugi_persist_recover",
        recover, "kintsugi_persist_scr_interval", interval))) {
      return PersistentComm.of(world, "scr store", info);
    }
  }

  /** Arguments: the folder for reports, how many rounds, the interval of data sets, whether to forget at the end. */
  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[1]);
    try (Mpi mpi = Mpi.init(args)) {
      StringBuilder story = new StringBuilder();
      RunResult<Integer> rank = Reinit.call(mpi, run -> {
        Comm world = run.world();
        try (PersistentComm p = make(world, args[2], "state", "barrier")) {
          try (PersistentComm early = make(world, "1", "early", "newest")) {
            if (early.restarted()) {
              require(receive(early, world.rank(), OWN) == 7000 + world.rank(), "the early message");
            } else {
              early.comm().send(Buf.copyOf(7000L + world.rank()), world.rank(), OWN);
            }
          }
          try (PersistentComm late = make(world, "1", "late", "newest")) {
            rounds(p, late, rounds, story, i -> run.iteration(i));
            if (args[3].equals("forget")) {
              p.forget();
              late.forget();
            }
          }
        }
        return world.rank();
      });
      if (!rank.stayedSpare()) {
        RankJob.report(args[0], String.valueOf(rank.value()), story.toString().trim());
      }
    }
  }

  /** Before each round the point where the job's failures strike. */
  private interface Point {
    void pass(long round);
  }

  private static void rounds(PersistentComm p, PersistentComm late, int rounds, StringBuilder story, Point point) {
    long first = 0;
    int me = p.comm().rank();
    int size = p.comm().size();
    int before = (me + size - 1) % size;
    if (p.restarted()) {
      first = receive(p, me, OWN);
      long neighbours = receive(p, before, NEIGHBOURS);
      require(neighbours == first, "own state is of round " + first + ", the neighbour's of " + neighbours);
      require(receive(late, me, LATE) <= first + 1, "the late one is newer than the data set");
    }
    story.append(p.restarted() ? "from " + first : "begins").append(' ');
    for (long round = first + 1; round <= rounds; round++) {
      late.comm().send(Buf.copyOf(round), me, LATE);
      p.comm().send(Buf.copyOf(round), me, OWN);
      p.comm().send(Buf.copyOf(round), (me + 1) % size, NEIGHBOURS);
      p.comm().barrier();
      require(receive(p, before, NEIGHBOURS) == round, "a barrier makes the neighbour's message known");
      p.comm().send(Buf.copyOf(-round), me, OWN); // in no round: the failure takes it away
      point.pass(round);
    }
  }

  private static long receive(PersistentComm p, int source, int tag) {
    long[] value = {Long.MIN_VALUE};
    p.comm().recv(Buf.wrap(value), source, tag);
    return value[0];
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalStateException("WRONG: " + what);
    }
  }
}
