// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** A program that is started as any Java program, without jmpirun, runs: one process, which nothing protects. */
class AloneTest {
  private static final long LIMIT_SECONDS = 60;

  @TempDir
  private Path folder;

  /** The program: it sums, saves and restores; with a second argument the body throws that. */
  static final class Program {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        long[] sum = new long[1];
        Reinit.run(mpi, run -> {
          run.checkpoint().protect("sum", sum);
          run.checkpoint().restore();
          for (long i = 0; i < 5; i++) {
            run.iteration(i);
            sum[0] += run.world().allReduce(i, Op.SUM);
            run.checkpoint().save(i + 1);
          }
          sum[0] = -1;
          assertThat(run.checkpoint().restore()).hasValue(5);
          if (args.length > 1) {
            throw new IOException(args[1]);
          }
        });
        RankJob.report(args[0], "sum", String.valueOf(sum[0]));
      }
    }
  }

  private static Set<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("sm_segment.")).collect(Collectors.toSet());
    }
  }

  /** Segments of other tests, which run at the same time, go when their jobs end. */
  private static void assertGoes(Set<Path> segments) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (segments.stream().anyMatch(Files::exists) && System.nanoTime() - until < 0) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(segments).as("shared memory that is left").noneMatch(Files::exists);
  }

  private RankJob.Outcome run(String... arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    line.addAll(RankJob.javaArguments(RankJob.mpiOrSkip(Flavour.ULFM), folder, Program.class, arguments));
    Path output = RankJob.Outcome.outputIn(folder);
    Set<Path> before = segments();
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("PMIX_") || name.startsWith("OMPI_"));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as(() -> text(output)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    Set<Path> left = segments();
    left.removeAll(before);
    assertGoes(left);
    return RankJob.Outcome.of(process.exitValue(), folder);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void entersTheBodyOnceAndSaysThatNothingProtectsIt() throws IOException, InterruptedException {
    RankJob.Outcome outcome = run();
    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("sum", "10");
    assertThat(outcome.output()).containsOnlyOnce("nothing protects it").contains("jmpirun");
  }

  @Test
  void throwsWhatTheBodyThrows() throws IOException, InterruptedException {
    RankJob.Outcome outcome = run("no such input");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(1);
    assertThat(outcome.output()).contains("java.io.IOException: no such input");
  }
}
