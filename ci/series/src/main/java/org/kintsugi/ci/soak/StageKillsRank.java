// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Run;

/**
 * Runs in the ranks of {@link StageKills}.
 *
 * <p>The process with the victim's rank dies once in each of the first epochs: at stages that are
 * spread evenly over a save in the background and a save in the foreground after it, or over a
 * restore. The first epoch counts the stages of these.
 */
public final class StageKillsRank extends SavingRank {
  /** Several pairs, as only some saves reach the level that has the stage. */
  private static final int MAX_PAIRS = 6;
  private static final int COUNTED_PAIRS = 4;

  private final StageKills.PlannedKills deaths;
  /** The number of stages; 0: not known to this process, which was started later. */
  private long stages;

  private StageKillsRank(String reports, StageKills.PlannedKills deaths) {
    super(reports);
    this.deaths = deaths;
  }

  /** Arguments: the folder for reports, and the deaths. */
  public static void main(String[] args) {
    StageKills.PlannedKills deaths = StageKills.PlannedKills.of(args, 1);
    Stages.only(deaths.call());
    main(args, new StageKillsRank(args[0], deaths));
  }

  @Override
  public void enter(Run run) {
    Comm world = run.world();
    int epoch = run.epoch();
    boolean dies = world.rank() == deaths.victim() && epoch < deaths.count();
    stages = world.allReduce(stages, Op.MAX);
    Buf data = protect(run);
    long version = deaths.inRestore() ? restoreDying(run, data, dies) : restore(run, data);
    fill(world, data, ++version);
    save(run, data, version);
    if (!deaths.inRestore() && epoch == 0) {
      // Count the stages of the last pair. The first saves have further stages, which come once in
      // a job, so that no later failure could be in them; a level may be for each fourth save only.
      for (int pair = 0; pair < COUNTED_PAIRS; pair++, version += 2) {
        Stages.arm(Stages.NEVER);
        pair(run, data, version + 1);
      }
      tellStages(world, Stages.disarm());
    }
    for (int pair = 0; epoch < deaths.count() && pair <= MAX_PAIRS; pair++, version += 2) {
      if (dies) {
        armForSaves(epoch, pair);
      }
      pair(run, data, version + 1);
    }
  }

  private void armForSaves(int epoch, int pair) {
    long passed = pair == 0 ? 0 : Stages.disarm();
    if (pair == MAX_PAIRS) {
      tellSurvival(epoch, passed);
    }
    if (deaths.inRestore() || pair == MAX_PAIRS) {
      Stages.only("");
      Stages.arm(1);
    } else {
      Stages.arm(deadly(epoch));
    }
  }

  /** The first of the epochs has nothing to restore; in the second one stages are counted, and then there are deaths. */
  private long restoreDying(Run run, Buf data, boolean dies) {
    boolean isArmed = dies && deaths.number(run.epoch()) >= 0;
    Stages.arm(isArmed ? deadly(run.epoch()) : Stages.NEVER);
    long version = restore(run, data);
    long passed = Stages.disarm();
    if (isArmed) {
      tellSurvival(run.epoch(), passed);
    }
    if (run.epoch() == 1) {
      tellStages(run.world(), passed);
    }
    return version;
  }

  private void tellStages(Comm world, long counted) {
    stages = world.allReduce(world.rank() == deaths.victim() ? counted : 0, Op.MAX);
    if (world.rank() == deaths.victim()) {
      report(StageKills.STAGES, String.valueOf(stages));
    }
  }

  private void tellSurvival(int epoch, long passed) {
    report(StageKills.SURVIVED + epoch, "no stage " + deadly(epoch) + " of " + stages + ", but " + passed);
  }

  /** The stage of an epoch's death. */
  private long deadly(int epoch) {
    return Math.min(deaths.first() + deaths.number(epoch) * stages / deaths.aimed(), stages);
  }

  private void pair(Run run, Buf data, long version) {
    fill(run.world(), data, version);
    saveAsync(run, data, version, false);
    fill(run.world(), data, version + 1);
    save(run, data, version + 1);
  }
}
