// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.ci.checkpoint.Installed;
import org.kintsugi.test.RankJob;

/** Processes die while they store: what comes back is never half, never mixed, and never older than what it must be. */
@Tag("flavours")
class PersistKillTest {
  private static final int RANKS = 3;

  @TempDir
  private Path local;

  @ParameterizedTest(name = "{0}, rank {1} after {2} ms, {3} deaths")
  @CsvSource("memory,1,37,1")
  void whatASendHasReturnedFromComesBack(String store, int victim, int millis, int deaths) {
    boolean quick = store.equals("memory");
    boolean scr = store.equals("scr");
    if (scr) {
      Installed.orSkip("scr");
    }
    RankJob.Outcome outcome = RankJob.of(RANKS, deaths).timeoutSeconds(180)
        .jvm("-Dkintsugi.recovery.timeout.seconds=30", "-Dkintsugi.checkpoint.local.dir=" + local)
        .run(PersistScenario.class, store, "20", quick ? "20" : "3", String.valueOf(victim), String.valueOf(millis),
            String.valueOf(deaths));
    assertThat(outcome.output()).doesNotContain("WRONG");
    outcome.assertSuccess();
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(outcome.reports().get(String.valueOf(rank))).as("rank " + rank + ": " + outcome.output())
          .isEqualTo(deaths + " true true");
    }
  }

  /** Stores do the same under both. */
  @Tag("once")
  @ParameterizedTest(name = "{0}, rank {1} after {2} ms, {3} deaths")
  @CsvSource("jdbc,0,90,2")
  void aReturnedSendComesBackFromADatabase(String store, int victim, int millis, int deaths) {
    whatASendHasReturnedFromComesBack(store, victim, millis, deaths);
  }

  @Tag("series")
  @ParameterizedTest(name = "{0}, rank {1} after {2} ms, {3} deaths")
  @CsvSource({"memory,0,71,2", "file,0,53,2", "scr,1,40,1", "scr,0,15,2"})
  void aReturnedSendComesBackFromOtherStoresAndAfterOtherFailures(String store, int victim, int millis, int deaths) {
    whatASendHasReturnedFromComesBack(store, victim, millis, deaths);
  }
}
