// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

/**
 * The processor time of tables over all processes, in nanoseconds for each process of the job. With 64 processes they take
 * microseconds, which no measurement of a recovery shows; with a million they are most of it.
 */
final class TableCosts {
  /** Of the groups and the tree of a communicator that Open MPI makes: three passes over pointers. Estimated. */
  private static final double COMMUNICATOR = 40;
  /** Of the sort in MPI_Comm_split, by qsort, of keys that are in order already. Measured. */
  private static final double SORT = 40;
  /** Of the plan, in C: a pass over the roles. */
  private static final double PLAN_IN_C = 2;
  /** Of the plan in Java, with a row of nine numbers. Measured. */
  private static final double PLAN_IN_JAVA = 20;

  private TableCosts() {}

  /** The measured costs without their slopes, which are noise of few processes, and the slopes of tables instead. */
  static Costs extend(Costs measured, boolean isJava) {
    double[] perProcess = new double[Step.COUNT];
    perProcess[Step.SHRINK.ordinal()] = COMMUNICATOR;
    perProcess[Step.SPLIT.ordinal()] = COMMUNICATOR + SORT + (isJava ? PLAN_IN_JAVA : PLAN_IN_C);
    return new Costs(measured.noticeNanos(), measured.noticeEachNanos(), measured.fixed(), perProcess, measured.rowBytes());
  }
}
