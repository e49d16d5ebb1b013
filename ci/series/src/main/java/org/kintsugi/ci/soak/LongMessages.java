// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * A workload: a ring passes on messages of some MiB in short-lived memory.
 *
 * <p>The system gets the memory back when the program closes it: if MPI still touches it after a
 * rollback, that is a crash, or damages other data. Each rank compares the received values; a wrong
 * value ends the job. {@link RandomFailures} chooses the deaths.
 */
public final class LongMessages {
  private static final int OFF_HEAP = 512 * 1024; // 4 MiB of doubles
  private static final int ARRAY = 384 * 1024;
  private static final int STRIDE = 512;
  private static final int LAST_TURNS = 4;

  private final Run run;
  private final Comm world;
  private final int next;
  private final int before;

  private LongMessages(Run run) {
    this.run = run;
    world = run.world();
    next = RandomFailures.next(world);
    before = RandomFailures.before(world);
  }

  /** Arguments: the folder for reports, the seed, how many die, the shortest and the longest time to a death in ms. */
  public static void main(String[] args) {
    RandomFailures.run(args, (run, deadly) -> {
      LongMessages ring = new LongMessages(run);
      for (int turn = 0; !deadly.isOver(run, turn / LAST_TURNS); turn++) {
        ring.pass(turn);
      }
    });
  }

  /**
   * Makes a job crash if MPI uses memory after its end.
   *
   * <p>Freed memory goes back to the system at once, and a receiver does not copy from the sender's
   * memory.
   */
  public static RankJob withoutMercy(RankJob job) {
    job.mpirun("-x", "GLIBC_TUNABLES=glibc.malloc.mmap_threshold=4096");
    return RankJob.flavour() == Flavour.REINIT ? job.mpirun("--mca", "btl_vader_single_copy_mechanism", "none")
        : job.mpirun("--mca", "smsc", "^cma");
  }

  private void pass(int turn) {
    try (Buf out = Buf.allocateDoubles(OFF_HEAP); Buf in = Buf.allocateDoubles(OFF_HEAP)) {
      fill(out, turn);
      Request sent = world.iSend(out, next, 1);
      world.recv(in, before, 1);
      sent.waitFor();
      check(in, turn);
    }
    double[] received = new double[ARRAY];
    Buf array = Buf.wrap(new double[ARRAY]);
    fill(array, turn);
    Request sent = world.iSend(array, next, 2);
    world.recv(Buf.wrap(received), before, 2);
    sent.waitFor();
    check(Buf.wrap(received), turn);
    try (Buf out = Buf.allocateDoubles(OFF_HEAP); Buf in = Buf.allocateDoubles(OFF_HEAP)) {
      fill(out, turn);
      Request.waitAll(world.iRecv(in, before, 3), world.iSend(out, next, 3));
      check(in, turn);
      world.sendRecv(in, before, 4, out, next, 4);
      world.allReduce(in, Op.MAX);
    }
  }

  private void fill(Buf buf, int turn) {
    for (long at = 0; at < buf.count(); at += STRIDE) {
      buf.putDouble(at, content(turn, world.rank()));
    }
  }

  private void check(Buf buf, int turn) {
    RandomFailures.expect(content(turn, before), buf, STRIDE, "what came in turn " + turn + " of epoch " + run.epoch());
  }

  private double content(int turn, int from) {
    return run.epoch() * 1e6 + turn * 100.0 + from;
  }
}
