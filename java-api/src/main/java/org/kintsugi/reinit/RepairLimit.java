// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.internal.lifetime.Deadline;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;
import org.kintsugi.runtime.internal.TimeLimits;

/**
 * The limit of a meeting, and of the repair that may follow. At its end the job ends for a restart.
 *
 * <p>Without a failure a process may wait long in a meeting: for the others to compute, or, at the
 * beginning of its run, for all to arrive. So the time counts only once a failure is known: this
 * process has rolled back, the epoch's communicators were revoked, the launcher has reported a
 * failed process before the run has begun, or the repair has begun.
 */
@InRecovery
final class RepairLimit implements BooleanSupplier, AutoCloseable {
  /**
   * The number of failures reported before the last run ended: they do not concern the next run.
   */
  private static volatile int failuresOfOtherRuns;

  private static final String SOME_DO_NOT_COME = " (-D" + JobConfig.RECOVERY_TIMEOUT_SECONDS.property()
      + "): some process does not come to it, or a call of MPI in it does not return";

  private final boolean isOfBeginning;
  private volatile boolean counts;
  private final Deadline deadline;

  private RepairLimit(boolean isOfBeginning, boolean counts) {
    this.isOfBeginning = isOfBeginning;
    this.counts = counts;
    deadline = Deadline.begin(JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue(), this,
        "a recovery has not ended in time" + SOME_DO_NOT_COME);
  }

  private RepairLimit(String thrown) {
    isOfBeginning = false;
    counts = true;
    deadline = deadlineAfter(thrown, this);
  }

  /** The deadline of a process whose body threw, and that waits for others. */
  static Deadline deadlineAfter(String thrown, BooleanSupplier counts) {
    long before = TimeUnit.MILLISECONDS.toSeconds(TimeLimits.BEFORE_OTHERS_MILLIS);
    return Deadline.beginFailure(Math.max(1, JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue() - before), counts,
        "a body threw, and the run has not ended in time" + SOME_DO_NOT_COME + ". It threw " + thrown);
  }

  /** The limit of the first repair, by which the first world is made. */
  static RepairLimit ofBeginning() {
    return new RepairLimit(true, false);
  }

  /** The limit of the meeting that follows an epoch, which has rolled back or not. */
  static RepairLimit ofMeeting(boolean isRolledBack) {
    return new RepairLimit(false, isRolledBack);
  }

  /** The limit of a meeting after a body that threw; the message has the exception. */
  static RepairLimit ofMeetingAfter(String thrown) {
    return new RepairLimit(thrown);
  }

  /** The number of process failures that the runtime has reported to this process. */
  static int failuresReported() {
    return Kintsugi.kintsugi_failures_reported();
  }

  /** The run has ended. */
  static void forgetFailures() {
    failuresOfOtherRuns = failuresReported();
  }

  /** The meeting has ended, and the repair begins: from now on the time counts in any case. */
  void count() {
    counts = true;
    deadline.restart();
  }

  @Override
  public boolean getAsBoolean() {
    return counts || (isOfBeginning
        ? failuresReported() != failuresOfOtherRuns : Kintsugi.kintsugi_is_revoked_together() != 0);
  }

  @Override
  public void close() {
    deadline.close();
  }
}
