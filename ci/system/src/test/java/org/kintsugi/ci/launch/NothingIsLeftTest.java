// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.ci.ranks.ProcFiles;
import org.kintsugi.ci.ranks.Waiting;
import org.kintsugi.launch.Jmpirun;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/** The real jmpirun as a process, ended in every way there is: its exit code, and that no process and no file is left. */
class NothingIsLeftTest {
  private static final int RANKS = 2;
  private static final int LIMIT_SECONDS = 60;
  /** The limit of a job that is to reach it: its ranks must have started by then, on a busy machine as well. */
  private static final String TIMEOUT_SECONDS = "15";
  private static final int FAILURE = 3;

  @TempDir
  private Path folder;

  private Process jmpirun;

  /** Runs in the ranks: reports its start, then waits for its end or for a file. */
  static final class Waits {
    public static void main(String[] args) throws IOException, InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        Files.createFile(Path.of(args[0], "rank-" + mpi.world().rank()));
        waitFor(Path.of(args[0], "go-on"));
      }
    }

    static void waitFor(Path file) throws InterruptedException {
      long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(3 * LIMIT_SECONDS);
      while (!Files.exists(file) && System.nanoTime() - limit < 0) {
        Thread.sleep(50);
      }
    }
  }

  /** Runs in the ranks: rank 0 waits in MPI_Init for the other, which never goes there. */
  static final class WaitsInInit {
    public static void main(String[] args) throws IOException, InterruptedException {
      int rank = Integer.parseInt(System.getenv("OMPI_COMM_WORLD_RANK"));
      Files.createFile(Path.of(args[0], "rank-" + rank));
      if (rank == 0) {
        Mpi.init(args).close();
      } else {
        Waits.waitFor(Path.of(args[0], "go-on"));
      }
    }
  }

  /** Runs in the ranks: they start processes that are no longer connected with them. */
  static final class LeavesChildren {
    public static void main(String[] args) throws IOException {
      new ProcessBuilder("setsid", "sh", "-c", "sleep 300; exit", args[0]).inheritIO()
          .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }
  }

  /** Runs in the ranks: one rank ends with a special exit code. */
  static final class Exits {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        if (mpi.world().rank() == 1) {
          System.exit(FAILURE);
        }
        mpi.world().barrier();
      }
    }
  }

  /** Runs in the ranks: one of them ends the job, for which the others wait. */
  static final class Aborts {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        if (mpi.world().rank() == 1) {
          mpi.abort(FAILURE);
        }
        mpi.world().barrier();
      }
    }
  }

  /** Runs in the ranks: all end as if they were through, within MPI, when none is in MPI_Init any more. */
  static final class ForgetsToClose {
    public static void main(String[] args) {
      Mpi mpi = Mpi.init(args);
      Meeting.of(args[0], "has-left-mpi-init", mpi.world().rank(), RANKS);
      System.exit(0);
    }
  }

  /** Runs in the ranks: knows nothing of MPI. */
  static final class Plain {
    public static void main(String[] args) throws IOException {
      Files.writeString(Path.of(args[0], "rank-" + System.getenv("OMPI_COMM_WORLD_RANK")), System.getenv("TMPDIR"));
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

  @BeforeEach
  void makeFolders() throws IOException {
    Files.createDirectory(folder.resolve("tmp"));
    Files.createDirectory(folder.resolve("users"));
  }

  @AfterEach
  void endWhatATestLeft() {
    ours().forEach(ProcessHandle::destroyForcibly);
  }

  /** The launcher in a JVM that goes on for a while after a signal: time to do something wrong. */
  static final class SlowToEnd {
    public static void main(String[] args) {
      Runtime.getRuntime().addShutdownHook(new Thread(SlowToEnd::linger));
      Jmpirun.main(args);
    }

    private static void linger() {
      try {
        Thread.sleep(8000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void start(Class<?> program, String... options) throws IOException {
    jmpirun = started(Jmpirun.class, program, folder, options);
  }

  private Process started(Class<?> launcher, Class<?> program, Path messages, String... options) throws IOException {
    // As at a terminal: a process group of its own, and no signal ignored, which what runs in the background may inherit.
    List<String> line = new ArrayList<>(List.of("env", "--default-signal=HUP,INT", "setsid",
        ProcessHandle.current().info().command().orElseThrow(),
        "-Djava.io.tmpdir=" + folder.resolve("tmp"), "-cp", System.getProperty("java.class.path"),
        launcher.getName(), "-n", String.valueOf(RANKS)));
    line.addAll(List.of(options));
    line.addAll(RankJob.javaArguments(RankJob.mpiOrSkip(), messages, program));
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.environment().put("TMPDIR", folder.resolve("users").toString());
    return builder.redirectOutput(messages.resolve("output").toFile()).start();
  }

  private void awaitRanks() throws InterruptedException, IOException {
    awaitRanks(folder);
  }

  private void awaitRanks(Path messages) throws InterruptedException, IOException {
    for (int rank = 0; rank < RANKS; rank++) {
      Path file = messages.resolve("rank-" + rank);
      await(() -> Files.exists(file), LIMIT_SECONDS, "rank starts");
    }
  }

  private void await(Waiting.Condition<RuntimeException> isThere, int seconds, String what)
      throws InterruptedException, IOException {
    Waiting.until(what, seconds, isThere, this::output);
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
    return ProcFiles.read(process.pid(), "cmdline");
  }

  private List<ProcessHandle> ranks() {
    return mpirun().children().collect(Collectors.toList());
  }

  private ProcessHandle mpirun() {
    return jmpirun.children().filter(child -> !commandLine(child).contains("watchdog.sh")).findFirst().orElseThrow();
  }

  private ProcessHandle guard() {
    return jmpirun.children().filter(child -> commandLine(child).contains("watchdog.sh")).findFirst().orElseThrow();
  }

  private void assertEnd(int exitCode) throws InterruptedException, IOException {
    assertThat(jmpirun.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("jmpirun ends: %s", output()).isTrue();
    assertThat(jmpirun.exitValue()).as(output()).isEqualTo(exitCode);
    assertThat(ours().stream().map(NothingIsLeftTest::commandLine)).isEmpty();
    assertThat(jobFolders()).isEmpty();
    assertThat(folder.resolve("users")).isEmptyDirectory();
  }

  /**
   * The folders of the test's launcher: the temporary ones are below the test's own folder, the others have its id in their
   * names.
   */
  private List<Path> jobFolders() {
    try (Stream<Path> temporary = Files.list(folder.resolve("tmp")); Stream<Path> memory = Files.list(Path.of("/dev/shm"))) {
      return Stream.concat(temporary, memory)
          .filter(path -> path.getFileName().toString().startsWith("kintsugi-job-" + jmpirun.pid() + "-"))
          .collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends it as the terminal does. */
  private void signalGroup(int signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, "--", "-" + jmpirun.pid()).start().waitFor();
  }

  @ParameterizedTest(name = "signal {0}")
  @CsvSource("15, 143")
  void aSignalToTheLauncherEndsAll(int signal, int exitCode) throws IOException, InterruptedException {
    start(Waits.class);
    awaitRanks();
    assertThat(Kintsugi.kintsugi_kill((int) jmpirun.pid(), signal)).isZero();
    assertEnd(exitCode);
  }

  @Tag("series")
  @ParameterizedTest(name = "signal {0}")
  @CsvSource({"1, 129", "2, 130"})
  void anotherSignalToTheLauncherEndsAll(int signal, int exitCode) throws IOException, InterruptedException {
    aSignalToTheLauncherEndsAll(signal, exitCode);
  }

  @Test
  void twiceTheInterruptKeyEndsAll() throws IOException, InterruptedException {
    start(Waits.class);
    awaitRanks();
    signalGroup(SignalNumbers.SIGINT);
    Thread.sleep(50);
    signalGroup(SignalNumbers.SIGINT);
    assertEnd(128 + SignalNumbers.SIGINT);
  }

  @Test
  void aSignalWhileTheJobStartsEndsAll() throws IOException, InterruptedException {
    start(Waits.class);
    await(() -> !jobFolders().isEmpty(), LIMIT_SECONDS, "first folder");
    assertThat(Kintsugi.kintsugi_kill((int) jmpirun.pid(), SignalNumbers.SIGTERM)).isZero();
    assertEnd(128 + SignalNumbers.SIGTERM);
  }

  @Test
  void aJobThatIsEndedBySignalIsNotStartedAgain() throws IOException, InterruptedException {
    jmpirun = started(SlowToEnd.class, Waits.class, folder, "--restart");
    awaitRanks();
    // Such a mpirun has to be killed, and that looks like a failure to begin again after.
    assertThat(Kintsugi.kintsugi_kill((int) mpirun().pid(), SignalNumbers.SIGSTOP)).isZero();
    assertThat(Kintsugi.kintsugi_kill((int) jmpirun.pid(), SignalNumbers.SIGTERM)).isZero();
    assertEnd(128 + SignalNumbers.SIGTERM);
    assertThat(output()).doesNotContain("again");
  }

  @ParameterizedTest(name = "with its process group: {0}")
  @ValueSource(booleans = {false, true})
  void theJobOfAKilledLauncherIsEnded(boolean group) throws IOException, InterruptedException {
    start(Waits.class);
    awaitRanks();
    if (group) {
      signalGroup(SignalNumbers.SIGKILL);
    } else {
      jmpirun.destroyForcibly();
    }
    assertEndOfAKilledLauncher();
  }

  @Test
  void theJobOfAKilledLauncherIsEndedHardIfItsMpirunHangs() throws IOException, InterruptedException {
    start(Waits.class);
    awaitRanks();
    assertThat(Kintsugi.kintsugi_kill((int) mpirun().pid(), SignalNumbers.SIGSTOP)).isZero();
    assertThat(Kintsugi.kintsugi_kill((int) jmpirun.pid(), SignalNumbers.SIGKILL)).isZero();
    assertEndOfAKilledLauncher();
  }

  private void assertEndOfAKilledLauncher() throws IOException, InterruptedException {
    assertThat(jmpirun.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    await(() -> ours().isEmpty() && jobFolders().isEmpty(), LIMIT_SECONDS, "end of the job");
    assertEnd(128 + SignalNumbers.SIGKILL);
  }

  @Test
  void aLauncherWithoutItsGuardStillCleansUp() throws IOException, InterruptedException {
    start(Waits.class);
    awaitRanks();
    assertThat(guard().destroyForcibly()).isTrue();
    assertThat(Kintsugi.kintsugi_kill((int) jmpirun.pid(), SignalNumbers.SIGTERM)).isZero();
    assertEnd(128 + SignalNumbers.SIGTERM);
  }

  /** One of them is ended by its launcher. */
  @ParameterizedTest(name = "signal {0}")
  @ValueSource(ints = SignalNumbers.SIGTERM)
  void jobsAtTheSameTimeLeaveEachOtherAlone(int signal) throws IOException, InterruptedException {
    Path messages = Files.createDirectory(folder.resolve("other"));
    Process other = started(Jmpirun.class, Waits.class, messages, "--stall", "0"); // it is to print nothing
    start(Waits.class);
    awaitRanks(messages);
    awaitRanks();
    assertThat(Kintsugi.kintsugi_kill((int) jmpirun.pid(), signal)).isZero();
    assertThat(jmpirun.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    await(() -> jobFolders().isEmpty(), LIMIT_SECONDS, "end of one job");
    Files.createFile(messages.resolve("go-on"));
    assertThat(other.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(messages.resolve("output"))).isEmpty();
    assertThat(other.exitValue()).isZero();
    assertThat(ours()).isEmpty();
    assertThat(folder.resolve("tmp")).isEmptyDirectory();
  }

  /** By its guard. */
  @Tag("series")
  @ParameterizedTest(name = "signal {0}")
  @ValueSource(ints = SignalNumbers.SIGKILL)
  void aKilledLauncherLeavesTheOtherJobAlone(int signal) throws IOException, InterruptedException {
    jobsAtTheSameTimeLeaveEachOtherAlone(signal);
  }

  @Test
  void whatRanksHaveStartedIsEndedWithTheJob() throws IOException, InterruptedException {
    start(LeavesChildren.class);
    assertEnd(0);
  }

  @Test
  void theRanksOfAKilledMpirunAreEnded() throws IOException, InterruptedException {
    start(Waits.class);
    awaitRanks();
    assertThat(mpirun().destroyForcibly()).isTrue();
    assertEnd(128 + SignalNumbers.SIGKILL);
  }

  @Tag("series") // a signal ends one below a hung mpirun in make test, too
  @Test
  void aHungMpirunIsEndedHard() throws IOException, InterruptedException {
    start(Waits.class, "--timeout", TIMEOUT_SECONDS);
    awaitRanks();
    assertThat(Kintsugi.kintsugi_kill((int) mpirun().pid(), SignalNumbers.SIGSTOP)).isZero();
    assertEnd(ExitCodes.TIMED_OUT);
    assertThat(output()).contains("has not ended within " + TIMEOUT_SECONDS + " s");
  }

  @Test
  void aJobThatRunsIntoItsTimeLimitSaysWhereItsThreadsWere() throws IOException, InterruptedException {
    start(Waits.class, "--timeout", TIMEOUT_SECONDS);
    assertEnd(ExitCodes.TIMED_OUT);
    assertThat(output()).contains("has not ended within " + TIMEOUT_SECONDS + " s", "at " + Waits.class.getName() + ".main");
  }

  @Test
  void aJobWhoseProcessesAllFailHasNotSucceeded() throws IOException, InterruptedException {
    start(Waits.class);
    awaitRanks();
    List<ProcessHandle> ranks = ranks();
    assertThat(ranks).hasSize(RANKS);
    ranks.forEach(ProcessHandle::destroyForcibly);
    assertEnd(128 + SignalNumbers.SIGKILL);
    assertThat(output()).containsOnlyOnce("no process came to the end of MPI");
  }

  @Test
  void aJobWhoseProcessesAllFailInMpiInitHasNotSucceeded() throws IOException, InterruptedException {
    start(WaitsInInit.class);
    awaitRanks();
    await(() -> jobFolders().stream().anyMatch(job -> Files.exists(job.resolve("mpi-begun"))), LIMIT_SECONDS, "MPI_Init");
    // Stop all before they are killed: in MPI_Init a rank that detects another's death ends with a
    // code of its own, and a stopped rank detects nothing.
    List<ProcessHandle> ranks = ranks();
    assertThat(ranks).hasSize(RANKS);
    ranks.forEach(rank -> assertThat(Kintsugi.kintsugi_kill((int) rank.pid(), SignalNumbers.SIGSTOP)).isZero());
    ranks.forEach(ProcessHandle::destroyForcibly);
    assertEnd(128 + SignalNumbers.SIGKILL);
  }

  @Test
  void anAbortEndsTheJobAtOnce() throws IOException, InterruptedException {
    start(Aborts.class);
    assertEnd(FAILURE);
    if (RankJob.mpiOrSkip().isPatched()) {
      assertThat(output()).as("by itself (native/openmpi/patches/prrte/0007)").doesNotContain("mpirun has not ended");
    }
  }

  @Test
  void aJobThatNeverClosedMpiHasNotSucceeded() throws IOException, InterruptedException {
    start(ForgetsToClose.class);
    assertEnd(128 + SignalNumbers.SIGKILL);
    assertThat(output()).contains("ended without closing it");
  }

  @Test
  void theExitCodeOfARankIsThatOfTheJob() throws IOException, InterruptedException {
    start(Exits.class);
    assertEnd(FAILURE);
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
    assertThat(folder.resolve("rank-0")).as("TMPDIR is the user's").hasContent(folder.resolve("users").toString());
  }
}
