// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.ProcFiles;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.ci.ranks.Waiting;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.SignalNumbers;

/** kintsugi-rank, as a daemon starts it, and the JVMs that wait for it: without MPI, and the daemon is a small program. */
class WarmRankTest {
  private static final int LIMIT_SECONDS = 30;
  private static final int CODE = 42;

  @TempDir
  private Path folder;

  private Process daemon;

  /** Runs as a rank: prints its surroundings, then acts as its environment says. */
  static final class Rank {
    public static void main(String[] args) throws Exception {
      String name = System.getenv("NAME");
      say("ignored", line("/proc/self/status", "SigIgn:"));
      countSignals(name);
      say("arguments", Arrays.toString(args));
      say("name", name + " " + System.getenv("OMPI_PROC_RESTART") + " " + System.getenv("KINTSUGI_PROBE"));
      say("folder", Path.of("").toAbsolutePath());
      say("parent", Kintsugi.kintsugi_parent_pid());
      say("niceness", Files.readString(Path.of("/proc/self/stat")).replaceAll(".*\\) ", "").split(" ")[16]);
      say("cores", line("/proc/thread-self/status", "Cpus_allowed_list:"));
      say("input", Path.of("/proc/self/fd/0").toRealPath());
      System.err.println("an error of " + name);
      StandInDaemon.write(Path.of(name + ".is"), ProcessHandle.current().pid());
      switch (System.getenv("WHAT")) {
        case "exit" -> System.exit(CODE);
        case "throw" -> throw new IllegalStateException("on purpose");
        case "wait" -> Thread.sleep(TimeUnit.SECONDS.toMillis(2 * LIMIT_SECONDS));
        default -> say("end", "");
      }
    }

    /** Uses reflection, as javac warns of these classes wherever they are named. */
    private static void countSignals(String name) throws ReflectiveOperationException {
      AtomicInteger count = new AtomicInteger();
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object counts =
          Proxy.newProxyInstance(Rank.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
            StandInDaemon.write(Path.of(name + ".signals"), count.incrementAndGet());
            return null;
          });
      signal.getMethod("handle", signal, handler).invoke(null, signal.getConstructor(String.class).newInstance("WINCH"), counts);
    }

    private static void say(String what, Object value) {
      System.out.println(what + " " + value);
    }

