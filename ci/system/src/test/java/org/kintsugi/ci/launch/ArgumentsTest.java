// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** Words of a command line of {@code jmpirun} that mpirun, a shell or the JVM could take for something else. */
@Tag("flavours")
class ArgumentsTest {
  private static final int LIMIT_SECONDS = 120;
  private static final int RANKS = 2;

  @TempDir
  private Path folder;

  /** Runs in the ranks: each process writes down its arguments and a property. */
  static final class Writes {
    public static void main(String[] args) throws IOException {
      StringBuilder all = new StringBuilder(System.getProperty("test.letters")).append('\n');
      for (int i = 1; i < args.length; i++) {
        args[i].chars().forEach(letter -> all.append(Integer.toHexString(letter)).append(' '));
        all.append('\n');
      }
      RankJob.report(args[0], "arguments-" + ProcessHandle.current().pid(), all.toString());
      int processes = Integer.getInteger("test.processes");
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          for (long i = run.checkpoint().restore().orElse(0); i < 4; i++) {
            run.iteration(i);
            run.checkpoint().save(i + 1);
            run.world().barrier();
          }
          long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS / 4);
          while (count(args[0]) < processes && System.nanoTime() - limit < 0) {
            run.poll();
            Thread.sleep(20);
          }
        });
      }
    }

    private static int count(String folder) {
      return new File(folder).list((in, name) -> name.contains("arguments-")).length;
    }
  }

  /** In the locale of batch systems; with bytes that are text in no locale, of which a JVM makes U+FFFD. */
  @Test
  void areWhatWasTypedInAllProcesses() throws IOException, InterruptedException {
    // A spare takes the failed process's place, and on ULFM another spare is started.
    int processes = RANKS + (RankJob.flavour() == Flavour.ULFM ? 2 : 1);
    Path checkpoints = folder.resolve("\u00fc\u6f22");
    List<String> line = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" \"$(printf 'x\\374')\"", "sh",
        Checkout.FOLDER.resolve("bin/jmpirun").toString(), "--mpi", RankJob.mpiOrSkip().prefix().toString(), "-n",
        String.valueOf(RANKS),
        "--spares", "1", "--kill", "process:1@2", "--timeout", String.valueOf(LIMIT_SECONDS), "-Dtest.letters=\u00fc\u6f22",
        "-Dtest.processes=" + processes,
        "-Dkintsugi.checkpoint.store=file", "-D" + CheckpointConfig.DIR.property() + "=" + checkpoints));
    String[] words =
        {":", "-n", "1", "echo", "hi", "--mca", "5", "", "a b", "it's", "*", "@x", "$HOME", "a\nb\n", "\u00fc\u6f22", "-mca"};
    line.addAll(RankJob.javaArguments(RankJob.mpiOrSkip(), folder, Writes.class, words));
    Path output = RankJob.Outcome.outputIn(folder);
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("LC_ALL", "C");
    Process jmpirun = builder.start();
    assertThat(jmpirun.waitFor(2L * LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    RankJob.Outcome outcome = RankJob.Outcome.of(jmpirun.exitValue(), folder).assertSuccess();
    Map<String, String> reports = new TreeMap<>(outcome.reports());
    assertThat(reports).as(outcome.output()).hasSizeGreaterThanOrEqualTo(processes);
    StringBuilder expected = new StringBuilder("\u00fc\u6f22\n");
    for (String word : words) {
      word.chars().forEach(letter -> expected.append(Integer.toHexString(letter)).append(' '));
      expected.append('\n');
    }
    assertThat(reports.values()).containsOnly(expected + "78 fffd \n");
    assertThat(checkpoints).isNotEmptyDirectory();
    assertThat(Files.list(folder).map(file -> file.getFileName().toString())).as("no other folder").noneMatch(
        name -> name.contains("?") || name.contains("\ufffd"));
  }

  /** Started by MPI_Comm_spawn, in place of a failed one. */
  @Test
  @Tag("once")
  void areWhatWasTypedInSpawnedProcesses() {
    RankJob.assumeFlavour(Flavour.ULFM, "it has this policy");
    RankJob.Outcome outcome = RankJob.of(RANKS, 0).kill("process:1@2").jvm("-Dkintsugi.reinit.policy=SPAWN_TOGETHER",
        "-Dtest.letters=\u00fc", "-Dtest.processes=" + (RANKS + 1)).timeoutSeconds(LIMIT_SECONDS)
        .run(Writes.class, ":", "--mca", "5", "", "\u00fc", "x y", "-mca");
    outcome.assertSuccess();
    assertThat(outcome.reports()).hasSizeGreaterThan(RANKS);
    assertThat(outcome.reports().values()).containsOnly("\u00fc\n3a \n2d 2d 6d 63 61 \n35 \n\nfc \n78 20 79 \n2d 6d 63 61 \n");
  }
}
