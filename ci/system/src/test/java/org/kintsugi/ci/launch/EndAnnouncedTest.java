// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.examples.persist.Heat;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** A signal announces the end of a job: programs save and end with 75, and another start has the undisturbed answer. */
@Tag("flavours")
class EndAnnouncedTest {
  private static final long LIMIT_SECONDS = 120;

  @TempDir
  private Path folder;

  /** The signal comes twice, as a batch system may send it, while the job starts. */
  private String run(String name, boolean isAnnounced, int code, List<String> options, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip();
    Path output = folder.resolve(name);
    List<String> line = RankJob.jmpirun(mpi);
    line.addAll(List.of("-n", "2", "--restart", "--timeout", "90"));
    line.addAll(options);
    line.add("-XX:TieredStopAtLevel=1"); // soon at an end
    line.addAll(RankJob.classes(mpi));
    line.add(main.getName());
    line.addAll(List.of(arguments));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      for (int times = 0; isAnnounced && times < 2; times++) {
        while (!hasStartedJob(process)) { // before it is ready the signal ends it, as any other process
          assertThat(process.isAlive()).as(() -> read(output)).isTrue();
          TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(new ProcessBuilder("kill", "-USR1", String.valueOf(process.pid())).start().waitFor()).isZero();
      }
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
    } finally {
      process.destroy();
    }
    String printed = read(output);
    assertThat(process.exitValue()).as(printed).isEqualTo(code);
    return printed;
  }

  /** Whether there is a process of mpirun, whose program has the name prte (ULFM) or orterun (the fork). */
  private static boolean hasStartedJob(Process process) {
    return process.descendants().anyMatch(child -> child.info().command().orElse("").matches(".*/(prte|orterun)"));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param settings the beginning of the settings for what a run leaves to the next one
   * @param store what keeps it
   * @param answer words of the line that must be the same
   */
  private void assertGoesOn(String settings, String store, String answer, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    String name = main.getSimpleName();
    String undisturbed = run(name + "-undisturbed", false, 0, List.of(), main, arguments);
    List<String> options = List.of("-D" + settings + ".store=" + store, "-D" + settings + ".dir=" + folder.resolve("left"));
    String ended = run(name + "-ended", true, ExitCodes.RESTART, options, main, arguments);
    assertThat(ended).containsOnlyOnce("the end of the job's time is announced").contains("the program ends the job")
        .doesNotContain("starting it again", answer);
    String last = run(name + "-goes-on", false, 0, options, main, arguments);
    assertThat(last).containsPattern("goes on from (version|step) [1-9]");
    assertThat(last.lines().filter(line -> line.contains(answer)).map(EndAnnouncedTest::withoutTimes).toList())
        .isEqualTo(undisturbed.lines().filter(line -> line.contains(answer)).map(EndAnnouncedTest::withoutTimes).toList())
        .hasSize(1);
  }

  private static String withoutTimes(String line) {
    return line.replaceAll(", [0-9.]+ s$", "");
  }

  /** The last save goes to files, although it is not their turn. */
  @Test
  void hpccg() throws IOException, InterruptedException {
    assertGoesOn("kintsugi.checkpoint", "memory,file:1000", "final residual", Hpccg.class, "16", "16", "16", "--iterations",
        "3000",
        "--checkpoint-every", "20");
  }

  @Test
  void heat() throws IOException, InterruptedException {
    assertGoesOn("kintsugi.persist", "file", "hash", Heat.class, "200", "200", "2500", "--interval", "50");
  }
}
