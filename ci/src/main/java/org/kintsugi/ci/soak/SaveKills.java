// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Jobs whose ranks die at random moments inside saves and restores, engine after engine. Every job must end with every rank
 * right; see {@link SaveKillsRank} for what that means. Exit code 0 only then.
 */
@Command(name = "make saves", description = "Jobs whose ranks die at random moments inside saves and restores.")
public final class SaveKills implements Callable<Integer> {
  @Option(names = "--jobs", paramLabel = "N", required = true, converter = AtLeastOne.class, description = "jobs per engine")
  private int jobs;

  @Option(names = "--kills", paramLabel = "N", required = true, converter = AtLeastOne.class, description = "deaths in each job")
  private int kills;

  @Option(names = "--seed", paramLabel = "SEED", required = true, description = "of the first job; the next has the next")
  private long seed;

  @Mixin
  private SeriesOptions options;

  private SaveKills() {}

  /** Runs the series. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new SaveKills()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Nodes nodes = options.nodes();
    Tally tally = new Tally();
    for (String engine : options.engines()) {
      for (int job = 0; job < jobs; job++) {
        String verdict = run(engine, seed + job, kills, nodes);
        System.out.printf("%-24s seed %d  %s%n", engine, seed + job, verdict);
        count(tally, verdict, kills, 0);
      }
    }
    return closed(tally);
  }

  /**
   * Adds a job to a tally.
   *
   * @param verdict on the job
   * @param late how many of its deaths did not come where they should
   */
  public static void count(Tally tally, String verdict, int deaths, int late) {
    if (verdict.startsWith(RIGHT)) {
      tally.right(deaths - late, late);
    } else if (verdict.startsWith(GIVEN_UP)) {
      tally.givenUp("failures overlapped", deaths - late);
    } else {
      tally.bad();
    }
  }

  /** Prints the end of a series. @return its exit code */
  static int closed(Tally tally) {
    System.out.println(tally + (tally.objection().isEmpty() ? "" : "; " + tally.objection()));
    return tally.objection().isEmpty() ? 0 : 1;
  }

  /** How the verdict on a job begins in which all was well. */
  public static final String RIGHT = "right";

  /** How the verdict on a job begins that asked for another start: the fork cannot mend failures that overlap. */
  public static final String GIVEN_UP = "given up";

  /**
   * Runs one job.
   *
   * @param engine the value of {@code -Dkintsugi.checkpoint.store}, and more JVM options after a space each
   * @return {@link #RIGHT}, or what was not
   */
  public static String run(String engine, long seed, int kills, Nodes nodes) throws IOException {
    SaveJob job = new SaveJob(engine, kills, nodes);
    return job.verdict(job.run(SaveKillsRank.class, String.valueOf(seed), String.valueOf(kills),
        String.valueOf(!engine.startsWith("file"))));
  }
}
