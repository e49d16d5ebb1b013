// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

/**
 * The processor time of a recovery in one process, without that of messages and of waiting. Times are nanoseconds.
 *
 * @param noticeNanos from a failure to the first process that the launcher notifies
 * @param noticeEachNanos from one process of a node to the next one: the daemon notifies them one after the other
 * @param spareNanos how much later a spare, which sleeps, handles the notice
 * @param fixed of each {@link Step}
 * @param perProcess of each {@link Step}, for each process of the job: tables over all processes
 * @param rowBytes what each process sends in the exchange of states
 */
public record Costs(double noticeNanos, double noticeEachNanos, double spareNanos, double[] fixed, double[] perProcess,
    int rowBytes) {
  /** Of a process that computes nothing: for tests, and as a bound. */
  static Costs none(int rowBytes) {
    return new Costs(0, 0, 0, new double[Step.COUNT], new double[Step.COUNT], rowBytes);
  }

  double of(Step step, int processes) {
    return fixed[step.ordinal()] + perProcess[step.ordinal()] * processes;
  }
}
