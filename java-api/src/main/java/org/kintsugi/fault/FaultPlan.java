// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kintsugi.mpi.MpiConfig;

/**
 * Which process is to die at which iteration: fault injection as the Reinit++ paper does it (section 4), with a real
 * SIGKILL that a process sends to itself, or to its node, in {@code run.iteration(i)}.
 *
 * <p>Specifications: {@code process:RANK@ITERATION}; {@code node:RANK@ITERATION} (all processes of the node on which that
 * rank lives, the launcher's daemon first); {@code random:SEED} or {@code random:SEED@ITERATIONS}: one process, chosen
 * with its iteration by the seed, from 1 on and below ITERATIONS (100 if not given): not 0, where many programs have not begun to
 * count.
 *
 * <p>A kill fires once. Nothing is written down for that: a rank's n-th kill fires in its n-th life, and how often a rank
 * has died is known to all that take part in the recovery, its replacement included.
 */
public final class FaultPlan {
  private static final Pattern KILL = Pattern.compile("(process|node):(\\d{1,9})@(\\d{1,18})");
  private static final Pattern RANDOM = Pattern.compile("random:(-?\\d{1,18})(?:@(\\d{1,9}))?");
  private static final int DEFAULT_ITERATIONS = 100;

  /** What dies. */
  public enum Kind {
    /** One process. */
    PROCESS,
    /** A node: its daemon and all its processes. */
    NODE
  }

  /** One death to come: what dies, whose rank it is, and at which iteration. */
  public record Kill(Kind kind, int rank, long iteration) {
    @Override
    public String toString() {
      return (kind == Kind.NODE ? "node:" : "process:") + rank + "@" + iteration;
    }
  }

  private final List<Kill> kills;

  private FaultPlan(List<Kill> kills) {
    this.kills = List.copyOf(kills);
  }

  /** The plan of this job: {@link MpiConfig#KILL}; empty once the job has been started again after a failure. */
  public static FaultPlan ofJob(int ranks) {
    return MpiConfig.RESTARTS.longValue() > 0 ? new FaultPlan(List.of()) : parse(MpiConfig.KILL.value(), ranks);
  }

  /**
   * Reads specifications separated by semicolons.
   *
   * @param ranks how many ranks the program's world has
   * @throws IllegalArgumentException if one is malformed or names a rank that does not exist
   */
  public static FaultPlan parse(String specifications, int ranks) {
    List<Kill> kills = new ArrayList<>();
    for (String specification : specifications.split(";")) {
      if (!specification.isBlank()) {
        kills.add(parseOne(specification.trim(), ranks));
      }
    }
    return new FaultPlan(kills);
  }

  private static Kill parseOne(String specification, int ranks) {
    Matcher kill = KILL.matcher(specification);
    if (kill.matches()) {
      int rank = Integer.parseInt(kill.group(2));
      if (rank >= ranks) {
        throw new IllegalArgumentException("kill " + specification + ": rank " + rank + " is not in 0 to " + (ranks - 1));
      }
      return new Kill(kill.group(1).equals("node") ? Kind.NODE : Kind.PROCESS, rank, Long.parseLong(kill.group(3)));
    }
    Matcher random = RANDOM.matcher(specification);
    if (random.matches()) {
      SplittableRandom generator = new SplittableRandom(Long.parseLong(random.group(1)));
      int iterations = random.group(2) == null ? DEFAULT_ITERATIONS : Integer.parseInt(random.group(2));
      if (iterations < 2) {
        throw new IllegalArgumentException(
            "kill " + specification + ": an iteration is chosen from 1 on and below " + iterations + ", and there is none");
      }
      return new Kill(Kind.PROCESS, generator.nextInt(ranks), generator.nextInt(1, iterations));
    }
    throw new IllegalArgumentException("kill " + specification
        + ": expected process:RANK@ITERATION, node:RANK@ITERATION, random:SEED or random:SEED@ITERATIONS");
  }

  /** All kills, in the order given. */
  public List<Kill> kills() {
    return kills;
  }

  /**
   * The kill that this process will die of.
   *
   * @param rank this process's rank in the world
   * @param deaths how often that rank has died before
   * @return null if there is none
   */
  public Kill next(int rank, int deaths) {
    int seen = 0;
    for (Kill kill : kills) {
      if (kill.rank() == rank && seen++ == deaths) {
        return kill;
      }
    }
    return null;
  }

  /**
   * The kill that is due.
   *
   * @param rank this process's rank in the world
   * @param deaths how often that rank has died before
   * @return null if none is due
   */
  public Kill due(int rank, int deaths, long iteration) {
    Kill next = next(rank, deaths);
    return next != null && next.iteration() == iteration ? next : null;
  }
}
