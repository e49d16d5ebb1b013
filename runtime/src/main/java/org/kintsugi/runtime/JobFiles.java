// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

/** Names of the files that ranks leave in the job's folder for the launcher. */
public final class JobFiles {
  /** A process is about to begin MPI. */
  public static final String BEGUN = "mpi-begun";

  /** A process has left MPI in order. */
  public static final String FINISHED = "mpi-finished";

  /** A process ends the job, with the exit code that is in the file. */
  public static final String ABORTED = "mpi-aborted";

  private JobFiles() {}
}
