// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

/**
 * The processor time of tables over all processes, in nanoseconds for each process of the job. With 64 processes they take
 * microseconds, which no measurement of a recovery shows; with a million they are most of it.
 */
final class TableCosts {
  /**
   * Of the groups and the tree of a communicator that Open MPI makes. Measured in a program of its own: two passes over a million
   * pointers.
   */
  private static final double COMMUNICATOR = 57;
  /** Of the sort in MPI_Comm_split: qsort of a million pairs that are in order but for one. Measured. */
  private static final double SORT = 35;
  /** Of the plan, in C: a pass over the rows. Measured. */
  private static final double PLAN_IN_C = 2;
  /** Of the plan in Java: interpreted up to some 10,000 rows, compiled from there on. Measured. */
  private static final double PLAN_INTERPRETED = 220;
  private static final double PLAN_COMPILED = 7;
  private static final int ROWS_INTERPRETED = 10_000;

  private TableCosts() {}

  /** The measured costs, and those of the tables of a job of that size, instead of the noise of few processes. */
  static Costs extend(Costs measured, boolean isJava, int processes) {
    double[] perProcess = new double[Step.COUNT];
    perProcess[Step.SHRINK.ordinal()] = COMMUNICATOR;
    perProcess[Step.SPLIT.ordinal()] = COMMUNICATOR + SORT + (isJava ? planInJava(processes) : PLAN_IN_C);
    return new Costs(measured.noticeNanos(), measured.noticeEachNanos(), measured.spareNanos(), measured.fixed(), perProcess,
        measured.rowBytes());
  }

  private static double planInJava(int processes) {
    double interpreted = Math.min(processes, ROWS_INTERPRETED);
    return (interpreted * PLAN_INTERPRETED + (processes - interpreted) * PLAN_COMPILED) / processes;
  }
}
