// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** What ranks print comes out of {@code jmpirun} in whole lines, on its own stream, at once, and completely. (Patch 0063.) */
@Tag("once")
class RankOutputTest {
  private static final int RANKS = 4;
  private static final int LINES = 5;
  private static final int MANY = 5000;
  private static final long SLOW_MILLIS = 1000;
  private static final long LIMIT_SECONDS = 60;
  private static final String PROMPT = "50% - go on? ";

  private MpiHome mpi;

  @BeforeEach
  void onlyThePatchedOpenMpi() {
    RankJob.assumeFlavour(Flavour.ULFM, "the fork's mpirun passes on pieces as they come");
    mpi = RankJob.mpiOrSkip();
    assumeTrue(mpi.isPatched(), "only the Open MPI that make setup builds keeps lines together");
  }

  /** Runs in the ranks: printf writes each piece of its format by itself; the last line has no end. */
  static final class PrintsPieces {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        int rank = mpi.world().rank();
        mpi.world().barrier();
        for (int i = 0; i < LINES; i++) {
          System.out.printf("rank %d has %d of %.1f%n", rank, i, 1.5);
          System.err.printf("rank %d warns %d of %.1f%n", rank, i, 1.5);
        }
        System.out.print("rank " + rank + " has ended" + (rank == 0 ? "" : "\n"));
      }
    }
  }

  /** Runs in the ranks: asks, and says what it was answered. */
  static final class Asks {
    public static void main(String[] args) throws IOException {
      Mpi mpi = Mpi.init(args);
      System.out.print(PROMPT);
      System.out.flush();
      System.out.println((char) System.in.read());
      mpi.close();
    }
  }

  /** Runs in the ranks: more than fits into pipes. */
  static final class PrintsMuch {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        int rank = mpi.world().rank();
        System.out.print(IntStream.range(0, MANY).mapToObj(i -> line(rank, i)).collect(Collectors.joining()));
      }
    }

    static String line(int rank, int i) {
      return "rank " + rank + " prints line " + i + ", which is not short\n";
    }
  }

  private ProcessBuilder job(int ranks, Class<?> main) {
    List<String> line = new ArrayList<>(RankJob.jmpirun(mpi));
    line.addAll(List.of("-n", String.valueOf(ranks)));
    line.addAll(RankJob.javaArguments(mpi, Path.of("."), main));
    return new ProcessBuilder(line);
  }

  private static String read(InputStream in) {
    try {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "cannot be read: " + e;
    }
  }

  private static void assertSuccess(Process job) throws InterruptedException {
    boolean ended = job.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      job.destroy();
    }
    assertThat(ended).isTrue();
    assertThat(job.exitValue()).isZero();
  }

  @Test
  void linesAreWholeAndOnTheirStream() throws Exception {
    Process job = job(RANKS, PrintsPieces.class).start();
    CompletableFuture<String> err = CompletableFuture.supplyAsync(() -> read(job.getErrorStream()));
    CompletableFuture<String> out = CompletableFuture.supplyAsync(() -> read(job.getInputStream()));
    assertSuccess(job);
    List<String> printed = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      for (int i = 0; i < LINES; i++) {
        printed.add("rank " + rank + " has " + i + " of 1.5");
        warnings.add("rank " + rank + " warns " + i + " of 1.5");
      }
      printed.add("rank " + rank + " has ended");
    }
    // What follows a line without an end is in the same line.
    String all = out.get().replace("rank 0 has endedrank", "rank 0 has ended\nrank");
    assertThat(all.lines()).containsExactlyInAnyOrderElementsOf(printed);
    assertThat(err.get().lines()).containsExactlyInAnyOrderElementsOf(warnings);
  }

  @Test
  void aPromptIsSeenBeforeItIsAnswered() throws Exception {
    Process job = job(1, Asks.class).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    byte[] prompt = CompletableFuture.supplyAsync(() -> {
      try {
        return job.getInputStream().readNBytes(PROMPT.length());
      } catch (IOException e) {
        return new byte[0];
      }
    }).completeOnTimeout(new byte[0], LIMIT_SECONDS, TimeUnit.SECONDS).get();
    job.getOutputStream().write('y');
    job.getOutputStream().close();
    assertSuccess(job);
    assertThat(new String(prompt, StandardCharsets.UTF_8)).isEqualTo(PROMPT);
    assertThat(read(job.getInputStream())).isEqualTo("y\n");
  }

  @Test
  void nothingIsLostWhereTheOutputIsFullAndDoesNotBlock() throws Exception {
    ProcessBuilder builder = job(RANKS, PrintsMuch.class).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("LD_PRELOAD", TestLibrary.of(Flavour.ULFM, "nonblocking").toString());
    Process job = builder.start();
    CompletableFuture<String> out = CompletableFuture.supplyAsync(() -> read(job.getInputStream()),
        CompletableFuture.delayedExecutor(SLOW_MILLIS, TimeUnit.MILLISECONDS));
    assertSuccess(job);
    TreeMap<String, TreeSet<String>> missing = new TreeMap<>();
    List<String> lines = out.get().lines().toList();
    TreeSet<String> printed = new TreeSet<>(lines);
    for (int rank = 0; rank < RANKS; rank++) {
      for (int i = 0; i < MANY; i++) {
        String line = PrintsMuch.line(rank, i).strip();
        if (!printed.contains(line)) {
          missing.computeIfAbsent("rank " + rank, any -> new TreeSet<>()).add(line);
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(lines).hasSize(RANKS * MANY);
  }
}
