// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.reinit.SettingSamples;

/** Settings at which FTI would crash, hang or silently do nothing are refused, and the message names setting, value and rule. */
@Isolated("sets properties")
class FtiRulesTest {
  private static final CheckpointConfig[] SETTINGS = {
      CheckpointConfig.FTI_LEVELS, CheckpointConfig.FTI_NODE_SIZE, CheckpointConfig.FTI_GROUP_SIZE, CheckpointConfig.FTI_NODES,
      CheckpointConfig.FTI_BLOCK_KILOBYTES, CheckpointConfig.FTI_VERBOSITY};

  @AfterEach
  void defaultsAgain() {
    for (CheckpointConfig setting : SETTINGS) {
      System.clearProperty(setting.property());
    }
  }

  private static void set(CheckpointConfig setting, String value) {
    System.setProperty(setting.property(), value);
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "8, 4", "12, 4", "6, 3", "2, 2", "3, 3", "5, 5", "10, 2", "49, 7", "31, 31", "1, 1", "37, 1"})
  void aGroupSizeIsFound(int ranks, int expected) {
    assertThat(FtiRules.ofJob(ranks).groupSize()).isEqualTo(expected);
  }

  @Test
  void withoutGroupsThereAreNoLevels2And3() {
    FtiRules rules = FtiRules.ofJob(1);
    assertThat(IntStream.rangeClosed(1, 100).map(rules::levelOf).distinct().sorted()).containsExactly(1, 4);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      FTI_NODE_SIZE       | 0    | expected 1 or more
      FTI_NODE_SIZE       | 3    | 4 rank(s) cannot be divided into nodes of 3
      FTI_NODE_SIZE       | -1   | expected a whole number
      FTI_GROUP_SIZE      | 0    | expected 1 to 31
      FTI_GROUP_SIZE      | 32   | expected 1 to 31
      FTI_GROUP_SIZE      | 3    | 4 node(s) cannot be divided into groups of 3
      FTI_GROUP_SIZE      | x    | expected a whole number
      FTI_LEVELS          | 5    | FTI's levels are 1 to 4
      FTI_LEVELS          | 1,x:2| FTI's levels are 1 to 4
      FTI_LEVELS          | 2,1:4| FTI's levels are 1 to 4
      FTI_LEVELS          | 1:2  | the first level is the one for every save
      FTI_BLOCK_KILOBYTES | 0    | expected 1 to 2048
      FTI_BLOCK_KILOBYTES | 2049 | expected 1 to 2048
      FTI_VERBOSITY       | 0    | expected 1 to 3
      FTI_VERBOSITY       | 4    | expected 1 to 3
      FTI_NODES           | both | expected ranks or hosts
      """)
  void whatFtiCannotTakeIsRefused(CheckpointConfig setting, String value, String why) {
    set(setting, value);
    assertThatThrownBy(() -> FtiRules.ofJob(4)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-D" + setting.property() + "=" + value).hasMessageContaining(why);
  }

  @Test
  void theLauncherTakesTheSame() {
    for (CheckpointConfig setting : SETTINGS) {
      SettingSamples.judge(setting, () -> FtiRules.ofJob(SettingSamples.RANKS));
    }
    SettingSamples.judge(CheckpointConfig.FTI_KEEP, CheckpointConfig.FTI_KEEP::booleanValue);
  }

  @Test
  void levels2And3NeedGroups() {
    set(CheckpointConfig.FTI_GROUP_SIZE, "1");
    set(CheckpointConfig.FTI_LEVELS, "1,2:4");
    assertThatThrownBy(() -> FtiRules.ofJob(4)).hasMessageContaining("kintsugi.fti.group.size=1")
        .hasMessageContaining("groups of at least 2 nodes");
    set(CheckpointConfig.FTI_GROUP_SIZE, "auto");
    assertThatThrownBy(() -> FtiRules.ofJob(37)).hasMessageContaining("kintsugi.fti.levels=1,2:4")
        .hasMessageContaining("no divisor from 2 to 31");
    set(CheckpointConfig.FTI_LEVELS, "1,4:4");
    assertThat(FtiRules.ofJob(37).groupSize()).isEqualTo(1);
  }

  @Test
  void successiveSavesGoToTheSameLevel() {
    set(CheckpointConfig.FTI_LEVELS, "1,2:2,4:3");
    FtiRules rules = FtiRules.ofJob(4);
    assertThat(IntStream.rangeClosed(1, 12).map(rules::levelOf)).containsExactly(1, 1, 2, 2, 4, 4, 2, 2, 1, 1, 4, 4);
  }

  @Test
  void hostsMustCarryEquallyMany() {
    set(CheckpointConfig.FTI_NODES, "hosts");
    set(CheckpointConfig.FTI_NODE_SIZE, "2");
    FtiRules rules = FtiRules.ofJob(4);
    rules.checkHosts(new long[] {7, 7, 9, 9});
    rules.checkHosts(new long[] {7, 9, 7, 9});
    assertThatThrownBy(() -> rules.checkHosts(new long[] {7, 7, 7, 9})).isInstanceOf(CheckpointException.class)
        .hasMessageContaining("exactly kintsugi.fti.node.size=2").hasMessageContaining("3 are on that of rank 0");
  }

  @Test
  void whatIsOutlivedIsSaid() {
    set(CheckpointConfig.FTI_LEVELS, "1,2:2,3:4");
    FtiRules rules = FtiRules.ofJob(4);
    assertThat(rules.redundancy(new long[] {1, 1, 1, 1})).contains("Not the loss of a host at L2 and L3")
        .contains("not the loss of all hosts");
    assertThat(rules.redundancy(new long[] {1, 2, 3, 4})).contains("the loss of a host, at L2 and L3").doesNotContain("Not the");
    assertThat(rules.redundancy(new long[] {1, 2, 1, 2})).contains("the loss of a host, at L2 and L3");
    assertThat(rules.redundancy(new long[] {1, 1, 2, 2})).contains("the loss of a host, at L3")
        .contains("Not the loss of a host at L2:");
  }
}
