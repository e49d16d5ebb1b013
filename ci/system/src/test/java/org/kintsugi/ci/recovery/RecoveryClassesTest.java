// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.test.RankJob;

/**
 * The classes that a JVM loads between a process failure and the end of the restore that follows are listed in {@value #LIST}.
 * Versions are in files.
 *
 * <p>A class that is loaded then costs all ranks time: a lambda milliseconds, a class from a jar up to one. If a change adds one,
 * load it earlier ({@code ReinitPoint.warmClasses}, {@code Rehearsal}), or do without it. Only for the flavour ulfm: the fork's
 * runtime starts a JVM for a replacement, or wakes one, which loads hundreds.
 */
class RecoveryClassesTest {
  private static final String LIST = "recovery-classes.txt";
  private static final int RANKS = 3;
  private static final int STEPS = 12;
  private static final int FIRST_DEATH = 4;
  private static final int SECOND_DEATH = 8;
  private static final String READY = "ready";

  /** The Java whose classes the list names. Another one's own classes have other names. */
  private static final int JAVA = 17;
  private static final Pattern LOADED = Pattern.compile("\\[(\\d+)ns] (\\S+) source: .*");

  /** Loading it shows in the log when a process is about to fail, in all ranks. */
  static final class FirstFailure {
    static void comes() {}
  }

  /** As {@link FirstFailure}, for the second one. */
  static final class SecondFailure {
    static void comes() {}
  }

  /** Loading it shows in the log when the data are restored after the first failure. */
  static final class FirstRestore {
    static void comes() {}
  }

  /** As {@link FirstRestore}, for the second one. */
  static final class SecondRestore {
    static void comes() {}
  }

