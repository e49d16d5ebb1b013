// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

/**
 * The reaction to more failures than there are spares. On the Reinit++ fork there is none: its runtime always starts a process
 * anew.
 */
public enum Policy {
  /**
   * Wait for new processes, which take the free places: {@code jmpirun} has them started, each on its own. A new process runs
   * the program from its start. Where none can come, this is {@link #RESTART}: in a later run of a program than its first,
   * with {@code --refill=false}, and without jmpirun.
   */
  SPAWN,
  /**
   * Start new processes by {@code MPI_Comm_spawn}, all together, in the middle of the recovery: "ULFM, non-shrinking" of the
   * benchmark suite MATCH, for comparison with it. Spares are not filled up again. Another death meanwhile may end the job. In a
   * later run than the program's first, this is {@link #RESTART}.
   */
  SPAWN_TOGETHER,
  /** Go on with fewer ranks: they are renumbered without gaps, and {@link Run#isShrunk} is true in the body. */
  SHRINK,
  /**
   * End every process with exit code {@value org.kintsugi.mpi.Mpi#RESTART_CODE}: {@code jmpirun
   * --restart} starts the job again.
   */
  RESTART
}
