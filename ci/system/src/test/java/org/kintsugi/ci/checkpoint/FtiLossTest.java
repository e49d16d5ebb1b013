// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.launch.Job;
import org.kintsugi.test.RankJob;

/** The losses that FTI's levels outlive, and damaged files: never a wrong version, and the older one where there is one. */
@Tag("flavours")
@Tag("once")
class FtiLossTest {
  private static final int RANKS = 4;

  @TempDir
  private Path folder;

  private RankJob job(int ranks, String... options) {
    Installed.orSkip("fti");
    return RankJob.of(ranks, 1).jvm("-Dkintsugi.checkpoint.store=fti", "-Dkintsugi.checkpoint.dir=" + folder.resolve("shared"),
        "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local")).jvm(options);
  }

  private String after(String loss, String level) {
    RankJob.Outcome outcome =
        job(RANKS, "-Dkintsugi.fti.levels=" + level).run(FtiLossRanks.class, loss).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).as("all go on from the same").containsOnly(outcome.reports().get("0"));
    return outcome.reports().get("0") + (outcome.output().contains("FTI cannot recover") ? ", and it is said" : "");
  }

  @ParameterizedTest
  @ValueSource(strings = "3")
  void aLostNodeIsOutlived(String level) {
    assertThat(after("all", level)).isEqualTo(String.valueOf(FtiLossRanks.STRUCK));
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = {"2", "4"})
  void aLostNodeIsOutlivedOnTheOtherLevels(String level) {
    aLostNodeIsOutlived(level);
  }

  @Test
  void atLevel1ItIsNot() {
    assertThat(after("all", "1")).isEqualTo("none, and it is said");
  }

  @Test
  void theOlderVersionIsTakenWhereTheNewestIsLost() {
    assertThat(after("newest", "1")).isEqualTo(FtiLossRanks.STRUCK - 1 + ", and it is said");
  }

  @Test
  void theOlderVersionIsTakenWhereABitOfTheNewestIsFlipped() {
    assertThat(after("bit", "1")).isEqualTo(FtiLossRanks.STRUCK - 1 + ", and it is said");
  }

  @Test
  void aFolderThatIsGoneIsSaidOnAllRanksAndMadeAgain() {
    assertThat(after("folder", "1")).isEqualTo("1 refused, [9, 10]");
  }

  @Tag("series")
  @Test
  void whatIsKeptIsForTheSameNumberOfRanks() {
    job(2, "-Dkintsugi.fti.keep=true", "-Dkintsugi.fti.levels=1").run(FtiLossRanks.class, "bit").assertSuccess();
    RankJob.Outcome again = job(2, "-Dkintsugi.fti.keep=true", "-Dkintsugi.fti.levels=1").run(FtiLossRanks.class, "bit");
    assertThat(again.assertSuccess().reports()).containsEntry("0", "10").containsEntry("1", "10");
    RankJob.Outcome other = job(RANKS, "-Dkintsugi.fti.levels=1").run(FtiLossRanks.class, "bit");
    assertThat(other.exitCode()).as(other.output()).isNotIn(0, Job.TIMED_OUT);
    assertThat(other.output()).contains("were written by 2 rank(s)").contains("now there are 4 rank(s)")
        .contains(folder.toString());
  }
}