  /** Runs in the ranks. Rank 1 fails, and a spare replaces it; then rank 2, and a process that was started meanwhile does. */
  static final class Program {
    public static void main(String[] args) throws InterruptedException {
      if (JobConfig.STARTED.longValue() == 1) {
        new Ready(args[0], Thread.currentThread()).start();
      } else {
        // The launcher asks each process every two seconds whether it makes progress: the classes for the answer are loaded now.
        TimeUnit.SECONDS.sleep(3);
      }
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> body(run, args[0]));
      }
    }

    private static void body(Run run, String folder) throws InterruptedException {
      Comm world = run.world();
      double[] sum = new double[1];
      run.checkpoint().protect("sum", sum);
      long first = run.checkpoint().restore().orElse(0);
      if (run.epoch() == 1) {
        FirstRestore.comes();
      } else if (run.epoch() == 2) {
        SecondRestore.comes();
      }
      for (long step = first; step < STEPS; step++) {
        if (step == FIRST_DEATH && run.epoch() == 0) {
          FirstFailure.comes();
        } else if (step == SECOND_DEATH && run.epoch() == 1) {
          while (!Files.exists(Path.of(folder, "report-" + READY))) {
            run.poll();
            TimeUnit.MILLISECONDS.sleep(50);
          }
          SecondFailure.comes();
        }
        world.barrier();
        run.iteration(step);
        sum[0] += world.allReduce(1.0, Op.SUM);
        run.checkpoint().save(step + 1);
      }
      RankJob.report(folder, String.valueOf(world.rank()), String.valueOf(sum[0]));
    }
  }

  /**
   * In a process that was started later: reports when its main thread waits to be called by a recovery, and the code of a restore
   * has been rehearsed.
   */
  private static final class Ready extends Thread {
    private final String folder;
    private final Thread main;

    Ready(String folder, Thread main) {
      super("reports-ready");
      setDaemon(true);
      this.folder = folder;
      this.main = main;
    }

    @Override
    public void run() {
      while (main.getState() != State.TIMED_WAITING || !waitsForCall() || isWarmingUp()) {
        try {
          TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
          return;
        }
      }
      RankJob.report(folder, READY, "");
    }

    private static boolean isWarmingUp() {
      return Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals("kintsugi-spare-warm-up"));
    }

    private boolean waitsForCall() {
      for (StackTraceElement frame : main.getStackTrace()) {
        if (frame.getClassName().endsWith(".SpareCalls") && frame.getMethodName().equals("await")) {
          return true;
        }
      }
      return false;
    }
  }

  /** A line of a JVM's log of classes. */
  private record Loaded(long nanos, String name) {}

  @TempDir
  Path logs;

  @TempDir
  Path versions;

  @Test
  void aRecoveryLoadsTheListedClassesOnly() throws IOException {
    // The names and the times of the logs of all processes on this host can be compared.
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).refill(true).timeoutSeconds(120).kill("process:1@" + FIRST_DEATH)
        .kill("process:2@" + SECOND_DEATH)
        .jvm("-Xlog:class+load:file=" + logs + "/%p.log:timenanos", "-Dkintsugi.checkpoint.store=file",
            "-Dkintsugi.checkpoint.dir=" + versions)
        .run(Program.class)
        .assertSuccess();
    assertThat(outcome.reports()).containsEntry("2", (double) RANKS * STEPS + "");

    List<List<Loaded>> processes = read();
    Map<String, Set<String>> loaded = new TreeMap<>();
    collect(processes, FirstFailure.class, FirstRestore.class, "spare", loaded);
    collect(processes, SecondFailure.class, SecondRestore.class, "started", loaded);
    assertThat(loaded.keySet()).as("what kinds of processes recovered").containsExactly("spare", "started", "survivor");

    Map<String, Set<String>> allowed = allowed();
    Set<String> more = new TreeSet<>();
    loaded.forEach((kind, names) -> names.stream().filter(name -> !allowed.getOrDefault(kind, Set.of()).contains(name))
        .forEach(name -> more.add(kind + " " + name)));
    assertThat(more).as("classes loaded in a recovery that " + LIST + " does not have").isEmpty();
  }

  private List<List<Loaded>> read() throws IOException {
    List<List<Loaded>> processes = new ArrayList<>();
    try (Stream<Path> files = Files.list(logs)) {
      for (Path file : files.toList()) {
        processes.add(Files.readAllLines(file).stream().map(LOADED::matcher).filter(Matcher::matches)
            .map(line -> new Loaded(Long.parseLong(line.group(1)), plain(line.group(2)))).toList());
      }
    }
    return processes;
  }

  /** Without numbers, which differ from run to run. */
  private static String plain(String name) {
    return name.replaceFirst("/0x\\p{XDigit}+$", "").replaceFirst("(\\$\\$Lambda|LambdaForm\\$\\w+)\\$\\d+$", "$1");
  }

  /** Adds the classes that were loaded after a failure and before the end of the restore, by the kind of process. */
  private static void collect(List<List<Loaded>> processes, Class<?> death, Class<?> restore, String replacement,
      Map<String, Set<String>> loaded) {
    long died = -1;
    for (List<Loaded> process : processes) {
      if (time(process, death) >= 0 && time(process, restore) < 0) {
        died = time(process, death);
      }
    }
    assertThat(died).as("when the process failed").isNotNegative();
    for (List<Loaded> process : processes) {
      long restored = time(process, restore);
      if (restored >= 0) {
        boolean isSurvivor = time(process, death) >= 0;
        long from = isSurvivor ? time(process, death) : died;
        for (Loaded one : process) {
          if (one.nanos > from && one.nanos < restored && isLookedAt(one.name)) {
            loaded.computeIfAbsent(isSurvivor ? "survivor" : replacement, kind -> new TreeSet<>()).add(one.name);
          }
        }
        loaded.computeIfAbsent(isSurvivor ? "survivor" : replacement, kind -> new TreeSet<>());
      }
    }
  }

  private static boolean isLookedAt(String name) {
    return Runtime.version().feature() == JAVA || name.startsWith("org.kintsugi.") || name.contains("Lambda");
  }

  /** When a class was loaded; -1: it was not. */
  private static long time(List<Loaded> process, Class<?> one) {
    return process.stream().filter(line -> line.name.equals(one.getName())).mapToLong(Loaded::nanos).findFirst().orElse(-1);
  }

  private static Map<String, Set<String>> allowed() throws IOException {
    try (InputStream list = RecoveryClassesTest.class.getResourceAsStream(LIST)) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8).lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#")).map(line -> line.split(" "))
          .collect(Collectors.groupingBy(words -> words[0], Collectors.mapping(words -> words[1], Collectors.toSet())));
    }
  }
}
