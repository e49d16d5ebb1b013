// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.test.RankJob;

/**
 * Chooses the failures in a workload of the series: in each epoch one rank, by SIGKILL, until n ranks have failed, where n is the
 * number of spares. Every process computes the same from the seed.
 */
final class RandomFailures {
  /** Seeds of jobs are numbers in a row: no job draws what another one does. */
  private static final int EPOCHS = 1000;
  private static final int OTHERS = 1000;

  private final long seed;
  private final int deaths;
  private final long shortest;
  private final long longest;

  private RandomFailures(long seed, int deaths, long shortest, long longest) {
    this.seed = seed;
    this.deaths = deaths;
    this.shortest = shortest;
    this.longest = longest;
  }

  /**
   * Runs a workload in a rank, and reports how many recoveries it has seen.
   *
   * @param args of its main: the folder for reports, the seed, how many die, the shortest and the longest time to a death in ms
   */
  static void run(String[] args, BiConsumer<Run, RandomFailures> work) {
    run(ThreadLevel.FUNNELED, args, work);
  }

  /** The same with the thread level that the workload needs. */
  static void run(ThreadLevel threads, String[] args, BiConsumer<Run, RandomFailures> work) {
    runUntilBegun(threads, args, (run, deadly) -> {
      deadly.begin(run);
      work.accept(run, deadly);
    });
  }

  /** Runs a workload in which deaths may come only after its call of {@link #begin}. */
  static void runUntilBegun(ThreadLevel threads, String[] args, BiConsumer<Run, RandomFailures> work) {
    RandomFailures deadly =
        new RandomFailures(Long.parseLong(args[1]), Integer.parseInt(args[2]), Long.parseLong(args[3]), Long.parseLong(args[4]));
    int[] place = {-1, 0};
    try (Mpi mpi = Mpi.init(threads, args)) {
      Reinit.run(mpi, run -> {
        place[0] = run.world().rank();
        place[1] = run.epoch();
        work.accept(run, deadly);
      });
    }
    if (place[0] >= 0) {
      RankJob.report(args[0], String.valueOf(place[0]), place[1] + " recoveries");
    }
  }

  /** The time to the death in this epoch begins. Collective. */
  void begin(Run run) {
    SplittableRandom random = new SplittableRandom(seed * EPOCHS + run.epoch());
    int victim = random.nextInt(run.world().size());
    long nanos = TimeUnit.MILLISECONDS.toNanos(shortest)
        + random.nextLong(TimeUnit.MILLISECONDS.toNanos(longest - shortest) + 1);
    // Over on all ranks before anybody dies: else the death would fall into the recovery that comes before it.
    run.world().barrier();
    if (run.epoch() < deaths && run.world().rank() == victim) {
      new FailureTimer().strikeAfter(nanos);
    }
  }

  /**
   * Random numbers for a workload, independent of the deaths.
   *
   * <p>They are the same on all processes for the same purpose.
   */
  SplittableRandom random(Run run, int what) {
    return new SplittableRandom(~(seed * EPOCHS + run.epoch()) * OTHERS + what);
  }

  /** Whether a rank that is not killed may end after this number of rounds. */
  boolean isOver(Run run, int rounds) {
    return run.epoch() >= deaths && rounds > 0;
  }

  /** The rank to which a rank sends in a ring of all. */
  static int next(Comm ring) {
    return (ring.rank() + 1) % ring.size();
  }

  /** The rank from which a rank receives in a ring of all. */
  static int before(Comm ring) {
    return (ring.rank() + ring.size() - 1) % ring.size();
  }

  /** Compares a value with the expected one; a difference ends the job. */
  static void expect(long expected, long actual, String what) {
    if (expected != actual) {
      throw new IllegalStateException("WRONG: " + what + " is " + actual + ", expected " + expected);
    }
  }

  /**
   * Compares numbers in a buffer, bit for bit, with the value that all must have.
   *
   * <p>A wrong number ends the job.
   */
  static void expect(double expected, Buf actual, long stride, String what) {
    for (long at = 0; at < actual.count(); at += stride) {
      if (Double.doubleToRawLongBits(expected) != Double.doubleToRawLongBits(actual.getDouble(at))) {
        throw new IllegalStateException(
            "WRONG: element " + at + " of " + what + " is " + actual.getDouble(at) + ", expected " + expected);
      }
    }
  }
}
