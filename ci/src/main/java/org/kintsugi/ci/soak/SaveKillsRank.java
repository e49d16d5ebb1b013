// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.SplittableRandom;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Run;

/**
 * Runs in the ranks of {@link SaveKills}: saves version after version, in the foreground and in the background in turns, and in
 * each of the first epochs one rank dies by SIGKILL at a random moment in one of these saves or in the restore.
 */
public final class SaveKillsRank extends SavingRank {
  private static final int VERSIONS = 24;

  private final long seed;
  private final int kills;
  private final boolean onlyTheNewcomer;
  /** The first ones take long, and a death that comes after the end is none. */
  private long shortestSaveNanos = 10_000_000;

  private SaveKillsRank(long seed, int kills, boolean onlyTheNewcomer) {
    this.seed = seed;
    this.kills = kills;
    this.onlyTheNewcomer = onlyTheNewcomer;
  }

  /**
   * Arguments: the folder for reports, the seed, how many ranks are to die, and whether of all ranks only the newest may die in
   * a restore (with engines that have just one other copy of everything then).
   */
  public static void main(String[] args) {
    SaveKillsRank rank = new SaveKillsRank(Long.parseLong(args[1]), Integer.parseInt(args[2]), Boolean.parseBoolean(args[3]));
    main(args, rank);
  }

  @Override
  public void enter(Run run) {
    Comm world = run.world();
    SplittableRandom random = new SplittableRandom(seed * 1000 + run.epoch());
    boolean inRestore = random.nextInt(4) == 0 && run.epoch() > 0 && run.epoch() < kills;
    int victim = random.nextInt(world.size());
    double when = random.nextDouble();
    int savesUntilDeath = 1 + random.nextInt(6);
    if (inRestore && onlyTheNewcomer) {
      victim = run.recoveries().isEmpty() ? -1 : run.recoveries().get(run.recoveries().size() - 1).failedRanks().get(0);
      victim = world.allReduce(victim, Op.MAX);
    }
    boolean dies = run.epoch() < kills && victim == world.rank();
    DeathTimer death = dies ? new DeathTimer() : null;
    Buf data = protect(run);
    if (dies && inRestore) {
      death.strikeAfter((long) (when * 3_000_000));
    }
    long first = restore(run, data);
    for (long version = first + 1; version <= VERSIONS; version++) {
      fill(world, data, version);
      if (dies && !inRestore && version - first == savesUntilDeath) {
        death.strikeAfter((long) (when * 1.5 * shortestSaveNanos));
      }
      long start = System.nanoTime();
      if (version % 2 == 0) {
        save(run, data, version);
      } else {
        saveAsync(run, data, version);
      }
      shortestSaveNanos = Math.min(shortestSaveNanos, System.nanoTime() - start);
    }
    if (dies) {
      death.await();
    }
  }
}
