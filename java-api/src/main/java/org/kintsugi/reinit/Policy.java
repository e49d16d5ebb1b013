// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

/** What to do when more processes have died than spares are left. */
public enum Policy {
  /**
   * Start new processes, which take the free places: by {@code MPI_Comm_spawn} in the recovery, or, with {@code jmpirun
   * --refill}, by waiting for one that has been started on its own.
   */
  SPAWN,
  /** Go on with fewer: ranks are renumbered without gaps, and {@link Run#isShrunk} tells the body. */
  SHRINK,
  /** End every process with exit code {@value Reinit#RESTART_CODE}: {@code jmpirun --restart} starts the job again. */
  RESTART
}
