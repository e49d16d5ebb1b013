// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

/**
 * This process's rank in the job that the launcher has started. It is known before MPI is
 * initialised.
 */
final class LaunchedRank {
  /** The rank; negative if no launcher has started this process. */
  static final int VALUE = value();

  private LaunchedRank() {}

  private static int value() {
    String launched = System.getenv("OMPI_COMM_WORLD_RANK");
    return launched == null ? -1 : Integer.parseInt(launched);
  }
}
