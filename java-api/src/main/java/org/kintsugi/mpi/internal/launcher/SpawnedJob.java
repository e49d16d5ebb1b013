// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

import org.kintsugi.runtime.JobConfig;

/**
 * Whether the program has spawned this process ({@code Comm.spawn}). For the launcher spawned
 * processes are another job, but they may have the command line of the first job, with its folder
 * and key. They must not write files there: jmpirun would take them for files of the first job.
 */
final class SpawnedJob {
  private static final boolean IS_THIS = is(System.getenv("PMIX_NAMESPACE"), JobConfig.SPAWNED.booleanValue());

  private SpawnedJob() {}

  /** Whether this process was spawned by the program. */
  static boolean isThis() {
    return IS_THIS;
  }

  /**
   * Whether a namespace is that of a spawned job. Under mpirun the first job is
   * {@code prterun-name@1}. A persistent daemon of PRRTE ({@code prte}) numbers all jobs in the
   * same way, and does not tell which of them were spawned.
   *
   * @param isReplacement whether a recovery has started the process, which belongs to the run
   */
  static boolean is(String namespace, boolean isReplacement) {
    return namespace != null && namespace.startsWith("prterun-") && namespace.indexOf('@') > 0 && !namespace.endsWith("@1")
        && !isReplacement;
  }
}
