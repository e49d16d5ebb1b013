// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;

/** The least program with a Reinit run: all enter it, meet, and end. */
final class StartRanks {
  private StartRanks() {}

  /** Runs in the ranks. */
  public static void main(String[] args) {
    try (Mpi mpi = Mpi.init(args)) {
      Reinit.run(mpi, run -> run.world().barrier());
    }
  }
}
