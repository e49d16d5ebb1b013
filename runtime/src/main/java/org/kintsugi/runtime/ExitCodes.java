// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

/** Exit codes of processes and jobs that mean something to others. */
public final class ExitCodes {
  /** The ranks of a communicator did not call the same collective, and the launcher has ended the job ({@code --check}). */
  public static final int DIFFERENT_CALLS = 1;

  /** The job could not recover in place: start it again. EX_TEMPFAIL of sysexits.h. */
  public static final int RESTART = 75;

  /** The job ran into its time limit, as timeout(1) has it. */
  public static final int TIMED_OUT = 124;

  /** A process that a signal has ended: this and the signal's number, as shells have it. */
  public static final int BY_SIGNAL = 128;

  /** No process of the job came to the end of MPI: the code of a process that got a SIGKILL. */
  public static final int DIED_OUT = BY_SIGNAL + SignalNumbers.SIGKILL;

  private ExitCodes() {}
}
