// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.kintsugi.ci.cluster.ClusterSeries;
import org.kintsugi.ci.network.RouteOption;
import org.kintsugi.launch.Job;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs different workloads in turns, with deaths at random moments in each.
 *
 * <p>A job has 6 ranks and 3 spares, and three ranks die, or another number on request.
 *
 * <p>Each rank compares the received values. A job is right if all ranks come to the end and have
 * seen a recovery from every death, and no other failure: a job recovers from a crash, too.
 */
@Command(name = "make soak", description = "Workloads with deaths at random moments.")
public final class WorkloadKills implements Callable<Integer> {
  private static final int RANKS = 6;
  /** Jobs that made progress all the time took 99 s at load 40. They have not hung. */
  private static final long LIMIT_SECONDS = 240;
  /** Includes the start of a new process, and the wait for it. */
  private static final long LIMIT_SECONDS_PER_DEATH = 5;
  private static final int RECOVERY_SECONDS = 30;
  /** From the beginning of an epoch to the death in it. */
  private static final String SHORTEST_MILLIS = "200";
  private static final String LONGEST_MILLIS = "1000";
  private static final String LONGEST_MILLIS_IN_A_LIBRARY = "4000";
  private static final String WRONG = "WRONG: ";
  /** The beginning of a line that announces call traces. The reason of a failure follows. */
  private static final String STACKS = "kintsugi: where the threads of process ";
  private static final String CRASH = "A fatal error has been detected by the Java Runtime Environment";

  /** The ranks' programs. */
  public enum Workload {
    /** Sub-communicators. */
    SUBCOMMS(Subcomms.class),
    /** Intercommunicators. */
    INTERCOMMS(Intercomms.class),
    /** Large messages whose memory does not live long. */
    LONG_MESSAGES(LongMessages.class),
    /** Ranks that are stopped for a while. */
    STOPPED(Stopped.class),
    /** Several threads in MPI. */
    THREADS(Threads.class),
    /** A program of many features. */
    FEATURES(Features.class),
    /** Data whose length changes, in one store after the other. */
    GROWING(Growing.class);

    private final Class<?> main;

    Workload(Class<?> main) {
      this.main = main;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Why it is not for this flavour; null: it is. */
    private String refusal() {
      return this == THREADS && RankJob.flavour() == Flavour.REINIT ? "the Reinit++ fork has no ThreadLevel.MULTIPLE" : null;
    }
  }

  @Option(names = "--runs", paramLabel = "N", required = true, converter = AtLeastOne.class, description = "jobs per workload")
  private int runs;

  @Option(names = "--deaths", paramLabel = "N", defaultValue = "3", converter = AtLeastOne.class,
      description = "deaths in each job ($${DEFAULT-VALUE})")
  private int deaths;

  @Option(names = "--spares", paramLabel = "N", defaultValue = "3",
      description = "spares of each job ($${DEFAULT-VALUE})")
  private int spares;

  @Option(names = "--store", paramLabel = "STORE", defaultValue = "memory xor file memory,xor:2,file:4", split = " ",
      description = "where versions go in the jobs of growing, in turns ($${DEFAULT-VALUE})")
  private List<String> stores = new ArrayList<>();

  @Option(names = "--seed", paramLabel = "SEED", required = true,
      description = "of the first job of each workload; the next has the next")
  private long seed;

  @Mixin
  private RouteOption route;

  @Parameters(arity = "1..*", paramLabel = "WORKLOAD", description = "$${COMPLETION-CANDIDATES}")
  private List<Workload> workloads = new ArrayList<>();

  /** By workload, and by the store if there are several. */
  private final Tallies tallies = new Tallies();

  private WorkloadKills() {}

