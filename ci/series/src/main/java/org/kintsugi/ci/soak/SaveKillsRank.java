// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.SplittableRandom;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Run;

/**
 * Runs in the ranks of {@link SaveKills}: saves version after version.
 *
 * <p>Saves in the foreground and in the background take turns. In each of the first epochs one rank
 * dies by SIGKILL at a random moment in one of these saves or in the restore.
 */
public final class SaveKillsRank extends SavingRank {
  private static final int VERSIONS = 24;

  /** Before it is known how long a save takes: the first ones take long. */
  private static final long FIRST_SAVE_NANOS = 10_000_000;
  private static final double SHARE_OF_A_SAVE = 1.1;
  private static final long LONGEST_IN_RESTORE_NANOS = 3_000_000;

  private final long seed;
  private final int kills;
  private final boolean onlyTheReplacement;
  /**
   * The shortest saves: in the foreground, and in the background.
   *
   * <p>Saves in the background may be much shorter.
   */
  private final long[] shortestNanos = {FIRST_SAVE_NANOS, FIRST_SAVE_NANOS};
  private long beganNanos;
  private long lastedNanos;
  /** The death in the next save or restore; null if none is planned. */
  private FailureTimer death;
  private long nanosToFailure;
  private volatile boolean isInside;

  private SaveKillsRank(String reports, long seed, int kills, boolean onlyTheReplacement) {
    super(reports);
    this.seed = seed;
    this.kills = kills;
    this.onlyTheReplacement = onlyTheReplacement;
  }

  /**
   * Arguments: the folder for reports, the seed, the number of deaths, and a flag.
   *
   * <p>The flag is true if only the newest rank may die in a restore: with engines that then have
   * just one other copy of everything.
   */
  public static void main(String[] args) {
    main(args,
        new SaveKillsRank(args[0], Long.parseLong(args[1]), Integer.parseInt(args[2]), Boolean.parseBoolean(args[3])));
  }

  @Override
  public void enter(Run run) {
    Comm world = run.world();
    SplittableRandom random = new SplittableRandom(seed * 1000 + run.epoch());
    boolean inRestore = random.nextInt(4) == 0 && run.epoch() > 0 && run.epoch() < kills;
    int victim = random.nextInt(world.size());
    double when = random.nextDouble();
    int savesUntilDeath = 1 + random.nextInt(6);
    if (inRestore && onlyTheReplacement) {
      victim = run.recoveries().isEmpty() ? -1 : run.recoveries().get(run.recoveries().size() - 1).failedRanks().get(0);
      victim = world.allReduce(victim, Op.MAX);
    }
    boolean dies = run.epoch() < kills && victim == world.rank();
    FailureTimer timer = dies ? new FailureTimer(() -> tellIfLate(run.epoch())) : null;
    Buf data = protect(run);
    if (dies && inRestore) {
      aim(timer, run.epoch(), SaveKills.IN_RESTORE, (long) (when * LONGEST_IN_RESTORE_NANOS));
    }
    long first = restore(run, data);
    for (long version = first + 1; version <= VERSIONS; version++) {
      fill(world, data, version);
      int kind = (int) (version % 2);
      boolean isDeadly = !inRestore && run.epoch() < kills && version - first == savesUntilDeath;
      if (dies && isDeadly) {
        aim(timer, run.epoch(), SaveKills.IN_SAVE, (long) (when * SHARE_OF_A_SAVE * shortestNanos[kind]));
      }
      if (kind == 0) {
        save(run, data, version);
      } else {
        // All of the save in which somebody dies is between its two marks.
        saveAsync(run, data, version, isDeadly);
      }
      shortestNanos[kind] = Math.min(shortestNanos[kind], lastedNanos);
    }
    if (dies) {
      timer.await();
    }
  }

  private void aim(FailureTimer timer, int epoch, String where, long nanos) {
    report(SaveKills.AIMED + epoch, where);
    death = timer;
    nanosToFailure = nanos;
  }

  /** Not inside what the death was aimed at any more: who dies in time has no time to tell, and needs none. */
  private void tellIfLate(int epoch) {
    if (!isInside) {
      report(SaveKills.LATE + epoch, "");
    }
  }

  @Override
  void begins() {
    beganNanos = System.nanoTime();
    if (death != null) {
      isInside = true;
      death.strikeAfter(nanosToFailure);
      death = null;
    }
  }

  @Override
  void ended() {
    isInside = false;
    lastedNanos = System.nanoTime() - beganNanos;
  }
}
