// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.soak.Features;
import org.kintsugi.ci.soak.Threads;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** A job each of workloads of `make soak` that no other test is like; the series there has hundreds. */
@Tag("flavours")
class WorkloadsTest {
  private static final int RANKS = 6;
  private static final int DEATHS = 2;

  private static void run(Class<?> workload) {
    String seed = String.valueOf(System.nanoTime() % 100_000);
    RankJob.Outcome outcome =
        RankJob.of(RANKS, DEATHS).compiledAsForUsers().timeoutSeconds(180)
            .jvm("-Xmx128m", "-Dkintsugi.recovery.timeout.seconds=30")
            .run(workload, seed, String.valueOf(DEATHS), "50", "400");
    assertThat(outcome.exitCode()).as("seed " + seed + ": " + outcome.output()).isZero();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as("seed " + seed + ": " + outcome.output()).containsOnly(DEATHS + " recoveries");
  }

  @Test
  void aProgramOfManyFeaturesOutlivesDeaths() {
    run(Features.class);
  }

  @Test
  void severalThreadsInsideMpiOutliveDeaths() {
    RankJob.assumeFlavour(Flavour.ULFM, "the fork has no ThreadLevel.MULTIPLE");
    run(Threads.class);
  }
}
