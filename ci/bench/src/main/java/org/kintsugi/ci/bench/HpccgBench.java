// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.util.Arrays;
import org.kintsugi.examples.hpccg.HpccgKernelTiming;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;

/**
 * Runs on two ranks: a pass of HPCCG (one iteration of the conjugate gradient method) in C and in Java, in turns, on 64 x 64 x 64
 * points per rank.
 */
final class HpccgBench {
  private static final int EDGE = 64;
  private static final int PASSES = 30;
  private static final int TURNS = 5;

  private HpccgBench() {}

  /** Prints the figures as MessageBench does. */
  public static void main(String[] args) {
    Twins.load();
    try (Mpi mpi = Mpi.init(args)) {
      Reinit.run(mpi, run -> {
        double[] c = new double[TURNS];
        double[] java = new double[TURNS];
        double[] ratio = new double[TURNS];
        HpccgKernelTiming.secondsPerPass(run, EDGE, PASSES);
        for (int turn = 0; turn < TURNS; turn++) {
          c[turn] = Twins.conjugateGradient(EDGE, EDGE, EDGE, PASSES);
          java[turn] = HpccgKernelTiming.secondsPerPass(run, EDGE, PASSES);
          ratio[turn] = java[turn] / c[turn];
        }
        if (run.world().rank() == 0) {
          for (double[] values : new double[][] {c, java, ratio}) {
            Arrays.sort(values);
          }
          System.out.printf("hpccg 64x64x64 pass\tC\t%.1f\t1.000%n", c[TURNS / 2] * 1e6);
          System.out.printf("hpccg 64x64x64 pass\tJava\t%.1f\t%.3f%n", java[TURNS / 2] * 1e6, ratio[TURNS / 2]);
        }
      });
    }
  }
}
