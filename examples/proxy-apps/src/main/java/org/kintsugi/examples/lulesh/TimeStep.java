// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/** The time of the blast, and how long a step is. */
final class TimeStep {
  private static final double STOP = 0.01;
  private static final double UNLIMITED = 1e20;
  private static final double LEAST_GROWTH = 1.1;
  private static final double MOST_GROWTH = 1.2;

  private double time;
  private double dt;
  private int cycle;

  TimeStep(double first) {
    dt = first;
  }

  /** The rest of what a cycle needs of the one before. */
  void protect(Checkpoint checkpoint) {
    checkpoint.protect("time", () -> time, value -> time = value);
    checkpoint.protect("dt", () -> dt, value -> dt = value);
    checkpoint.protect("cycle", () -> cycle, value -> cycle = (int) value);
  }

  boolean isOver() {
    return time >= STOP;
  }

  double time() {
    return time;
  }

  double dt() {
    return dt;
  }

  int cycle() {
    return cycle;
  }

  /**
   * Goes on to the next cycle. The limits of all ranks decide how far; dt grows by 20 % at most, and stays if
   * it could grow by less than 10 %.
   *
   * @param world null: one rank
   * @param courantLimit of this rank
   * @param strainLimit of this rank
   */
  void advance(Comm world, double courantLimit, double strainLimit) {
    if (cycle > 0) {
      double limit = UNLIMITED;
      if (courantLimit < limit) {
        limit = courantLimit / 2.0;
      }
      if (strainLimit < limit) {
        limit = strainLimit * 2.0 / 3.0;
      }
      dt = Math.min(grown(world == null ? limit : world.allReduce(limit, Op.MIN)), STOP);
    }
    double left = STOP - time;
    // No sliver of a step is left for the end.
    if (left > dt && left < 4.0 * dt / 3.0) {
      left = 2.0 * dt / 3.0;
    }
    dt = Math.min(dt, left);
    time += dt;
    cycle++;
  }

  private double grown(double limit) {
    double ratio = limit / dt;
    if (ratio < 1.0) {
      return limit;
    }
    return ratio < LEAST_GROWTH ? dt : ratio > MOST_GROWTH ? dt * MOST_GROWTH : limit;
  }
}
