// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.ci.soak.Nodes;
import org.kintsugi.ci.soak.SaveKills;
import org.kintsugi.ci.soak.StageKills;
import org.kintsugi.ci.soak.StageKills.PlannedKills;
import org.kintsugi.ci.soak.Tally;
import org.kintsugi.test.RankJob;

/**
 * A rank dies in each save and each restore, every time at a later stage.
 *
 * <p>{@code make stages} has every stage.
 */
@Tag("flavours")
class StagesOfASaveTest {
  private static final int IN_SAVES = 3;
  private static final int COUNT = 4;
  private static final int MANY = 3;
  private static final Tally SAVES = new Tally();
  private static final Tally RESTORES = new Tally();

  @AfterAll
  static void fewDeathsAreLate() {
    System.out.println("StagesOfASaveTest, " + RankJob.flavour() + ", saves: " + SAVES);
    System.out.println("StagesOfASaveTest, " + RankJob.flavour() + ", restores: " + RESTORES);
    for (Tally tally : List.of(SAVES, RESTORES)) {
      if (tally.hasJobs()) { // not where all are skipped
        assertThat(tally.objection()).as(tally.toString()).isEmpty();
      }
    }
  }

  private static StageKills.Verdict assertGoesOn(String engine, PlannedKills deaths, Nodes nodes) throws IOException {
    RankJob.mpiOrSkip();
    if (engine.startsWith("fti") || engine.startsWith("scr")) {
      Installed.orSkip(engine.substring(0, 3));
    }
    StageKills.Verdict verdict = StageKills.run(engine, deaths, nodes);
    StageKills.count(deaths.inRestore() ? RESTORES : SAVES, deaths, verdict);
    assertThat(verdict.text()).startsWith(SaveKills.RIGHT);
    assertThat(verdict.stages()).as("stages that were counted").isPositive();
    assertThat(verdict.survived()).as("deaths that did not come at their stage").isLessThan(deaths.aimed());
    return verdict;
  }

  /** The engine, the rank that dies, and the stage of its first death. */
  @Tag("once")
  @ParameterizedTest(name = "{0}: rank {1} from stage {2} on")
  @CsvSource(delimiter = ';',
      value = {"xor; 3; 2", "scr -Dkintsugi.scr.type=XOR; 3; 6"})
  void deathsInSaves(String engine, int victim, int first) throws IOException {
    StageKills.Verdict verdict = assertGoesOn(engine, PlannedKills.inSaves(victim, IN_SAVES).from(first), Nodes.ONE);
    assertThat(verdict.survived()).as("deaths that did not come where they should").isLessThan(IN_SAVES - 1);
  }

  @Tag("series")
  @ParameterizedTest(name = "{0}: rank {1} from stage {2} on")
  @CsvSource(delimiter = ';',
      value = {"memory; 0; 1", "file; 0; 3", "fti -Dkintsugi.fti.levels=1; 0; 2", "fti -Dkintsugi.fti.levels=3; 3; 9"})
  void deathsInSavesOfOtherEnginesAndSchemes(String engine, int victim, int first) throws IOException {
    deathsInSaves(engine, victim, first);
  }

  @Tag("series")
  @ParameterizedTest(name = "{0}: rank {1} from stage {2} on")
  @CsvSource(delimiter = ';', value = {"file; 3; 2", "scr -Dkintsugi.scr.type=PARTNER; 0; 4"})
  void deathsInRestoresOfOtherEnginesAndSchemes(String engine, int victim, int first) throws IOException {
    deathsInRestores(engine, victim, first);
  }

  /** How many stages a restore has depends on where what it needs is; there may be few. */
  @Tag("once")
  @ParameterizedTest(name = "{0}: rank {1} from stage {2} on")
  @CsvSource(delimiter = ';', value = "memory; 3; 1")
  void deathsInRestores(String engine, int victim, int first) throws IOException {
    assertGoesOn(engine, PlannedKills.inRestores(victim, COUNT).from(first), Nodes.ONE);
  }

  /**
   * A failed process's files are lost with it.
   *
   * <p>What the others have written to rebuild them must not disturb the next attempt.
   */
  @Tag("once")
  @ParameterizedTest(name = "{0}: rank {1} from stage {2} on")
  @CsvSource(delimiter = ';', value = "scr -Dkintsugi.scr.type=XOR; 0; 46")
  void deathsWhileLostFilesAreRebuilt(String engine, int victim, int first) throws IOException {
    ScrNodes.requireNamespaces();
    assertGoesOn(engine, PlannedKills.inRestores(victim, MANY).from(first), Nodes.OWN);
  }

  @Tag("series")
  @ParameterizedTest(name = "{0}: rank {1} from stage {2} on")
  @CsvSource(delimiter = ';', value = "fti -Dkintsugi.fti.levels=3; 3; 20")
  void deathsWhileLostFilesOfOtherEnginesAreRebuilt(String engine, int victim, int first) throws IOException {
    deathsWhileLostFilesAreRebuilt(engine, victim, first);
  }

  /** Open MPI hands out what it could not make; revoking that was the end of the process. */
  @Tag("once")
  @Test
  void deathsWhereFtiMakesItsCommunicators() throws IOException {
    StageKills.Verdict verdict =
        assertGoesOn("fti -Dkintsugi.fti.levels=1", PlannedKills.inRestores(0, COUNT).at("MPI_Comm_create"), Nodes.ONE);
    assertThat(verdict.stages()).as("two communicators of each of the two instances of FTI").isGreaterThanOrEqualTo(4);
  }
}
