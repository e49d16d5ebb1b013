// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.ci.soak.Killer;
import org.kintsugi.launch.MpiHome.Flavour;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;

/**
 * Ranks die while a ring passes on messages of some MiB, whose memory is given back to the system as soon as the program closes
 * it: what MPI still touches of it after a rollback is a crash, or somebody else's data.
 */
@Tag("flavours")
class LongMessagesTest {
  private static final boolean IS_REINIT = RankJob.flavour() == Flavour.REINIT;
  private static final int RANKS = 6;
  /** With ULFM each takes one of the spares. */
  private static final int DEATHS = IS_REINIT ? 8 : 2;
  private static final long LIMIT_SECONDS = 90;

  /** Runs in the ranks. Arguments: the folder for reports, a seed, how many are to die. */
  static final class Ring {
    private static final int OFF_HEAP = 512 * 1024; // 4 MiB of doubles
    private static final int ARRAY = 384 * 1024;
    private static final int STRIDE = 512;
    /** The barrier that begins an epoch must be over on all ranks: a death before would fall into the recovery. */
    private static final long SHORTEST_LIFE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_LIFE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Run run;
    private final Comm world;
    private final int next;
    private final int before;

    private Ring(Run run) {
      this.run = run;
      world = run.world();
      next = (world.rank() + 1) % world.size();
      before = (world.rank() + world.size() - 1) % world.size();
    }

    public static void main(String[] args) {
      int deaths = Integer.parseInt(args[2]);
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          SplittableRandom random = new SplittableRandom(Long.parseLong(args[1]) * 1000 + run.epoch());
          boolean dies = random.nextInt(run.world().size()) == run.world().rank() && run.epoch() < deaths;
          long life = random.nextLong(SHORTEST_LIFE_NANOS, LONGEST_LIFE_NANOS);
          run.world().barrier(); // else the death would fall into a recovery
          if (dies) {
            new Killer().strikeAfter(life);
          }
          Ring ring = new Ring(run);
          for (int turn = 0; run.epoch() < deaths || turn < 4; turn++) {
            ring.pass(turn);
          }
          if (run.world().rank() == 0) {
            RankJob.report(args[0], "end", "epoch " + run.epoch());
          }
        });
      }
    }

    private void pass(int turn) {
      try (Buf out = Buf.ofDoubles(OFF_HEAP); Buf in = Buf.ofDoubles(OFF_HEAP)) {
        fill(out, turn);
        Request sent = world.iSend(out, next, 1);
        world.recv(in, before, 1);
        sent.waitFor();
        check(in, turn);
      }
      double[] received = new double[ARRAY];
      Buf array = Buf.of(new double[ARRAY]);
      fill(array, turn);
      Request sent = world.iSend(array, next, 2);
      world.recv(Buf.of(received), before, 2);
      sent.waitFor();
      check(Buf.of(received), turn);
      try (Buf out = Buf.ofDoubles(OFF_HEAP); Buf in = Buf.ofDoubles(OFF_HEAP)) {
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
      for (long at = 0; at < buf.count(); at += STRIDE) {
        if (buf.getDouble(at) != content(turn, before)) {
          throw new IllegalStateException("WRONG: element " + at + " in turn " + turn + " of epoch " + run.epoch() + " is "
              + buf.getDouble(at) + ", not " + content(turn, before));
        }
      }
    }

    private double content(int turn, int from) {
      return run.epoch() * 1e6 + turn * 100.0 + from;
    }
  }

  @Test
  void memoryIsKeptUntilTheRollbackIsOver() {
    String seed = String.valueOf(System.nanoTime() % 100_000);
    RankJob job = RankJob.of(RANKS, IS_REINIT ? 0 : DEATHS).timeoutSeconds(LIMIT_SECONDS)
        .jvm("-Xmx128m", "-Dkintsugi.recovery.timeout.seconds=30")
        // What is freed is gone at once, and the receiver does not copy by itself from what the sender has.
        .mpirun("-x", "GLIBC_TUNABLES=glibc.malloc.mmap_threshold=4096");
    if (IS_REINIT) {
      job.mpirun("--mca", "btl_vader_single_copy_mechanism", "none").maxRespawns(100);
    } else {
      job.mpirun("--mca", "smsc", "^cma");
    }
    RankJob.Outcome outcome = job.run(Ring.class, seed, String.valueOf(DEATHS));
    assertThat(outcome.exitCode()).as("seed " + seed + ": " + outcome.output()).isZero();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("end", "epoch " + DEATHS);
  }
}
