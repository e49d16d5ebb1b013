// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.MpiHome.Flavour;
import org.kintsugi.mpi.Mpi;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Workloads of different shapes in turns, with deaths at random moments in each: 6 ranks and 3 spares, and three ranks die.
 *
 * <p>Each rank compares what it gets. A job is right if all ranks come to the end and have seen every death mended.
 */
@Command(name = "make soak", description = "Workloads with deaths at random moments.")
public final class WorkloadKills implements Callable<Integer> {
  private static final int RANKS = 6;
  private static final int DEATHS = 3;
  private static final long LIMIT_SECONDS = 90;
  private static final int RECOVERY_SECONDS = 30;
  /** From the beginning of an epoch to the death in it. */
  private static final String SHORTEST_MILLIS = "200";
  private static final String LONGEST_MILLIS = "1000";

  /** What the ranks do. */
  enum Workload {
    SUBCOMMS(Subcomms.class), INTERCOMMS(Intercomms.class);

    private final Class<?> main;

    Workload(Class<?> main) {
      this.main = main;
    }
  }

  @Option(names = "--runs", paramLabel = "N", required = true, converter = AtLeastOne.class, description = "jobs per workload")
  private int runs;

  @Option(names = "--seed", paramLabel = "SEED", required = true,
      description = "of the first job; each job has its own, counted on from it")
  private long seed;

  @Parameters(arity = "1..*", paramLabel = "WORKLOAD", description = "$${COMPLETION-CANDIDATES}")
  private List<Workload> workloads = new ArrayList<>();

  private WorkloadKills() {}

  /** Runs the series. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new WorkloadKills()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Tally tally = new Tally();
    for (int run = 0; run < runs; run++) {
      for (Workload workload : workloads) {
        long ownSeed = seed + (long) run * Workload.values().length + workload.ordinal();
        System.out.printf("%-12s seed %d  %s%n", workload.name().toLowerCase(Locale.ROOT), ownSeed,
            run(tally, workload, ownSeed));
      }
    }
    return SaveKills.closed(tally);
  }

  private static String run(Tally tally, Workload workload, long seed) throws IOException {
    RankJob.Outcome outcome = RankJob.of(RANKS, DEATHS).timeoutSeconds(LIMIT_SECONDS)
        .jvm("-Dkintsugi.recovery.timeout.seconds=" + RECOVERY_SECONDS)
        .run(workload.main, String.valueOf(seed), String.valueOf(DEATHS), SHORTEST_MILLIS, LONGEST_MILLIS);
    // Deaths do not overlap in these jobs; on the fork a second one may come into the end of the first one's recovery.
    if (outcome.exitCode() == Mpi.RESTART_CODE && RankJob.flavour() == Flavour.REINIT) {
      String reason = outcome.output().lines().filter(line -> line.startsWith("kintsugi: ")).findFirst()
          .orElse("see jmpirun's message");
      tally.givenUp(reason, DEATHS);
      return "given up: " + reason;
    }
    boolean isRight = outcome.exitCode() == 0 && outcome.reports().size() == RANKS
        && outcome.reports().values().stream().allMatch((DEATHS + " recoveries")::equals);
    if (isRight) {
      tally.right(DEATHS, 0);
      return "right";
    }
    tally.bad();
    Path kept = Files.createTempFile("kintsugi-soak-", ".txt");
    Files.writeString(kept, outcome.reports() + "\n" + outcome.output());
    return (outcome.exitCode() == Job.TIMED_OUT ? "HUNG" : "ENDED with " + outcome.exitCode()) + ": see " + kept;
  }
}
