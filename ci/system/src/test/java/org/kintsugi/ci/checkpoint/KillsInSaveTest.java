// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.ci.soak.Nodes;
import org.kintsugi.ci.soak.SaveKills;
import org.kintsugi.ci.soak.Tally;
import org.kintsugi.test.RankJob;

/** Ranks die at random moments inside saves and restores; {@code make saves} runs the long series. */
@Tag("flavours")
class KillsInSaveTest {
  private static final int KILLS = 3;
  private static final Tally TALLY = new Tally();

  @AfterAll
  static void fewDeathsAreLate() {
    System.out.println("KillsInSaveTest, " + RankJob.flavour() + ": " + TALLY);
    if (TALLY.hasJobs()) { // not where all are skipped
      assertThat(TALLY.objection()).as(TALLY.toString()).isEmpty();
    }
  }

  @Tag("series")
  @ParameterizedTest(name = "{0}, seed {1}")
  @CsvSource(delimiter = ' ', value = {"memory 11", "memory 12", "xor 13", "xor 14", "file 15", "file 16"})
  void otherEnginesAndSeeds(String engine, long seed) throws IOException {
    assertGoesOn(engine, seed);
  }

  /** By this seed the first dies in a save in the foreground, the second in the restore after it, the third in the background. */
  @ParameterizedTest(name = "{0}, seed {1}")
  @CsvSource(delimiter = ' ', value = "memory,xor:2,file:4 19")
  void everyRankGoesOnFromACompleteVersion(String engine, long seed) throws IOException {
    assertThat(assertGoesOn(engine, seed).inRestores()).as("deaths that were aimed at a restore").isEqualTo(1);
  }

  private static SaveKills.Verdict assertGoesOn(String engine, long seed) throws IOException {
    RankJob.mpiOrSkip();
    SaveKills.Verdict verdict = SaveKills.run(engine, seed, KILLS, Nodes.ONE);
    SaveKills.count(TALLY, verdict.text(), KILLS, verdict.late());
    assertThat(verdict.text()).startsWith(SaveKills.RIGHT);
    return verdict;
  }
}
