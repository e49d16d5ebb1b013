// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.ci.soak.LongMessages;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * Ranks die while a ring passes on messages of some MiB in short-lived memory.
 *
 * <p>If MPI still touches this memory after a rollback, that is a crash, or damages other data.
 */
@Tag("flavours")
@Execution(ExecutionMode.SAME_THREAD)
class LongMessagesTest {
  private static final boolean IS_REINIT = RankJob.flavour() == Flavour.REINIT;
  private static final int RANKS = 6;
  /** With ULFM each takes one of the spares. */
  private static final int DEATHS = IS_REINIT ? 8 : 2;
  private static final long LIMIT_SECONDS = 180;
  private static final String SHORTEST_LIFE_MILLIS = "10";
  private static final String LONGEST_LIFE_MILLIS = "200";

  @Test
  void memoryIsKeptUntilTheRollbackIsOver() {
    String seed = String.valueOf(System.nanoTime() % 100_000);
    RankJob job =
        LongMessages.withoutMercy(RankJob.of(RANKS, IS_REINIT ? 0 : DEATHS).compiledAsForUsers()).timeoutSeconds(LIMIT_SECONDS)
            .jvm("-Xmx128m", "-Dkintsugi.recovery.timeout.seconds=30");
    RankJob.Outcome outcome =
        job.run(LongMessages.class, seed, String.valueOf(DEATHS), SHORTEST_LIFE_MILLIS, LONGEST_LIFE_MILLIS);
    assertThat(outcome.exitCode()).as("seed " + seed + ": " + outcome.output()).isZero();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly(DEATHS + " recoveries");
  }
}
