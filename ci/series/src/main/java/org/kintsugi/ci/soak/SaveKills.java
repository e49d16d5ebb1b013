// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.kintsugi.test.RankJob;
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
    Tallies tallies = new Tallies();
    for (String engine : options.engines()) {
      for (int job = 0; job < jobs; job++) {
        Verdict verdict = run(engine, seed + job, kills, nodes);
        System.out.printf("%-24s seed %d, %d of %d aimed at a restore, %d too late  %s%n", engine, seed + job,
            verdict.inRestores(),
            kills, verdict.late(), verdict.text());
        tallies.count(engine, tally -> count(tally, verdict.text(), kills, verdict.late()));
      }
    }
    return tallies.closed(options.metric("saves"));
  }

  /**
   * Adds a job to a tally.
   *
   * @param verdict on the job
   * @param deaths those that were to come at some place
   * @param late how many of these did not come there
   */
  public static void count(Tally tally, String verdict, int deaths, int late) {
    if (verdict.startsWith(RIGHT)) {
      tally.right(deaths - late, late);
    } else {
      tally.bad(verdict.lines().findFirst().orElse(""));
    }
  }

  /** The beginning of the verdict on a job without an error. */
  public static final String RIGHT = "right";

  /** Beginnings of reports: where a rank is to die, and that it died later. */
  static final String AIMED = "aimed-";
  static final String LATE = "late-";
  static final String IN_SAVE = "save";
  static final String IN_RESTORE = "restore";

  /**
   * The outcome of a job.
   *
   * @param text begins with {@link #RIGHT}, or is the error
   * @param inRestores how many deaths were aimed at a restore
   * @param late how many came neither in the save nor in the restore that they were aimed at
   */
  public record Verdict(String text, int inRestores, int late) {}

  /**
   * Runs one job.
   *
   * @param engine the value of {@code -Dkintsugi.checkpoint.store}, and more JVM options after a space each
   */
  public static Verdict run(String engine, long seed, int kills, Nodes nodes) throws IOException {
    SaveJob job = new SaveJob(engine, kills, nodes);
    RankJob.Outcome outcome = job.run(SaveKillsRank.class, String.valueOf(seed), String.valueOf(kills),
        String.valueOf(!engine.startsWith("file")));
    int inTime = 0;
    int inRestores = 0;
    for (int epoch = 0; epoch < kills; epoch++) {
      String aim = outcome.reports().getOrDefault(AIMED + epoch, "");
      inRestores += aim.equals(IN_RESTORE) ? 1 : 0;
      inTime += aim.isEmpty() || outcome.reports().containsKey(LATE + epoch) ? 0 : 1;
    }
    return new Verdict(job.verdict(outcome), inRestores, kills - inTime);
  }
}
