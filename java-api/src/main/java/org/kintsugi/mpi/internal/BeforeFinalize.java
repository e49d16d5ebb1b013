// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Actions before {@code MPI_Finalize}, while all communicators still work. Packages above {@code org.kintsugi.mpi} register
 * them, so that it need not know those packages.
 */
public final class BeforeFinalize {
  private static final List<Runnable> TASKS = new ArrayList<>();

  private BeforeFinalize() {}

  /** Registers a task; tasks run in this order, once. */
  public static synchronized void add(Runnable task) {
    TASKS.add(task);
  }

  /** Runs all. */
  public static synchronized void run() {
    for (Runnable task : TASKS) {
      task.run();
    }
    TASKS.clear();
  }
}