  /** Runs the series. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new WorkloadKills()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Set<Workload> wanted = EnumSet.copyOf(workloads);
    List<Workload> refused = wanted.stream().filter(workload -> workload.refusal() != null).toList();
    if (!refused.isEmpty()) {
      // Each was asked for by name.
      refused.forEach(workload -> System.out.printf("%s cannot be tried, and no job is run: %s%n", workload, workload.refusal()));
      return ClusterSeries.SKIPPED;
    }
    for (long own = seed; own < seed + runs; own++) {
      for (Workload workload : wanted) {
        long began = System.nanoTime();
        String verdict = judge(workload, own);
        System.out.printf("%-14s seed %d  %s%s  (%d s)%n", name(workload, own), own,
            isWithoutMercy(workload, own) ? "without mercy, " : "", verdict,
            TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began));
      }
    }
    boolean isGrowing = wanted.equals(Set.of(Workload.GROWING));
    boolean isLibrary = isGrowing && stores.stream().allMatch(store -> store.startsWith("fti") || store.startsWith("scr"));
    boolean isStopped = wanted.equals(Set.of(Workload.STOPPED)) && RankJob.flavour() == Flavour.REINIT;
    return tallies.closed("soak/" + (isLibrary ? "growing, libraries"
        : isGrowing ? "growing" : isStopped ? "stopped" : spares < deaths ? "workloads, few spares" : "workloads"));
  }

  private String name(Workload workload, long ownSeed) {
    return workload == Workload.GROWING ? workload + " " + store(ownSeed) : workload.toString();
  }

  private String store(long ownSeed) {
    return stores.get((int) ((ownSeed - seed) % stores.size()));
  }

  private String judge(Workload workload, long ownSeed) throws IOException {
    RankJob.Outcome outcome = run(workload, ownSeed);
    String wrong = wrong(outcome);
    if (wrong == null) {
      tallies.count(name(workload, ownSeed), tally -> tally.right(deaths, 0));
      return "right";
    }
    // On the fork too: deaths do not overlap in these jobs, as in each epoch one rank dies, and that when all have begun it.
    String verdict = "ENDED with " + outcome.exitCode() + ": " + wrong;
    tallies.count(name(workload, ownSeed), tally -> tally.bad(verdict));
    Path kept = Files.createTempFile("kintsugi-soak-" + workload + "-" + ownSeed + "-", ".txt");
    Files.writeString(kept, outcome.reports() + "\n" + outcome.output());
    return verdict + "; see " + kept;
  }

  private RankJob.Outcome run(Workload workload, long ownSeed) throws IOException {
    RankJob job = route.addTo(RankJob.of(RANKS, spares)).compiledAsForUsers()
        .timeoutSeconds(LIMIT_SECONDS + deaths * LIMIT_SECONDS_PER_DEATH)
        .jvm("-Xmx128m", "-XX:+ErrorFileToStdout", "-Dkintsugi.recovery.timeout.seconds=" + RECOVERY_SECONDS);
    if (isWithoutMercy(workload, ownSeed)) {
      LongMessages.withoutMercy(job);
    }
    if (workload != Workload.GROWING) {
      return job.run(workload.main, String.valueOf(ownSeed), String.valueOf(deaths), SHORTEST_MILLIS, LONGEST_MILLIS);
    }
    String store = store(ownSeed);
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-growing-")) {
      job.jvm("-Dkintsugi.checkpoint.store=" + store, "-Dkintsugi.checkpoint.dir=" + folder.path().resolve("shared"),
          "-Dkintsugi.checkpoint.local.dir=" + folder.path().resolve("local"));
      // FTI and SCR take long to start; some of the failures must come after that.
      String longest = store.startsWith("fti") || store.startsWith("scr") ? LONGEST_MILLIS_IN_A_LIBRARY : LONGEST_MILLIS;
      return job.run(workload.main, String.valueOf(ownSeed), String.valueOf(deaths), SHORTEST_MILLIS, longest);
    }
  }

  /** In half of the jobs, as MPI takes other ways for long messages then. */
  private static boolean isWithoutMercy(Workload workload, long seed) {
    return workload == Workload.LONG_MESSAGES && new SplittableRandom(seed).nextBoolean();
  }

  private static boolean isUnharmed(RankJob.Outcome outcome) {
    return !outcome.output().contains(WRONG) && !outcome.output().contains(CRASH);
  }

  /** The error in an outcome; null: none. */
  private String wrong(RankJob.Outcome outcome) {
    if (!isUnharmed(outcome)) {
      return outcome.output().contains(CRASH) ? "a rank has crashed" : "a rank has got wrong data";
    }
    if (outcome.exitCode() == Job.TIMED_OUT) {
      return "it HUNG";
    }
    if (outcome.exitCode() != 0) {
      return outcome.output().lines().filter(line -> line.startsWith("kintsugi: ") && !line.startsWith(STACKS)).findFirst()
          .orElse("no rank has said why");
    }
    boolean isRight =
        outcome.reports().size() == RANKS && outcome.reports().values().stream().allMatch((deaths + " recoveries")::equals);
    return isRight ? null : "the ranks report " + outcome.reports();
  }
}
