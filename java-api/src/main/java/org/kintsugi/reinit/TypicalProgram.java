// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;

/** Loads the classes that nearly every program does. The launcher runs it to have an archive of them written. */
final class TypicalProgram {
  private static final int STEPS = 2;

  private TypicalProgram() {}

  /** Runs in a rank. */
  public static void main(String[] args) {
    try (Mpi mpi = Mpi.init(args)) {
      Reinit.run(mpi, run -> {
        double[] x = new double[1];
        run.checkpoint().protect("x", x);
        for (long i = run.checkpoint().restore().orElse(0); i < STEPS; i++) {
          run.iteration(i);
          x[0] += run.world().allReduce(1.0, Op.SUM);
          run.checkpoint().save(i + 1);
        }
      });
    }
  }
}
