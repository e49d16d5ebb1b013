// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.Arrays;
import org.kintsugi.examples.sparse.Ranks;

/** Parallel modified independent sets: chooses the rows of a graph that go to the next level. */
final class Coarsening {
  /** The states of a row. */
  static final double COARSE = 1;
  static final double FINE = -1;
  /** Depends on none: relaxation alone is enough for it. */
  static final double SPECIAL = -3;
  private static final double UNDECIDED = 0;
  private static final long SEED = 2747;
  private static final long FACTOR = 16807;
  private static final long MODULUS = Integer.MAX_VALUE;

  private Coarsening() {}

  /**
   * Collective.
   *
   * @param graph on which others each row depends
   * @param around of the graph
   * @param alone what becomes of rows that depend on none
   * @return for each row, ghosts included
   */
  static double[] choose(Rows graph, Neighbourhood around, double alone, Ranks ranks) {
    int rows = graph.count();
    double[] measure = around.vector();
    for (int k = 0; k < graph.entries(); k++) {
      measure[around.local(graph.column(k))]++;
    }
    around.ghosts.addBack(measure);
    double[] status = around.vector();
    long random = SEED + ranks.rank();
    for (int row = 0; row < rows; row++) {
      random = random * FACTOR % MODULUS;
      measure[row] += (double) random / MODULUS;
      if (graph.start(row) == graph.end(row)) {
        status[row] = alone;
        measure[row] = 0;
      }
    }
    double[] beaten = around.vector();
    while (true) {
      around.ghosts.fill(measure);
      around.ghosts.fill(status);
      if (ranks.sum((double) undecided(status, rows)) == 0) {
        return status;
      }
      compare(graph, around, measure, beaten);
      for (int row = 0; row < rows; row++) {
        if (status[row] == UNDECIDED && measure[row] > 1 && beaten[row] == 0) {
          status[row] = COARSE;
        }
      }
      around.ghosts.fill(status);
      for (int row = 0; row < rows; row++) {
        if (status[row] == UNDECIDED && (measure[row] < 1 || dependsOnCoarse(graph, around, status, row))) {
          status[row] = FINE;
        }
        if (status[row] != UNDECIDED) {
          measure[row] = 0;
        }
      }
    }
  }

  private static int undecided(double[] status, int rows) {
    int count = 0;
    for (int row = 0; row < rows; row++) {
      count += status[row] == UNDECIDED ? 1 : 0;
    }
    return count;
  }

  /** Of two candidates that are linked, the one on which fewer rows depend loses. */
  private static void compare(Rows graph, Neighbourhood around, double[] measure, double[] beaten) {
    Arrays.fill(beaten, 0);
    for (int row = 0; row < graph.count(); row++) {
      if (measure[row] <= 1) {
        continue;
      }
      for (int k = graph.start(row); k < graph.end(row); k++) {
        int other = around.local(graph.column(k));
        if (measure[other] > 1 && measure[other] != measure[row]) {
          beaten[measure[other] < measure[row] ? other : row] = 1;
        }
      }
    }
    around.ghosts.addBack(beaten);
  }

  private static boolean dependsOnCoarse(Rows graph, Neighbourhood around, double[] status, int row) {
    for (int k = graph.start(row); k < graph.end(row); k++) {
      if (status[around.local(graph.column(k))] == COARSE) {
        return true;
      }
    }
    return false;
  }
}
