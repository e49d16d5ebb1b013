// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

/** What to do when more processes have died than spares are left. */
public enum Policy {
  /** Start new processes ({@code MPI_Comm_spawn}); they take the free places. */
  SPAWN,
  /** Go on with fewer: ranks are renumbered without gaps, and {@link Run#isShrunk} tells the body. */
  SHRINK,
  /** End every process with exit code {@value Reinit#RESTART_CODE}: {@code jmpirun --restart} starts the job again. */
  RESTART
}
