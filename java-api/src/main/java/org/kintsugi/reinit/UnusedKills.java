// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.util.ArrayList;
import java.util.List;
import org.kintsugi.mpi.internal.lifetime.BeforeFinalize;
import org.kintsugi.runtime.Kill;

/**
 * Warns of faults that were not injected: a job without them must not look like a success. A program may have several runs, and
 * a kill may strike in a later one, so the warning is printed as MPI ends, after the last run.
 */
final class UnusedKills implements Runnable {
  private static UnusedKills last; // guarded by the class

  private List<String> warnings = List.of();

  private UnusedKills() {}

  /** A run has ended on this process. @param run its last epoch; null: this process has stayed a spare */
  static synchronized void note(EpochRun run) {
    if (last == null) {
      last = new UnusedKills();
      BeforeFinalize.add(last);
    }
    List<String> all = new ArrayList<>();
    Kill kill = run == null ? null : run.nextKill();
    if (kill != null) {
      all.add("kintsugi: the injected kill " + kill + " never struck: the run has ended, and the last iteration that rank "
          + kill.rank() + " named with run.iteration was " + (run.lastIteration() < 0 ? "none" : run.lastIteration()));
    }
    for (Kill left : run == null ? List.<Kill>of() : run.killsWithoutRank()) {
      all.add(
          "kintsugi: the injected kill " + left + " never struck: the run has shrunk, and ended without a rank " + left.rank());
    }
    last.warnings = all;
  }

  @Override
  public void run() {
    synchronized (UnusedKills.class) {
      warnings.forEach(System.err::println);
    }
  }
}
