// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/**
 * Recoveries in C and in Java. Ranks meet in barriers, and one after the other kills itself.
 *
 * <p>Both programs are started by the same command line.
 */
public final class RecoveryBench {
  private static final List<String> OVER_TCP = List.of("--mca", "pmix_server_usock_connections", "0", "-x", "PMIX_MCA_ptl=tcp");

  private final MpiHome mpi;
  private final Path twin;
  private final int ranks;
  private final int kills;
  private final int iterations;
  private List<String> mpirunOptions = List.of();
  private List<String> jvmOptions = List.of();
  private boolean isRefilled = true;

  /**
   * Measures jobs in which a number of ranks die.
   *
   * @param twin native/twins/recovery.c, built; of the flavour ulfm repair.c
   * @param kills deaths in a job
   * @param iterations barriers before each, 2 ms apart
   */
  public RecoveryBench(MpiHome mpi, Path twin, int ranks, int kills, int iterations) {
    this.mpi = mpi;
    this.twin = twin;
    this.ranks = ranks;
    this.kills = kills;
    this.iterations = iterations;
  }

  /** The launcher's connection to its ranks over TCP, as the fork has it by itself, instead of jmpirun's Unix sockets. */
  public RecoveryBench overTcp() {
    mpirunOptions = OVER_TCP;
    return this;
  }

  /** With more options for mpirun, which C and Java get alike. */
  public RecoveryBench mpirun(List<String> options) {
    mpirunOptions = List.copyOf(options);
    return this;
  }

  /** Without new spares, whose start takes processors from a recovery soon after: the same steps as the twin's. */
  public RecoveryBench withoutRefill() {
    isRefilled = false;
    return this;
  }

  /** With options for the JVMs. */
  public RecoveryBench jvm(List<String> options) {
    jvmOptions = List.copyOf(options);
    return this;
  }

  /** One job in C; see {@link #java}. On the fork nothing waits: the twin is there at once. */
  public List<Double> c() throws IOException {
    return run(new JobSpec().java(twin).spares(mpi.flavour() == Flavour.ULFM ? kills : 0));
  }

  /**
   * One job in Java.
   *
   * @param warmJvms JVMs that wait to take a dead rank's place; under ULFM each takes one
   * @return for each death the milliseconds from the last barrier before it, as the last rank left that, to the moment when all
   *     were past the first collective of the next epoch
   */
  public List<Double> java(int warmJvms) throws IOException {
    return run(new JobSpec().spares(warmJvms));
  }

  private List<Double> run(JobSpec spec) throws IOException {
    try (TemporaryFolder temporary = TemporaryFolder.create("kintsugi-bench-")) {
      Path output = temporary.path().resolve("output");
      Path stamps = temporary.path().resolve("stamps");
      Files.write(stamps, new byte[Long.BYTES * (kills + 1) * ranks * RecoveryRanks.STAMPS]);
      // From jars, with an archive of classes, as users have it.
      spec.ranks(ranks).refill(isRefilled).mpirunOptions(mpirunOptions).classArchive(false).javaArguments(jvmOptions)
          .javaArguments(RankJob.classes(mpi)).javaArguments(List.of(RecoveryRanks.class.getName(), stamps.toString(),
              String.valueOf(kills), String.valueOf(iterations)));
      // Ten times what it should take.
      long seconds = 60 + kills * (5 + iterations / 50L);
      int code = new Job(spec, mpi).timeoutSeconds(seconds).outputTo(output).run();
      if (code != 0) {
        throw new IOException("recovery ended with " + code + ":\n" + Files.readString(output));
      }
      return recoveries(
          ByteBuffer.wrap(Files.readAllBytes(stamps)).order(ByteOrder.nativeOrder()).asLongBuffer());
    }
  }

  private List<Double> recoveries(LongBuffer stamps) throws IOException {
    List<Double> millis = new ArrayList<>();
    for (int epoch = 1; epoch <= kills; epoch++) {
      long well = latest(stamps, epoch - 1, RecoveryRanks.LAST_BARRIER);
      millis.add((latest(stamps, epoch, RecoveryRanks.FIRST_COLLECTIVE) - well) / 1e6);
    }
    return millis;
  }

  private long latest(LongBuffer stamps, int epoch, int stamp) throws IOException {
    long latest = Long.MIN_VALUE;
    for (int rank = 0; rank < ranks; rank++) {
      long nanos = stamps.get((epoch * ranks + rank) * RecoveryRanks.STAMPS + stamp);
      if (nanos == 0) {
        throw new IOException("rank " + rank + " has not reported its times of epoch " + epoch);
      }
      latest = Math.max(latest, nanos);
    }
    return latest;
  }
}
