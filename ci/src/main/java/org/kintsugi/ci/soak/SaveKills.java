// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.IOException;
import java.util.Arrays;

/**
 * Jobs whose ranks die at random moments inside saves and restores, engine after engine. Every job must end with every rank
 * right; see {@link SaveKillsRank} for what that means. Exit code 0 only then.
 */
public final class SaveKills {
  private SaveKills() {}

  /**
   * Arguments: how many jobs per engine, deaths in each, the first seed, then engines, each with its JVM options, as one word.
   */
  public static void main(String[] args) throws IOException {
    int jobs = Integer.parseInt(args[0]);
    int kills = Integer.parseInt(args[1]);
    long seed = Long.parseLong(args[2]);
    int bad = 0;
    int givenUp = 0;
    for (String engine : Arrays.asList(args).subList(3, args.length)) {
      for (int job = 0; job < jobs; job++) {
        String verdict = run(engine, seed + job, kills, Nodes.ofSeries());
        System.out.printf("%-24s seed %d  %s%n", engine, seed + job, verdict);
        givenUp += verdict.startsWith(GIVEN_UP) ? 1 : 0;
        bad += verdict.startsWith(RIGHT) || verdict.startsWith(GIVEN_UP) ? 0 : 1;
      }
    }
    System.out.printf("%d jobs with %d deaths each: %d right, %d ended for a restart because failures overlapped, %d bad%n",
        jobs * (args.length - 3), kills, jobs * (args.length - 3) - bad - givenUp, givenUp, bad);
    System.exit(bad == 0 ? 0 : 1);
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
