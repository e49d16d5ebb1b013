// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;

/**
 * Runs in the ranks of {@link SaveKills}: saves version after version, in the foreground and in the background in turns, and in
 * each of the first epochs one rank dies by SIGKILL at a random moment in one of these saves or in the restore. What is restored
 * must be, bit for bit, what belongs to its version on every rank, and no older than what any survivor knew to be complete.
 */
public final class SaveKillsRank implements Reinit.Body {
  private static final int VERSIONS = 24;
  private static final int SIGKILL = 9;
  private static final int ELEMENTS = 150_000;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  /** The thread that kills this process, at the nanosecond given; it is waiting long before. */
  private volatile long deathNanos;

  private Thread killer;

  private final long seed;
  private final int kills;
  private final boolean onlyTheNewcomer;
  private long complete = -1;
  /** The first ones take long, and a death that comes after the end is none. */
  private long shortestSaveNanos = 10_000_000;
  private int restored;
  private int epoch;

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
    try (Mpi mpi = Mpi.init(args)) {
      rank.startKiller();
      int[] me = {-1};
      Reinit.run(mpi, run -> {
        me[0] = run.world().rank();
        rank.enter(run);
      });
      if (me[0] >= 0) {
        RankJob.report(args[0], "rank-" + me[0], rank.restored + " restored, " + rank.epoch + " recoveries");
      }
    }
  }

  private void startKiller() {
    int self = (int) ProcessHandle.current().pid();
    Kintsugi.kintsugi_kill(self, 0); // loaded now, so that death is quick
    killer = new Thread(() -> {
      while (deathNanos == 0) {
        LockSupport.park(this);
      }
      long left;
      while ((left = deathNanos - System.nanoTime()) > 0) {
        LockSupport.parkNanos(left);
      }
      Kintsugi.kintsugi_kill(self, SIGKILL);
    }, "killer");
    killer.setDaemon(true);
    killer.start();
  }

  private void dieAfter(long nanos) {
    deathNanos = System.nanoTime() + nanos;
    LockSupport.unpark(killer);
  }

  @Override
  public void enter(Run run) {
    Comm world = run.world();
    epoch = run.epoch();
    SplittableRandom random = new SplittableRandom(seed * 1000 + run.epoch());
    boolean inRestore = random.nextInt(4) == 0 && run.epoch() > 0 && run.epoch() < kills;
    int victim = random.nextInt(world.size());
    double when = random.nextDouble();
    int savesUntilDeath = 1 + random.nextInt(6);
    if (inRestore && onlyTheNewcomer) {
      victim = run.recoveries().isEmpty() ? -1 : run.recoveries().get(run.recoveries().size() - 1).failedRanks().get(0);
      victim = (int) world.allReduce((long) victim, Op.MAX);
    }
    boolean dies = run.epoch() < kills && victim == world.rank();
    int elements = ELEMENTS + 1000 * world.rank();
    // Engines may take off-heap memory from where it is, and copy arrays.
    Buf data = world.rank() % 2 == 0 ? Buf.of(new long[elements]) : Buf.ofLongs(elements);
    run.checkpoint().protect("data", data);
    if (dies && inRestore) {
      dieAfter((long) (when * 3_000_000));
    }
    long first = restore(run, data);
    for (long version = first + 1; version <= VERSIONS; version++) {
      check(world, data, version - 1);
      fill(world, data, version);
      if (dies && !inRestore && version - first == savesUntilDeath) {
        dieAfter((long) (when * 1.5 * shortestSaveNanos));
      }
      save(run, data, version);
    }
    check(world, data, VERSIONS);
  }

  private long restore(Run run, Buf data) {
    long newestKnown = run.world().allReduce(complete, Op.MAX);
    OptionalLong version = run.checkpoint().restore();
    if (version.orElse(-1) < newestKnown) {
      throw new IllegalStateException("LOST: version " + newestKnown + " was complete, and " + version + " came back");
    }
    complete = version.orElse(-1);
    if (version.isEmpty()) {
      fill(run.world(), data, 0);
      return 0;
    }
    restored++;
    return version.getAsLong();
  }

  private void save(Run run, Buf data, long version) {
    long start = System.nanoTime();
    if (version % 2 == 0) {
      run.checkpoint().save(version);
      complete = version;
    } else {
      run.checkpoint().saveAsync(version);
      // The program goes on, and its data are other ones already.
      for (long i = 0; i < data.count(); i++) {
        data.putLong(i, -1);
      }
      run.world().barrier();
      fill(run.world(), data, version);
    }
    shortestSaveNanos = Math.min(shortestSaveNanos, System.nanoTime() - start);
  }

  private static long content(int rank, long version, long at) {
    return (version * GOLDEN + rank) * (at + 1);
  }

  private static void fill(Comm world, Buf data, long version) {
    for (long i = 0; i < data.count(); i++) {
      data.putLong(i, content(world.rank(), version, i));
    }
  }

  private static void check(Comm world, Buf data, long version) {
    for (long i = 0; i < data.count(); i++) {
      if (data.getLong(i) != content(world.rank(), version, i)) {
        throw new IllegalStateException("WRONG: rank " + world.rank() + ", element " + i + " is not of version " + version);
      }
    }
  }
}
