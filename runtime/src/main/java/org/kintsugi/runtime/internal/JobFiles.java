// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

/** Names of the files in a job's folder: those that ranks leave for the launcher, and its own. */
public final class JobFiles {
  /** A process is about to begin MPI. */
  public static final String BEGUN = "mpi-begun";

  /** A process has left MPI in order. */
  public static final String FINISHED = "mpi-finished";

  /** A process ends the job, with the exit code that is in the file. */
  public static final String ABORTED = "mpi-aborted";

  /**
   * A process ends by itself after it has left MPI. The name's beginning; the process's rank
   * follows.
   */
  public static final String EXITED = "mpi-exited";

  /** Of the launcher: where it listens, and the job's secret, for {@code jmpirun --stacks}. */
  public static final String ADDRESS = "launcher-address";

  private JobFiles() {}
}
