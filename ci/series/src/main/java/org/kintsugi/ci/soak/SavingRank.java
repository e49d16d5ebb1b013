// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.OptionalLong;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.test.RankJob;

/**
 * A rank that saves versions of its data in the foreground and in the background, while ranks die. Restored data must be, bit
 * for bit, those of the version on every rank, and no older than the newest version that any survivor knew to be complete.
 */
abstract class SavingRank implements Reinit.Body {
  private static final int ELEMENTS = 150_000;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final String reports;
  private long complete = -1;
  private int restored;

  /** @param reports the folder for them */
  SavingRank(String reports) {
    this.reports = reports;
  }

  /** Runs the body under Reinit, and reports in the end. */
  static void main(String[] args, SavingRank rank) {
    try (Mpi mpi = Mpi.init(args)) {
      int[] place = {-1, 0};
      Reinit.run(mpi, run -> {
        place[0] = run.world().rank();
        place[1] = run.epoch();
        rank.enter(run);
      });
      if (place[0] >= 0) {
        rank.report(SaveJob.RANK + place[0], rank.restored + " restored, " + place[1] + SaveJob.RECOVERIES);
      }
    }
  }

  final void report(String name, String text) {
    RankJob.report(reports, name, text);
  }

  /** Called directly before each save or restore, when all ranks have left the last recovery. */
  void begins() {}

  /** Called directly after it. For a background save: as soon as the program goes on. */
  void ended() {}

  /**
   * Protects this rank's data, of another length on each rank.
   *
   * <p>Every other rank has its data off-heap: engines copy some kinds of memory, and not others.
   */
  static Buf protect(Run run) {
    int rank = run.world().rank();
    int elements = ELEMENTS + 1000 * rank;
    Buf data = rank % 2 == 0 ? Buf.wrap(new long[elements]) : Buf.allocateLongs(elements);
    run.checkpoint().protect("data", data);
    return data;
  }

  /** Restores the newest version: 0, with its data, where there is none. */
  final long restore(Run run, Buf data) {
    long newestKnown = run.world().allReduce(complete, Op.MAX);
    begins();
    OptionalLong version = run.checkpoint().restore();
    ended();
    if (version.orElse(-1) < newestKnown) {
      throw new IllegalStateException("LOST: version " + newestKnown + " was complete, and " + version + " came back");
    }
    complete = version.orElse(-1);
    if (version.isEmpty()) {
      fill(run.world(), data, 0);
      return 0;
    }
    restored++;
    check(run.world(), data, version.getAsLong());
    return version.getAsLong();
  }

  /** Saves data that {@link #fill} has made those of the version. */
  final void save(Run run, Buf data, long version) {
    begins();
    run.checkpoint().save(version);
    ended();
    complete = version;
    check(run.world(), data, version);
  }

  /**
   * The same in the background; the program goes on meanwhile, and its data are other ones already.
   *
   * @param isAwaited whether the version is complete in the end; the same on all ranks
   */
  final void saveAsync(Run run, Buf data, long version, boolean isAwaited) {
    begins();
    run.checkpoint().saveAsync(version);
    for (long i = 0; i < data.count(); i++) {
      data.putLong(i, -1);
    }
    run.world().barrier();
    if (isAwaited) {
      run.checkpoint().awaitSave();
      complete = version;
    }
    ended();
  }

  private static long content(int rank, long version, long at) {
    return (version * GOLDEN + rank) * (at + 1);
  }

  static void fill(Comm world, Buf data, long version) {
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
