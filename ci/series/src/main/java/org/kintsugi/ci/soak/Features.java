// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.reinit.Run;

/**
 * A workload: a program of many features at once, as users write them. A grid and its rows, a persistent ring, nonblocking
 * collectives, data that are saved in the foreground and in the background in turns and restored, all of it in
 * try-with-resources. Each rank compares the received and the restored values; a wrong value ends the job. The number of ranks
 * is even. {@link RandomFailures} chooses the failures, but none in a restore: until that is done, memory has just one other copy
 * of everything, and two failures may lose it. ({@link SaveKills} is for that.)
 */
public final class Features {
  private static final int TAG = 7;
  private static final int DATA = 20_000;
  private static final int RING = 5000;
  private static final int SUMS = 1000;
  private static final int SAVE_EVERY = 3;
  private static final int LAST_TURNS = 40;

  /** The newest version that this process knows all ranks to have; none may come back that is older. */
  private static long complete;

  private final Run run;
  private final Comm world;
  private final int rank;
  private final int ranks;

  private Features(Run run) {
    this.run = run;
    world = run.world();
    rank = world.rank();
    ranks = world.size();
  }

  /** Arguments: the folder for reports, the seed, how many die, the shortest and the longest time to a death in ms. */
  public static void main(String[] args) {
    RandomFailures.runUntilBegun(ThreadLevel.FUNNELED, args, (run, deadly) -> new Features(run).work(deadly));
  }

  private void work(RandomFailures deadly) {
    Checkpoint checkpoint = run.checkpoint();
    double[] data = new double[DATA];
    checkpoint.protect("data", data);
    long first = checkpoint.restore().orElse(0);
    if (first < complete) {
      throw new IllegalStateException("WRONG: version " + first + " came back, and all had version " + complete);
    }
    RandomFailures.expect(data(first), Buf.wrap(data), 1, "what came back of version " + first);
    deadly.begin(run);
    int next = RandomFailures.next(world);
    int before = RandomFailures.before(world);
    try (CartComm grid = world.cart(new int[] {ranks / 2, 2}, new boolean[] {true, true}, false);
        CartComm row = grid.sub(false, true);
        Buf out = Buf.allocateDoubles(RING);
        Buf in = Buf.allocateDoubles(RING);
        PersistentRequest receive = world.recvInit(in, before, TAG);
        PersistentRequest send = world.sendInit(out, next, TAG)) {
      for (long step = first; !deadly.isOver(run, (int) (step - first) / LAST_TURNS); step++) {
        run.iteration(step);
        fill(out, step * ranks + rank);
        PersistentRequest.startAll(receive, send);
        talkOnGrid(grid, row, step);
        Request.waitAll(receive, send);
        RandomFailures.expect(step * ranks + before, in, 1, "what came around the ring");
        reduce(step);
        for (int i = 0; i < DATA; i++) {
          data[i] += step * (rank + 1);
        }
        if (step % SAVE_EVERY == 0) {
          save(checkpoint, step);
        }
      }
    }
  }

  /** The value of each element after a number of steps. */
  private double data(long steps) {
    return steps * (steps - 1) / 2.0 * (rank + 1);
  }

  private void save(Checkpoint checkpoint, long step) {
    if (step / SAVE_EVERY % 2 == 0) {
      checkpoint.save(step + 1);
      complete = step + 1;
    } else {
      checkpoint.saveAsync(step + 1);
    }
  }

  private void talkOnGrid(CartComm grid, CartComm row, long step) {
    try (Buf mine = Buf.allocateDoubles(1); Buf around = Buf.allocateDoubles(grid.neighbours())) {
      mine.putDouble(0, step * ranks + grid.rank());
      grid.neighbourAllGather(mine, around);
      for (int direction = 0, at = 0; direction < grid.dims().length; direction++) {
        CartComm.Shift shift = grid.shift(direction, 1);
        RandomFailures.expect(step * ranks + shift.source, around.slice(at++, 1), 1, "what a neighbour had");
        RandomFailures.expect(step * ranks + shift.dest, around.slice(at++, 1), 1, "what a neighbour had");
      }
    }
    int inRow = grid.rank() / 2 * 2;
    RandomFailures.expect(2 * step + inRow + inRow + 1, row.allReduce(step + grid.rank(), Op.SUM), "the sum over a row");
  }

  private void reduce(long step) {
    try (Buf mine = Buf.allocateDoubles(SUMS); Buf sums = Buf.allocateDoubles(SUMS)) {
      fill(mine, step + rank);
      Request sum = world.iAllReduce(mine, sums, Op.SUM);
      Request barrier = world.iBarrier();
      sum.waitFor();
      RandomFailures.expect(ranks * step + ranks * (ranks - 1) / 2, sums, 1, "the sums");
      barrier.waitFor();
    }
  }

  private static void fill(Buf buf, double value) {
    for (long at = 0; at < buf.count(); at++) {
      buf.putDouble(at, value);
    }
  }
}
