// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.ProcFiles;
import org.kintsugi.ci.ranks.Waiting;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.test.RankJob;

/**
 * The memory holder: it keeps a failed process's memory for a moment.
 *
 * <p>See native/src/memory_holder.c.
 */
@Tag("flavours")
@Tag("once")
class MemoryHolderTest {
  private static final long SECONDS = 60;
  private static final int BYTES = 256 << 20;
  private static final int PAGE = 4096;

  /** A JVM with memory that takes a while to be taken apart. */
  static final class Mortal {
    public static void main(String[] args) throws Exception {
      ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
      for (int at = 0; at < BYTES; at += PAGE) {
        memory.put(at, (byte) 1);
      }
      if (Kintsugi.kintsugi_start_memory_holder() != 0) {
        throw new IllegalStateException("no memory holder");
      }
      System.out.println("ready");
      System.in.read();
      Kintsugi.kintsugi_end_memory_holder();
      System.out.println(memoryHoldersOf(ProcessHandle.current()).size());
    }
  }

  /**
   * Says how many memory holders it has while MPI is open, and afterwards. Arguments: folder for
   * reports, how many to wait for.
   */
  static final class Rank {
    public static void main(String[] args) throws InterruptedException {
      ProcessHandle self = ProcessHandle.current();
      int open;
      try (Mpi mpi = Mpi.init(args)) {
        mpi.world().barrier();
        // It has its name some time after it was made.
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (memoryHoldersOf(self).size() < Integer.parseInt(args[1]) && System.nanoTime() - until < 0) {
          Thread.sleep(1);
        }
        open = memoryHoldersOf(self).size();
      }
      RankJob.report(args[0], "memory-holders", open + " " + memoryHoldersOf(self).size());
    }
  }

  private static List<ProcessHandle> memoryHoldersOf(ProcessHandle process) {
    return process.children().filter(child -> ProcFiles.read(child.pid(), "comm").equals("kintsugi-memory")).toList();
  }

  /** Waits for the memory holder's name, which it gets when it has closed everything else. */
  private static ProcessHandle memoryHolderOf(Process process) throws InterruptedException {
    Waiting.until("a memory holder", SECONDS, () -> !memoryHoldersOf(process.toHandle()).isEmpty());
    return memoryHoldersOf(process.toHandle()).get(0);
  }

  private static Process startMortal(String... starter) throws IOException {
    List<String> line = new ArrayList<>(List.of(starter));
    line.addAll(List.of(ProcessHandle.current().info().command().orElseThrow(), "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp",
        System.getProperty("java.class.path"), Mortal.class.getName()));
    Process mortal = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    assertThat(mortal.inputReader().readLine()).isEqualTo("ready");
    return mortal;
  }

  private static void signal(String name, ProcessHandle process) throws Exception {
    assertThat(new ProcessBuilder("kill", "-s", name, String.valueOf(process.pid())).inheritIO().start().waitFor()).isZero();
  }

  @Test
  void aDeathIsKnownBeforeTheMemoryIsTakenApart() throws Exception {
    RankJob.mpiOrSkip();
    Process mortal = startMortal();
    ProcessHandle memoryHolder = null;
    try {
      memoryHolder = memoryHolderOf(mortal);
      // A stopped memory holder acts like a memory that takes any time to be freed.
      signal("STOP", memoryHolder);
      mortal.destroyForcibly();

      assertThat(mortal.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(Long.parseLong(ProcFiles.read(memoryHolder.pid(), "statm").split(" ")[1]) * PAGE).isGreaterThan(BYTES);

      signal("CONT", memoryHolder);
      memoryHolder.onExit().get(SECONDS, TimeUnit.SECONDS);
    } finally {
      mortal.destroyForcibly();
      if (memoryHolder != null) {
        memoryHolder.destroyForcibly();
      }
    }
  }

  @Test
  void holdsNoDescriptorOfTheProcess() throws Exception {
    RankJob.mpiOrSkip();
    Process mortal = startMortal();
    try {
      ProcessHandle memoryHolder = memoryHolderOf(mortal);
      try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + memoryHolder.pid() + "/fd"))) {
        assertThat(descriptors.map(MemoryHolderTest::target)).singleElement().asString().contains("pidfd");
      }
    } finally {
      mortal.destroyForcibly();
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String niceness(ProcessHandle process) {
    return ProcFiles.read(process.pid(), "stat").split(" ")[18];
  }

  @ParameterizedTest
  @CsvSource({"0, 10", "15, 15"})
  void isNiceAndNeverLessSoThanTheProcess(String niceness, String expected) throws Exception {
    RankJob.mpiOrSkip();
    Process mortal = startMortal("nice", "-n", niceness);
    try {
      ProcessHandle memoryHolder = memoryHolderOf(mortal);
      // It becomes so a moment after it has its name.
      Waiting.until("the niceness " + expected, SECONDS, () -> niceness(memoryHolder).equals(expected));
      Thread.sleep(100);
      assertThat(niceness(memoryHolder)).isEqualTo(expected);
    } finally {
      mortal.destroyForcibly();
    }
  }

  @Test
  void isGoneWhenItIsDismissed() throws Exception {
    RankJob.mpiOrSkip();
    Process mortal = startMortal();
    try {
      mortal.getOutputStream().close();
      assertThat(mortal.inputReader().readLine()).isEqualTo("0");
      assertThat(mortal.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(mortal.exitValue()).isZero();
    } finally {
      mortal.destroyForcibly();
    }
  }

  @Test
  void isThereWhileMpiIsOpen() {
    assertThat(RankJob.of(1, 0).run(Rank.class, "1").assertSuccess().reports()).containsEntry("memory-holders", "1 0");
  }

  @Test
  void canBeDoneWithout() {
    assertThat(RankJob.of(1, 0).jvm("-Dkintsugi.memory.holder=false").run(Rank.class, "0").assertSuccess().reports())
        .containsEntry("memory-holders", "0 0");
  }
}
