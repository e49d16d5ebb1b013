// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.lifetime;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * The state of a Reinit run in this process, for MPI. It tells whether a run is open, whether its
 * body is entered, and which exception ended it.
 */
@InRecovery
public final class RunState {
  private static volatile Scope job;
  private static volatile int rank;
  private static volatile boolean isOpen;
  private static volatile Throwable failure;

  private RunState() {}

  /** MPI is initialised: the job's communicators belong to this scope, and this process has a rank in the job. */
  public static void begin(Scope scope, int rankInJob) {
    job = scope;
    rank = rankInJob;
  }

  /** Sets whether a Reinit run is open, which would recover from the end of this process as from any failure. */
  public static void open(boolean open) {
    isOpen = open;
  }

  /** Whether {@link #open} has opened a run. */
  public static boolean isOpen() {
    return isOpen;
  }

  /** While the body of a Reinit run is entered, communicators that are not of its epoch are refused. */
  public static void bodyIsEntered(boolean entered) {
    if (entered) {
      job.suspend(
          "it takes no part in recoveries, and may contain spares, which wait for a failure: inside the body of a Reinit run "
              + "use run.world(), and communicators made from that");
    } else {
      job.resume();
    }
  }

  /** Records that an exception has ended a Reinit run here: MPI is probably about to be closed, which must not wait for ever. */
  public static void endsBy(Throwable thrown) {
    failure = thrown;
  }

  /** The exception that {@link #endsBy} was given, with its stack trace. */
  public static String traceOfFailure() {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    return trace.toString().strip();
  }

  /**
   * The deadline of a call that a process makes after an exception has ended its run: the call must not wait for ever.
   *
   * @return null if no exception has ended it, or if the user wants no limit
   */
  public static Deadline endDeadline(String call) {
    long seconds = JobConfig.FINALIZE_TIMEOUT_SECONDS.longValue();
    if (failure == null || seconds == 0) {
      return null;
    }
    return Deadline.beginEnd(seconds, "rank " + rank + ": " + call + " has not returned for " + seconds + " s (-D"
        + JobConfig.FINALIZE_TIMEOUT_SECONDS.property() + "): other ranks do not finish. This process ends; its Reinit run "
        + "had ended with " + traceOfFailure());
  }
}
