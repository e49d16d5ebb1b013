// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.LongRef;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.reinit.Run;

/**
 * A workload: {@link GrowingData}, saved in the foreground and in the background in turns. It is made once and outside of the
 * body, and in some epochs there are many steps before the first save. Each rank compares what comes back, and all that it has in
 * every step; a wrong value ends the job. {@link RandomFailures} chooses which rank fails when, but none in a restore: in memory
 * and by parity there is just one other copy of everything until that is done, and two failures may lose it.
 * ({@link SaveKills} is for that.)
 */
public final class Growing {
  private static final int SAVE_EVERY = 2;
  private static final int LAST_TURNS = 40;
  private static final int STEPS_BEFORE_A_LATE_SAVE = 200;

  /** This process's, from its first epoch on. */
  private static GrowingData data;

  /** The newest version that this process knows all ranks to have; none may come back that is older. */
  private static long complete;

  private Growing() {}

  /** Arguments: the folder for reports, the seed, how many die, the shortest and the longest time to a death in ms. */
  public static void main(String[] args) {
    RandomFailures.runUntilBegun(ThreadLevel.FUNNELED, args, Growing::work);
  }

  private static void work(Run run, RandomFailures deadly) {
    int rank = run.world().rank();
    data = data == null ? new GrowingData(rank) : data;
    Checkpoint checkpoint = run.checkpoint();
    LongRef done = checkpoint.longRef("done");
    data.protect(checkpoint);
    long first = checkpoint.restore().orElse(0);
    if (first < complete) {
      throw new IllegalStateException("WRONG: version " + first + " came back, and all had version " + complete);
    }
    RandomFailures.expect(first, done.get(), "the number of steps that came back");
    deadly.begin(run);
    long firstSave = first + (deadly.random(run, 0).nextInt(3) == 0 ? STEPS_BEFORE_A_LATE_SAVE : 1);
    for (long step = first; !deadly.isOver(run, (int) (step - first) / LAST_TURNS); step++) {
      run.iteration(step);
      data.expect(step);
      data.make(step + 1);
      RandomFailures.expect(allCells(run, step + 1), run.world().allReduce((long) GrowingData.cells(rank, step + 1), Op.SUM),
          "the number of all cells");
      done.add(1);
      if (step >= firstSave && step % SAVE_EVERY == 0) {
        save(checkpoint, step);
      }
    }
  }

  private static void save(Checkpoint checkpoint, long step) {
    if (step / SAVE_EVERY % 2 == 0) {
      checkpoint.save(step + 1);
      complete = step + 1;
    } else {
      checkpoint.saveAsync(step + 1);
    }
  }

  private static long allCells(Run run, long step) {
    long all = 0;
    for (int rank = 0; rank < run.world().size(); rank++) {
      all += GrowingData.cells(rank, step);
    }
    return all;
  }
}
