// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.test.RankJob;

/** Random calls of MPI, each compared with its definition; {@code make calls} has 15,000 on each number of ranks. */
@Tag("once")
class RandomCallsTest {
  private static final int CALLS = 1500;
  private static final int LONG_CALLS = 10_000;
  /** Of the short tests always the same, so that a failure comes from a change; the series draws new calls. */
  private static final long SEED = 1;

  private static void run(RankJob job, long ofCalls, int calls, String... options) {
    String seed = String.valueOf(ofCalls);
    String[] arguments = new String[options.length + 4];
    arguments[0] = "--seed";
    arguments[1] = seed;
    arguments[2] = "--calls";
    arguments[3] = String.valueOf(calls);
    System.arraycopy(options, 0, arguments, 4, options.length);
    RankJob.Outcome outcome = job.jvm("-Xmx256m").run(RandomCalls.class, arguments);
    assertThat(outcome.assertSuccess().reports()).as("seed %s: %s", seed, outcome.output()).containsKey("calls");
  }

  @Test
  void callsDoWhatTheirDefinitionSays() {
    run(RankJob.of(4, 0), SEED, CALLS);
  }

  /** Open MPI 5.0.7 works in the memory of a rank that gets nothing: MPI_Reduce_scatter in place with counts 0, 3, 0, 0. */
  @Test
  void inputThatTheResultDoesNotReplaceStays() {
    run(RankJob.of(4, 0), 701, 1, "--only", "4212");
  }

  /** Rank 1 dies between two saves, and its replacement later. */
  @Test
  void callsAfterARecoveryDoAsWell() {
    run(RankJob.of(3, 2).kill("process:1@350").kill("process:1@770"), SEED, CALLS, "--deaths");
  }

  @Tag("series")
  @Test
  void callsHaveTheRightResultsOnAnyNumberOfRanks() {
    for (int ranks = 1; ranks <= 7; ranks++) {
      run(RankJob.of(ranks, 0).compiledAsForUsers().timeoutSeconds(600), System.nanoTime() % 100_000, LONG_CALLS);
    }
  }
}
