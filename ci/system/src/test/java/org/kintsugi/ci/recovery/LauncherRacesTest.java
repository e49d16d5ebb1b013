// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.ci.ranks.OptionalNatives;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;
import org.kintsugi.test.cluster.Cluster;

/**
 * Races in the Reinit++ fork's launcher, provoked by delays (native/test/delay.c).
 *
 * <p>A loaded machine has such delays now and then. Without native/reinit/launcher.c and wakeup.c
 * each of these jobs fails or hangs.
 */
@Execution(ExecutionMode.SAME_THREAD)
class LauncherRacesTest {
  private static final int RANKS = 6;
  private static final long LIMIT_SECONDS = 90;
  private static final String OUTPUT = "output";

  /** The dynamic linker's words for a call from the fork to libevent's function, the system's or the fork's own copy. */
  private static final Pattern CALL_OF_LOOPBREAK =
      Pattern.compile("binding file \\S*/(libopen-|mca_pmix)\\S+ .*`(opal_libevent2022_)?event_base_loopbreak'");

  /** Runs in the ranks. */
  static final class Starts {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        mpi.world().barrier();
        RankJob.report(args[0], String.valueOf(mpi.world().rank()), "started");
      }
    }
  }

  /** The command line of a slowed-down jmpirun whose wall clock is wrong by some seconds. */
  private static List<String> command(String race, int clockShift, MpiHome mpi, Path folder, List<String> options) {
    String preload = TestLibrary.of(Flavour.REINIT, "delay") + ":" + TestLibrary.of(Flavour.REINIT, "clock");
    List<String> line = new ArrayList<>(
        List.of("env", "LD_PRELOAD=" + preload, "KINTSUGI_DELAY=" + race, "KINTSUGI_CLOCK_SHIFT=" + clockShift));
    line.addAll(RankJob.jmpirun(mpi));
    line.addAll(List.of("-n", String.valueOf(RANKS)));
    line.addAll(options);
    line.addAll(RankJob.javaArguments(mpi, folder, Starts.class));
    return line;
  }

  private static void assertAllStartedAndEnded(int code, Path folder) throws IOException {
    String printed = Files.readString(folder.resolve(OUTPUT));
    assertThat(code).as(printed).isZero();
    assertThat(IntStream.range(0, RANKS)).as(printed).allMatch(rank -> Files.exists(folder.resolve("report-" + rank)));
  }

  /**
   * Runs a jmpirun, with a limit.
   *
   * <p>The jmpirun has a limit for an mpirun that hangs; this one is for a jmpirun that hangs.
   */
  private static int run(List<String> line, Path folder) throws IOException, InterruptedException {
    Process job = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(folder.resolve(OUTPUT).toFile()).start();
    try {
      assertThat(job.waitFor(2 * LIMIT_SECONDS, TimeUnit.SECONDS)).as("jmpirun ends").isTrue();
      return job.exitValue();
    } finally {
      job.destroyForcibly();
    }
  }

  @Test
  void mpirunHandlesItsOwnMessageLate() throws IOException, InterruptedException {
    mpirunHandlesItsOwnMessageLate(0);
  }

  /**
   * mpirun must measure its wait by a clock that cannot be set.
   *
   * <p>By the wall clock, its limit would be over at once here.
   */
  @Tag("series")
  @Test
  void mpirunHandlesItsOwnMessageLateWhileTheClockIsSet() throws IOException, InterruptedException {
    mpirunHandlesItsOwnMessageLate(-3600);
  }

  private static void mpirunHandlesItsOwnMessageLate(int clockShift) throws IOException, InterruptedException {
    MpiHome mpi = OptionalNatives.forkOrSkip();
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-races-"); Cluster cluster = Cluster.of(2, 2, 2, 2)) {
      List<String> line = command("message", clockShift, mpi, folder.path(), List.of("--spare-nodes", "1", "--hostfile",
          cluster.hostFile().toString(), "--mca", "plm_rsh_agent", cluster.agent().toString(), "--bind-to", "none",
          "--mca", "mpi_yield_when_idle", "1"));
      Process job = cluster.start(LIMIT_SECONDS, folder.path().resolve(OUTPUT), line);
      assertAllStartedAndEnded(job.waitFor(), folder.path());
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
    }
  }

  /**
   * In a rank the race costs two seconds at its end at most, which no test can tell from a busy machine. So the dynamic linker is
   * asked whose function the fork's libraries call.
   */
  @Test
  void ranksEndTheirThreadsByTheFunctionThatWakesThem() throws IOException, InterruptedException {
    MpiHome mpi = OptionalNatives.forkOrSkip();
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-races-"); TemporaryFolder words =
        TemporaryFolder.create("kintsugi-bindings-")) {
      List<String> line = new ArrayList<>(RankJob.jmpirun(mpi));
      line.addAll(List.of("-n", "1", "--timeout", String.valueOf(LIMIT_SECONDS), "-x", "LD_DEBUG=bindings", "-x",
          "LD_DEBUG_OUTPUT=" + words.path().resolve("rank")));
      line.addAll(RankJob.javaArguments(mpi, folder.path(), Starts.class));
      int code = run(line, folder.path());
      assertThat(code).as(Files.readString(folder.path().resolve(OUTPUT))).isZero();
      List<String> bound = new ArrayList<>();
      try (Stream<Path> files = Files.list(words.path())) {
        for (Path file : files.toList()) {
          bound.addAll(Files.readAllLines(file).stream().filter(CALL_OF_LOOPBREAK.asPredicate()).toList());
        }
      }
      assertThat(bound).isNotEmpty().allMatch(one -> one.contains("/libkintsugi.so [0]: normal symbol"));
    }
  }

  @Test
  void aThreadEntersItsLoopLate() throws IOException, InterruptedException {
    MpiHome mpi = OptionalNatives.forkOrSkip();
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-races-")) {
      List<String> line = command("loop", 0, mpi, folder.path(), List.of("--timeout", String.valueOf(LIMIT_SECONDS)));
      assertAllStartedAndEnded(run(line, folder.path()), folder.path());
    }
  }
}
