// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Mpi;

/** The real jmpirun as a process, ended in every way there is: its exit code, and that no process and no file is left. */
class NothingIsLeftTest {
  private static final int RANKS = 2;
  private static final int SIGKILL = 9;
  private static final int SIGSTOP = 19;
  private static final int LIMIT_SECONDS = 30;

  @TempDir
  private Path folder;

  private final List<Path> before = sharedMemory();
  private Process jmpirun;

  /** Runs in the ranks: says that it is there, then waits to be ended. */
  static final class Waits {
    public static void main(String[] args) throws IOException, InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        Files.createFile(Path.of(args[0], "rank-" + mpi.world().rank()));
        Thread.sleep(TimeUnit.SECONDS.toMillis(2 * LIMIT_SECONDS));
      }
    }
  }

  /** Runs in the ranks: knows nothing of MPI. */
  static final class Plain {
    public static void main(String[] args) throws IOException {
      Files.createFile(Path.of(args[0], "rank-" + System.getenv("OMPI_COMM_WORLD_RANK")));
    }
  }

  /** Runs in the ranks: one of them fails. */
  static final class Throws {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        if (mpi.world().rank() == 1) {
          throw new IllegalStateException("on purpose");
        }
      }
    }
  }

  /** The temporary folder of the job is below the test's own, so that what is left is seen there. */
  @BeforeEach
  void makeFolders() throws IOException {
    Files.createDirectory(folder.resolve("tmp"));
  }

  @AfterEach
  void endWhatATestLeft() {
    ours().forEach(ProcessHandle::destroyForcibly);
  }

  private void start(Class<?> program, String... options) throws IOException {
    List<String> line = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(),
        "-Djava.io.tmpdir=" + folder.resolve("tmp"), "-cp", System.getProperty("java.class.path"),
        "org.kintsugi.launch.Jmpirun", "-n", String.valueOf(RANKS)));
    line.addAll(List.of(options));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName(), folder.toString()));
    jmpirun = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(folder.resolve("output").toFile()).start();
  }

  private void awaitRanks() throws InterruptedException, IOException {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    for (int rank = 0; rank < RANKS; rank++) {
      while (!Files.exists(folder.resolve("rank-" + rank))) {
        assertThat(System.nanoTime() - limit).as("rank %d did not start: %s", rank, output()).isNegative();
        Thread.sleep(20);
      }
    }
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output"));
  }

  /** This test's processes: they have its folder on their command lines. */
  private List<ProcessHandle> ours() {
    return ProcessHandle.allProcesses().filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(process -> commandLine(process).contains(folder.toString())).collect(Collectors.toList());
  }

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    } catch (IOException gone) {
      return "";
    }
  }

  private List<ProcessHandle> ranks() {
    return mpirun().children().collect(Collectors.toList());
  }

  private ProcessHandle mpirun() {
    return jmpirun.children().findFirst().orElseThrow();
  }

  private void assertEnd(int exitCode) throws InterruptedException, IOException {
    assertThat(jmpirun.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("jmpirun ends: %s", output()).isTrue();
    assertThat(jmpirun.exitValue()).as(output()).isEqualTo(exitCode);
    // A killed process is gone a moment after the signal.
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    while (!ours().isEmpty() && System.nanoTime() - limit < 0) {
      Thread.sleep(20);
    }
    assertThat(ours().stream().map(NothingIsLeftTest::commandLine)).isEmpty();
    try (Stream<Path> left = Files.list(folder.resolve("tmp"));
        Stream<Path> memory = Files.list(Path.of("/dev/shm"))) {
      assertThat(left.filter(path -> path.getFileName().toString().startsWith("kintsugi-job-"))).isEmpty();
      assertThat(memory.filter(path -> !before.contains(path))
          .filter(path -> path.getFileName().toString().startsWith("kintsugi-job-"))).isEmpty();
    }
  }

  private static List<Path> sharedMemory() {
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      return files.collect(Collectors.toList());
    } catch (IOException noSharedMemory) {
      return List.of();
    }
  }

  @ParameterizedTest(name = "signal {0}")
  @CsvSource({"1, 129", "2, 130", "15, 143"})
  void aSignalToTheLauncherEndsAll(int signal, int exitCode) throws IOException, InterruptedException {
    start(Waits.class);
    awaitRanks();
    assertThat(Kintsugi.kintsugi_kill((int) jmpirun.pid(), signal)).isZero();
    assertEnd(exitCode);
  }

  @Test
  void theRanksOfAKilledMpirunAreEnded() throws IOException, InterruptedException {
    start(Waits.class);
    awaitRanks();
    assertThat(mpirun().destroyForcibly()).isTrue();
    assertEnd(128 + SIGKILL);
  }

  @Test
  void aHungMpirunIsEndedHard() throws IOException, InterruptedException {
    start(Waits.class, "--timeout", "8");
    awaitRanks();
    assertThat(Kintsugi.kintsugi_kill((int) mpirun().pid(), SIGSTOP)).isZero();
    assertEnd(124);
  }

  @Test
  void aJobThatHasDiedOutHasNotSucceeded() throws IOException, InterruptedException {
    start(Waits.class);
    awaitRanks();
    List<ProcessHandle> ranks = ranks();
    assertThat(ranks).hasSize(RANKS);
    ranks.forEach(ProcessHandle::destroyForcibly);
    assertEnd(128 + SIGKILL);
    assertThat(output()).contains("all processes of the job have died");
  }

  @Test
  void anExceptionInOneRankIsAFailure() throws IOException, InterruptedException {
    start(Throws.class);
    assertEnd(1);
    assertThat(output()).contains("on purpose");
  }

  @Test
  void aProgramWithoutMpiSucceeds() throws IOException, InterruptedException {
    start(Plain.class);
    assertEnd(0);
    awaitRanks();
  }
}
