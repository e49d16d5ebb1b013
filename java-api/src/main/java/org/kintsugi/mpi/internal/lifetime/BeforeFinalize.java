// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.lifetime;

import java.util.ArrayList;
import java.util.List;

/**
 * Actions before {@code MPI_Finalize}, while all communicators still work. Packages that use
 * {@code org.kintsugi.mpi} register them, so that it does not depend on those packages.
 */
public final class BeforeFinalize {
  private static final List<Runnable> TASKS = new ArrayList<>();

  private BeforeFinalize() {}

  /** Registers a task. Tasks run once, in the order of their registration. */
  public static synchronized void add(Runnable task) {
    TASKS.add(task);
  }

  /** Runs all tasks. */
  public static synchronized void run() {
    for (Runnable task : TASKS) {
      task.run();
    }
    TASKS.clear();
  }
}