    private static String line(String file, String name) throws IOException {
      return Files.readAllLines(Path.of(file)).stream().filter(text -> text.startsWith(name)).findFirst().orElseThrow()
          .substring(name.length()).trim();
    }
  }

  /** Cannot be initialised, which a JVM that waits does not find out. */
  static final class Broken {
    static {
      fail();
    }

    static void fail() {
      throw new IllegalStateException("on purpose");
    }

    public static void main(String[] args) {
      // Never reached.
    }
  }

  @AfterEach
  void endAll() throws InterruptedException {
    if (daemon != null) {
      daemon.destroyForcibly().waitFor();
      ours().forEach(ProcessHandle::destroyForcibly);
    }
  }

  private void startDaemon(int spares, String main, String... options) throws IOException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    String path = System.getProperty("java.class.path");
    List<String> line = new ArrayList<>(List.of(java, "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", path,
        StandInDaemon.class.getName(), TestLibrary.rankStarter(Flavour.ULFM).toString(), java, "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-XX:TieredStopAtLevel=1", "-Dtest.folder=" + folder, "-Dkintsugi.spares=" + spares));
    line.addAll(List.of(options));
    line.addAll(List.of("-cp", path, main, "an argument"));
    daemon = new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true)
        .redirectOutput(folder.resolve("daemon").toFile()).start();
  }

  /** Starts the first rank on the node, which starts the nursery. */
  private void startFirst() throws Exception {
    start("first 0 false end");
    assertThat(number("first.code")).as(text("first.err")).isZero();
  }

  private void start(String line) {
    PrintStream input = new PrintStream(daemon.getOutputStream(), true, StandardCharsets.US_ASCII);
    input.println(line);
  }

  private long number(String file) throws Exception {
    await(() -> Files.exists(folder.resolve(file)), file);
    return Long.parseLong(text(file));
  }

  private String text(String file) throws IOException {
    return Files.exists(folder.resolve(file)) ? Files.readString(folder.resolve(file)) : "";
  }

  /** A question that may throw while its answer is not there yet. */
  private <E extends Exception> void await(Waiting.Condition<E> condition, String what)
      throws E, IOException, InterruptedException {
    Waiting.until(what, LIMIT_SECONDS, condition, () -> text("daemon"));
  }

  /** This test's processes, but for the daemon. */
  private List<ProcessHandle> ours() {
    return ProcessHandle.allProcesses().filter(process -> process.pid() != daemon.pid())
        .filter(process -> ProcFiles.read(process.pid(), "cmdline").contains("-Dtest.folder=" + folder + "\0"))
        .collect(Collectors.toList());
  }

  /** The JVMs that wait: their main threads say so. */
  private List<Long> parked() {
    return ours().stream().map(ProcessHandle::pid).filter(pid -> {
      String[] threads = new File("/proc/" + pid + "/task").list();
      return threads != null && Arrays.stream(threads).anyMatch(thread -> ProcFiles.read(pid, "task/" + thread + "/comm")
          .equals("parked"));
    }).collect(Collectors.toList());
  }

  private long awaitParked() throws Exception {
    await(() -> !parked().isEmpty(), "a JVM parks");
    return parked().get(0);
  }

  private void assertGone(long pid) throws Exception {
    await(() -> !ProcFiles.read(pid, "stat").matches("(?s).*\\) [^ZX].*"), "end of process " + pid);
  }

  private String said(String name, String what) throws IOException {
    return Files.readAllLines(folder.resolve(name + ".out")).stream().filter(line -> line.startsWith(what + " ")).findFirst()
        .orElseThrow().substring(what.length() + 1);
  }

  private static boolean ignoresUsr1(String mask) {
    return (Long.parseUnsignedLong(mask, 16) >>> (SignalNumbers.SIGUSR1 - 1) & 1) == 1;
  }

  @ParameterizedTest(name = "local rank {0}")
  @ValueSource(ints = {0, 1})
  void withoutSparesItIsJava(int localRank) throws Exception {
    startDaemon(0, Rank.class.getName());
    start("plain " + localRank + " false exit");
    assertThat(number("plain.code")).isEqualTo(CODE);
    assertThat(number("plain.is")).isEqualTo(number("plain.pid"));
    assertThat(ignoresUsr1(said("plain", "ignored"))).isTrue();
    assertThat(ours()).isEmpty();
  }

  @Test
  void aWarmJvmGetsAllThatTheReplacementHas() throws Exception {
    startDaemon(1, Rank.class.getName(), "-Xcheck:jni");
    startFirst();
    assertThat(number("first.is")).isEqualTo(number("first.pid"));
    long warm = awaitParked();
    // The daemon may bind each rank elsewhere.
    String core = said("first", "cores").split("[-,]")[0];
    new ProcessBuilder("taskset", "-acp", core, String.valueOf(daemon.pid()))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    start("second 3 true exit");
    assertThat(number("second.code")).as(text("second.err")).isEqualTo(CODE);
    assertThat(number("second.is")).isEqualTo(warm).isNotEqualTo(number("second.pid"));
    assertThat(said("second", "cores")).isEqualTo(core);
    assertThat(said("second", "name")).isEqualTo("second 1 null");
    assertThat(said("first", "name")).isEqualTo("first null null");
    assertThat(said("second", "parent")).isEqualTo(String.valueOf(daemon.pid()));
    assertThat(ignoresUsr1(said("second", "ignored"))).isTrue();
    for (String same : List.of("arguments", "folder", "niceness", "input")) {
      assertThat(said("second", same)).as(same).isEqualTo(said("first", same));
    }
    assertThat(text("second.err")).isEqualTo("an error of second\n");
    assertThat(text("first.err")).isEqualTo("an error of first\n");
  }

  @Test
  void anExceptionEndsItAsItEndsJava() throws Exception {
    startDaemon(1, Rank.class.getName());
    startFirst();
    awaitParked();
    start("second 3 true throw");
    assertThat(number("second.code")).isEqualTo(1);
    assertThat(number("second.is")).isNotEqualTo(number("second.pid"));
    assertThat(text("second.err"))
        .contains("Exception in thread \"main\" java.lang.IllegalStateException: on purpose\n\tat " + Rank.class.getName());
  }

  @Test
  void aProgramThatCannotBeInitialisedSaysSo() throws Exception {
    startDaemon(1, Broken.class.getName());
    start("first 0 false end");
    assertThat(number("first.code")).isEqualTo(1);
    long warm = awaitParked();
    start("second 3 true end");
    assertThat(number("second.code")).isEqualTo(1);
    assertGone(warm);
    assertThat(text("second.err")).contains("ExceptionInInitializerError").contains("on purpose");
  }

  @Test
  void whatCannotBeLoadedIsLeftToJava() throws Exception {
    startDaemon(1, "no.such.Program");
    start("first 0 false end");
    assertThat(number("first.code")).isEqualTo(1);
    // A JVM is tried a few times, and never parks.
    await(() -> ours().size() > 1, "a JVM starts");
    await(() -> ours().size() == 1, "a JVM ends");
    start("second 3 true end");
    assertThat(number("second.code")).isEqualTo(1);
    assertThat(text("second.err")).isEqualTo(text("first.err")).contains("no.such.Program");
  }

  @Test
  void whereNoJvmHasParkedJavaIsStarted() throws Exception {
    startDaemon(1, Rank.class.getName());
    start("first 0 false wait");
    start("second 3 true exit");
    assertThat(number("second.code")).isEqualTo(CODE);
    assertThat(number("second.is")).isEqualTo(number("second.pid"));
  }

  @Test
  void aJvmIsWarmForOneCommandLineOnly() throws Exception {
    startDaemon(1, Rank.class.getName());
    startFirst();
    awaitParked();
    start("second 3 true exit another");
    assertThat(number("second.code")).isEqualTo(CODE);
    assertThat(number("second.is")).isEqualTo(number("second.pid"));
    assertThat(said("second", "arguments")).isEqualTo("[an argument, another]");
  }

  @Test
  void anotherOneParksAfterEachHandover() throws Exception {
    startDaemon(1, Rank.class.getName());
    startFirst();
    for (String name : List.of("second", "third")) {
      long warm = awaitParked();
      start(name + " 3 true wait");
      assertThat(number(name + ".is")).isEqualTo(warm);
    }
    awaitParked();
  }

  @Test
  void severalMayPark() throws Exception {
    startDaemon(2, Rank.class.getName());
    startFirst();
    await(() -> parked().size() == 2, "two JVMs park");
    start("second 2 true exit");
    start("third 3 true exit");
    for (String name : List.of("second", "third")) {
      assertThat(number(name + ".code")).isEqualTo(CODE);
      assertThat(number(name + ".is")).isNotEqualTo(number(name + ".pid"));
    }
  }

  @ParameterizedTest(name = "signal {0}")
  @ValueSource(ints = SignalNumbers.SIGKILL)
  void aSignalToKintsugiRankEndsTheJvm(int signal) throws Exception {
    startDaemon(1, Rank.class.getName());
    startFirst();
    awaitParked();
    start("second 3 true wait");
    long jvm = number("second.is");
    assertThat(Kintsugi.kintsugi_kill((int) number("second.pid"), signal)).isZero();
    assertThat(number("second.code")).isEqualTo(128 + signal);
    assertGone(jvm);
  }

  @ParameterizedTest(name = "signal {0}")
  @ValueSource(ints = SignalNumbers.SIGKILL)
  void aSignalToTheJvmEndsKintsugiRank(int signal) throws Exception {
    startDaemon(1, Rank.class.getName());
    startFirst();
    awaitParked();
    start("second 3 true wait");
    assertThat(Kintsugi.kintsugi_kill((int) number("second.is"), signal)).isZero();
    assertThat(number("second.code")).isEqualTo(128 + signal);
  }

  @Tag("series")
  @Test
  void anotherSignalToKintsugiRankEndsTheJvm() throws Exception {
    aSignalToKintsugiRankEndsTheJvm(SignalNumbers.SIGTERM);
  }

  @Tag("series")
  @Test
  void anotherSignalToTheJvmEndsKintsugiRank() throws Exception {
    aSignalToTheJvmEndsKintsugiRank(SignalNumbers.SIGTERM);
  }

  @Test
  void aSignalArrivesOnce() throws Exception {
    startDaemon(1, Rank.class.getName());
    startFirst();
    awaitParked();
    start("second 3 true wait");
    number("second.is");
    for (int sent = 1; sent <= 5; sent++) {
      assertThat(Kintsugi.kintsugi_kill((int) number("second.pid"), SignalNumbers.SIGWINCH)).isZero();
      int expected = sent;
      await(() -> text("second.signals").equals(String.valueOf(expected)), "signal " + sent);
    }
    Thread.sleep(200);
    assertThat(number("second.signals")).isEqualTo(5);
  }

  @Test
  void nothingOutlivesTheDaemon() throws Exception {
    startDaemon(1, Rank.class.getName());
    startFirst();
    awaitParked();
    start("second 3 true wait");
    number("second.is");
    awaitParked();
    // The nursery, the stand-in, its JVM, and the one that waits.
    assertThat(ours()).hasSize(4);
    daemon.destroyForcibly().waitFor();
    await(() -> ours().isEmpty(), "the end of all");
  }

  @Test
  void theNurseryHoldsNothingOfTheRank() throws Exception {
    startDaemon(1, Rank.class.getName());
    start("first 0 false wait");
    long warm = awaitParked();
    ProcessHandle nursery = ProcessHandle.of(warm).orElseThrow().parent().orElseThrow();
    for (long pid : List.of(nursery.pid(), warm)) {
      for (int stream = 0; stream <= 2; stream++) {
        assertThat(Path.of("/proc/" + pid + "/fd/" + stream).toRealPath()).isEqualTo(Path.of("/dev/null"));
      }
    }
    assertThat(nursery.parent().map(ProcessHandle::pid)).isNotEqualTo(number("first.pid"));
  }
}
