// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kintsugi.ci.bench.RecoveryBench;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.TemporaryFolder;

/** Jobs with process failures in C and in Java, whose calls of MPI steps.c writes down. */
final class GrowthJobs {
  /** Process failures of a job, each with a spare of its own. */
  static final int FAILURES = 2;

  private static final int ITERATIONS = 200;

  private final MpiHome mpi;
  private final Path natives;
  private final List<String> jvmOptions;

  /** Jobs of the twin and the library that a checkout has built. */
  GrowthJobs(Path checkout, List<String> jvmOptions) {
    this.mpi = MpiHome.find(null, Flavour.ULFM, System.getenv());
    natives = checkout.resolve("native/target/cmake-" + Flavour.ULFM).toAbsolutePath();
    this.jvmOptions = jvmOptions;
  }

  /** The recoveries of one job. */
  List<MeasuredRecovery> run(boolean isJava, int ranks) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-growth-")) {
      Path steps = folder.path().resolve("steps");
      try (RandomAccessFile file = new RandomAccessFile(steps.toFile(), "rw")) {
        file.setLength(StepFile.bytes(ranks + FAILURES));
      }
      RecoveryBench bench = new RecoveryBench(mpi, natives.resolve("bin/repair"), ranks, FAILURES, ITERATIONS).withoutRefill()
          .jvm(jvmOptions)
          .mpirun(List.of("-x", "LD_PRELOAD=" + natives.resolve("lib/libkintsugi_twins_steps.so"), "-x",
              "KINTSUGI_STEPS=" + steps));
      if (isJava) {
        bench.java(FAILURES);
      } else {
        bench.c();
      }
      return MeasuredRecovery.of(StepFile.read(steps), FAILURES);
    }
  }

  /** The recoveries of some jobs of each language, by turns: what disturbs one disturbs the other as well. */
  List<Measurement> measure(int ranks, int jobs) throws IOException {
    List<MeasuredRecovery> c = new ArrayList<>();
    List<MeasuredRecovery> java = new ArrayList<>();
    for (int job = 0; job < jobs; job++) {
      c.addAll(run(false, ranks));
      java.addAll(run(true, ranks));
    }
    return List.of(Measurement.of(Growth.C, c), Measurement.of(Growth.JAVA, java));
  }
}
