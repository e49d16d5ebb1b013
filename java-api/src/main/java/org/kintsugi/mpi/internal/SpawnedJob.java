// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import org.kintsugi.runtime.JobConfig;

/**
 * Whether the program has spawned this process ({@code Comm.spawn}). The launcher counts spawned processes as another job, but
 * they may have the command line of the first one, with its folder and key. They must leave nothing there for jmpirun, which
 * would take it for the first job's.
 */
final class SpawnedJob {
  private static final boolean IS_THIS = is(System.getenv("PMIX_NAMESPACE"), JobConfig.SPAWNED.booleanValue());

  private SpawnedJob() {}

  /** Whether this process is one. */
  static boolean isThis() {
    return IS_THIS;
  }

  /**
   * Under mpirun the first job is {@code prterun-name@1}. A daemon of PRRTE that stays ({@code prte}) numbers all jobs in the
   * same way, and does not tell which of them were spawned.
   *
   * @param isReplacement whether a recovery has started the process, which belongs to the run
   */
  static boolean is(String namespace, boolean isReplacement) {
    return namespace != null && namespace.startsWith("prterun-") && namespace.indexOf('@') > 0 && !namespace.endsWith("@1")
        && !isReplacement;
  }
}
