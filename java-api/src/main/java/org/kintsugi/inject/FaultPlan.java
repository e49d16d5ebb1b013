// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.inject;

import java.util.ArrayList;
import java.util.List;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.Kill;
import org.kintsugi.runtime.KillSpec;

/**
 * Decides which process dies at which iteration: fault injection as in the Reinit++ paper (section 4), with a real SIGKILL that
 * a process sends to itself, or to its node, in {@code run.iteration(i)}.
 *
 * <p>{@link KillSpec} has the grammar: {@code process:RANK@ITERATION}, {@code node:RANK@ITERATION} (the launcher's daemon dies
 * first), {@code random:SEED}, {@code random:SEED@ITERATIONS}; and in which start of the job it strikes.
 *
 * <p>A kill fires once, without any record on disk: a rank's n-th kill fires in its n-th life, and all that take part in the
 * recovery know how often a rank has died, its replacement included.
 */
public final class FaultPlan {
  private final List<Kill> kills;

  private FaultPlan(List<Kill> kills) {
    this.kills = List.copyOf(kills);
  }

  /**
   * The plan of this start of the job: those of {@link JobConfig#KILL} that strike in it.
   *
   * @param ranks how many ranks the program's world has
   * @return the plan, the same on all ranks
   * @throws IllegalArgumentException if a specification is malformed or names a rank that does not exist
   */
  public static FaultPlan ofJob(int ranks) {
    return parse(JobConfig.KILL.value(), ranks, 1 + JobConfig.RESTARTS.longValue());
  }

  /**
   * Reads specifications separated by {@link KillSpec#SEPARATOR}, and takes those that strike in the first start of a job.
   *
   * @param specifications as {@link KillSpec} reads them; empty: no kill
   * @param ranks how many ranks the program's world has
   * @return the plan
   * @throws IllegalArgumentException if one is malformed or names a rank that does not exist
   */
  public static FaultPlan parse(String specifications, int ranks) {
    return parse(specifications, ranks, 1);
  }

  private static FaultPlan parse(String specifications, int ranks, long start) {
    if (specifications.isEmpty()) {
      return new FaultPlan(List.of()); // as in most jobs: KillSpec would load regular expressions as each rank starts
    }
    List<Kill> kills = new ArrayList<>();
    try {
      for (KillSpec specification : KillSpec.parseAll(specifications)) {
        Kill kill = specification.in(ranks);
        if (specification.start() == start) {
          kills.add(kill);
        }
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("kill " + e.getMessage(), e);
    }
    return new FaultPlan(kills);
  }

  /**
   * All kills, in the order given.
   *
   * @return a list that cannot be changed
   */
  public List<Kill> kills() {
    return kills;
  }

  /**
   * The kill that this process will die of.
   *
   * @param rank this process's rank in the world
   * @param failures how often that rank has died before
   * @return null if there is none
   */
  public Kill next(int rank, int failures) {
    int seen = 0;
    for (Kill kill : kills) {
      if (kill.rank() == rank && seen++ == failures) {
        return kill;
      }
    }
    return null;
  }

  /**
   * The kill that is due.
   *
   * @param rank this process's rank in the world
   * @param failures how often that rank has died before
   * @param iteration where the program is
   * @return null if none is due
   */
  public Kill due(int rank, int failures, long iteration) {
    Kill next = next(rank, failures);
    return next != null && next.iteration() == iteration ? next : null;
  }
}
