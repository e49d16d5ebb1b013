// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.nio.file.Path;
import java.util.List;
import org.kintsugi.examples.experiments.revoke.RevokeMeasurement;
import org.kintsugi.examples.experiments.revoke.RevokeMeasurement.Latencies;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;

/**
 * Runs in the ranks: latencies of collectives before, during and after a revocation, in Java and in C, by turns in the same job.
 *
 * <p>The median of the repetitions is printed. (The paper has the mean, and so has {@code kintsugi experiment revoke}: with more
 * ranks than cores a few repetitions last for a slice of the scheduler.)
 */
final class RevokeBench {
  /** 0: a barrier; otherwise an allreduce of this number of doubles. */
  private static final int[] COUNTS = {0, 1, 1 << 10, 1 << 17};
  private static final double SECONDS = 30;

  private RevokeBench() {}

  /**
   * Prints one line for each figure: {@code name<TAB>variant<TAB>microseconds<TAB>ratio}.
   *
   * @param args the number of repetitions
   */
  public static void main(String[] args) {
    int repetitions = Integer.parseInt(args[0]);
    try (Mpi mpi = Mpi.init(args)) {
      Comm world = mpi.world();
      for (int count : COUNTS) {
        measure(world, count, 0, repetitions);
      }
      for (int initiator : new int[] {world.size() / 2, world.size() - 1}) {
        measure(world, 0, initiator, repetitions);
      }
    }
  }

  private static void measure(Comm world, int count, int initiator, int repetitions) {
    try (RevokeMeasurement measurement =
        new RevokeMeasurement(world, count, initiator, Path.of(System.getProperty("kintsugi.twins")))) {
      var latencies = measurement.measure(repetitions, SECONDS);
      if (world.rank() == 0) {
        print((count == 0 ? "barrier" : "allreduce " + 8L * count + " B") + ", initiator " + initiator + ", ",
            latencies.get(RevokeMeasurement.C), latencies.get(RevokeMeasurement.JAVA));
      }
    }
  }

  private static void print(String name, Latencies inC, Latencies inJava) {
    List<String> steps = RevokeMeasurement.STEPS;
    for (int step = 0; step < steps.size(); step++) {
      System.out.printf("%s%s\tC\t%.2f\t1%n", name, steps.get(step), inC.medians()[step]);
      System.out.printf("%s%s\tJava\t%.2f\t%.3f%n", name, steps.get(step), inJava.medians()[step],
          inJava.medians()[step] / inC.medians()[step]);
    }
  }
}
