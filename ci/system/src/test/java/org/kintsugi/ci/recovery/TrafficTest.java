// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.ci.soak.FailureTimer;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.cluster.Cluster;

/**
 * Ranks die while all of them, on four nodes, send each other long messages.
 *
 * <p>So connections have a message under way, or are being made, when they break, or when the epoch
 * ends. No such message may end the job or arrive in the next epoch.
 */
@Tag("flavours")
@Execution(ExecutionMode.SAME_THREAD)
class TrafficTest {
  private static final boolean IS_REINIT = RankJob.flavour() == Flavour.REINIT;
  /** The fork replaces them on their nodes; with ULFM each is replaced by a spare. */
  private static final int SPARES = IS_REINIT ? 1 : 2;
  private static final int RANKS = IS_REINIT ? 8 : 6;
  private static final long LIMIT_SECONDS = 120;

  /** Runs in the ranks. Arguments: the folder for reports, a seed, how many are to die, and the thread level. */
  static final class Traffic {
    /** Too long to be sent at one go. */
    private static final int ELEMENTS = 60_000;
    private static final int STRIDE = 64;
    private static final int TAG = 3;
    private static final long LONGEST_LIFE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(ThreadLevel.valueOf(args[3]), args)) {
        Reinit.run(mpi, run -> {
          enter(run, Long.parseLong(args[1]), Integer.parseInt(args[2]));
          if (run.world().rank() == 0) {
            RankJob.report(args[0], "end", "epoch " + run.epoch());
          }
        });
      }
    }

    private static void enter(Run run, long seed, int deaths) {
      Comm world = run.world();
      SplittableRandom random = new SplittableRandom(seed * 1000 + run.epoch());
      boolean dies = random.nextInt(world.size()) == world.rank() && run.epoch() < deaths;
      long life = random.nextLong(LONGEST_LIFE_NANOS);
      world.barrier(); // else the death would fall into a recovery
      if (dies) {
        new FailureTimer().strikeAfter(life);
      }
      boolean isLast = run.epoch() >= deaths;
      exchangeUntil(run, System.nanoTime() + (isLast ? 10 : 300) * LONGEST_LIFE_NANOS);
      if (!isLast) {
        throw new IllegalStateException("nobody has died in epoch " + run.epoch());
      }
    }

    private static void exchangeUntil(Run run, long end) {
      Comm world = run.world();
      int others = world.size() - 1;
      Buf[] in = new Buf[others];
      Buf[] out = new Buf[others];
      for (int i = 0; i < others; i++) {
        in[i] = Buf.allocateLongs(ELEMENTS);
        out[i] = Buf.allocateLongs(ELEMENTS);
      }
      long isOver = 0;
      for (int turn = 0; isOver == 0; turn++) {
        Request[] requests = new Request[2 * others];
        for (int i = 0; i < others; i++) {
          requests[i] = world.iRecv(in[i], other(world, i), TAG);
        }
        for (int i = 0; i < others; i++) {
          int to = other(world, i);
          for (int at = 0; at < ELEMENTS; at += STRIDE) {
            out[i].putLong(at, content(run, turn, world.rank(), to));
          }
          requests[others + i] = world.iSend(out[i], to, TAG);
        }
        Request.waitAll(requests);
        for (int i = 0; i < others; i++) {
          int from = other(world, i);
          for (int at = 0; at < ELEMENTS; at += STRIDE) {
            if (in[i].getLong(at) != content(run, turn, from, world.rank())) {
              throw new IllegalStateException("WRONG: element " + at + " from rank " + from + " in epoch " + run.epoch() + " is "
                  + Long.toHexString(in[i].getLong(at)));
            }
          }
        }
        isOver = world.allReduce(System.nanoTime() > end ? 1L : 0L, Op.MAX);
      }
    }

    private static int other(Comm world, int i) {
      return (world.rank() + 1 + i) % world.size();
    }

    private static long content(Run run, int turn, int from, int to) {
      return ((long) run.epoch() << 48) + ((long) turn << 16) + (from << 8) + to;
    }
  }

  /** With MULTIPLE, which the fork does not have, MPI's locks are taken. */
  @Test
  void nothingOfAnEpochGetsIntoTheNext() throws IOException, InterruptedException {
    assertAllGoOn(IS_REINIT ? 4 : 2, IS_REINIT ? ThreadLevel.FUNNELED : ThreadLevel.MULTIPLE);
  }

  /** More deaths on the fork, and the other thread level with ULFM. */
  @Tag("series")
  @Test
  void nothingOfAnEpochGetsIntoTheNextInOtherJobs() throws IOException, InterruptedException {
    assertAllGoOn(IS_REINIT ? 8 : 2, ThreadLevel.FUNNELED);
  }

  private static void assertAllGoOn(int deaths, ThreadLevel threads) throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip(RankJob.flavour());
    assumeTrue(IS_REINIT || mpi.isPatched(),
        "only the Open MPI that make setup builds survives it "
            + "(native/openmpi/patches/pml-btl/0002, ulfm/0006, pml-btl/0003 and pml-btl/0004)");
    try (Cluster cluster = Cluster.of(2, 2, 2, 2)) {
      run(mpi, cluster, deaths, threads);
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
    }
  }

  private static void run(MpiHome mpi, Cluster cluster, int deaths, ThreadLevel threads)
      throws IOException, InterruptedException {
    String seed = String.valueOf(System.nanoTime() % 100_000);
    List<String> options = List.of("-n", String.valueOf(RANKS), "--spares", String.valueOf(SPARES));
    RankJob.Outcome outcome =
        cluster.run(mpi, LIMIT_SECONDS, options, Traffic.class, seed, String.valueOf(deaths), threads.name());
    String printed = threads + ", seed " + seed + ", code " + outcome.exitCode() + ": " + outcome.output();
    assertThat(outcome.exitCode()).as(printed).isZero();
    assertThat(outcome.reports().get("end")).as(printed).contains("epoch " + deaths);
    for (int node = 0; node < 4; node++) {
      assertThat(cluster.left(node, 30_000)).as("left on node %d", node).isEmpty();
    }
  }
}
