// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kintsugi.reinit.RepairPlan.SPARE;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kintsugi.reinit.Provider.Ending;
import org.kintsugi.reinit.Provider.Verdict;

/** The assignment of places, from the rows of the living; worlds of four. */
class RepairPlanTest {
  private static final int SIZE = 4;
  private static final int EPOCH = 7;

  private static int[] row(int role, Ending ending) {
    return row(role, ending, Policy.RESTART, Admits.IN_FIRST_RUN);
  }

  private static int[] row(int role, Ending ending, Policy policy, int admits) {
    return RepairPlan.row(role, ending, EPOCH, SIZE, SIZE, policy, admits);
  }

  private static RepairPlan plan(int[]... rows) {
    return new RepairPlan(Arrays.stream(rows).flatMapToInt(IntStream::of).toArray());
  }

  /** All with this policy. */
  private static RepairPlan plan(Policy policy, int[]... rows) {
    for (int[] row : rows) {
      row[RepairPlan.POLICY] = policy.ordinal();
    }
    return plan(rows);
  }

  private static RepairPlan rolledBack(Policy policy, int... roles) {
    return plan(policy,
        Arrays.stream(roles).mapToObj(role -> row(role, role == SPARE ? Ending.DONE : Ending.ROLLED_BACK)).toArray(int[][]::new));
  }

  private static int[] roles(RepairPlan plan, int processes) {
    return IntStream.range(0, processes).map(plan::roleOf).toArray();
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void theLowestSparesFillTheHolesInAscendingOrder(Policy policy) {
    RepairPlan plan = rolledBack(policy, 0, SPARE, 2, SPARE, SPARE);
    assertThat(plan.verdict()).isEqualTo(Verdict.RECOVERED);
    assertThat(roles(plan, 5)).containsExactly(0, 1, 2, 3, SPARE);
    assertThat(plan.failedRanks()).containsExactly(1, 3);
    assertThat(plan.worldSize()).isEqualTo(SIZE);
    assertThat(plan.spares()).isOne();
    assertThat(plan.isSpawnNeeded()).isFalse();
  }

  @Test
  void ranksMayBeInAnyOrder() {
    assertThat(roles(rolledBack(Policy.RESTART, 3, SPARE, 0, 1), 4)).containsExactly(3, 2, 0, 1);
  }

  @Test
  void aDeadSpareCostsAnEpochAndNothingElse() {
    RepairPlan plan = rolledBack(Policy.RESTART, 0, 1, 2, 3);
    assertThat(plan.verdict()).isEqualTo(Verdict.RECOVERED);
    assertThat(plan.failedRanks()).isEmpty();
  }

  @Test
  void tooFewSparesAreARestart() {
    assertThat(rolledBack(Policy.RESTART, 0, SPARE, 2).verdict()).isEqualTo(Verdict.RESTART);
  }

  @Test
  void tooFewSparesShrinkTheWorldAndTheOrderOfRanksStays() {
    RepairPlan plan = rolledBack(Policy.SHRINK, 3, 0, 2);
    assertThat(plan.verdict()).isEqualTo(Verdict.RECOVERED);
    assertThat(roles(plan, 3)).containsExactly(2, 0, 1);
    assertThat(plan.worldSize()).isEqualTo(3);
    assertThat(plan.originalSize()).isEqualTo(SIZE);
    assertThat(plan.failedRanks()).containsExactly(1);
  }

  @Test
  void tooFewSparesAreSpawned() {
    RepairPlan plan = rolledBack(Policy.SPAWN_TOGETHER, 0, SPARE, 3);
    assertThat(plan.isSpawnNeeded()).isTrue();
    assertThat(plan.missing()).isOne();
  }

  /** SPAWN waits for processes that the launcher starts, and spawns none itself. */
  @Test
  void spawnWithoutProcessesThatMayComeIsARestart() {
    RepairPlan plan = rolledBack(Policy.SPAWN, 0, SPARE, 3);
    assertThat(plan.verdict()).isEqualTo(Verdict.RESTART);
    assertThat(plan.isSpawnNeeded()).isFalse();
  }

  @Test
  void aReplacementKnowsNothingAndGetsTheWholeState() {
    int[] newProcess = RepairPlan.row(SPARE, Ending.DONE, 0, 0, 0, Policy.SPAWN, Admits.IN_FIRST_RUN);
    RepairPlan plan =
        plan(Policy.SPAWN, row(0, Ending.ROLLED_BACK), row(1, Ending.ROLLED_BACK), row(3, Ending.ROLLED_BACK), newProcess);
    assertThat(roles(plan, 4)).containsExactly(0, 1, 3, 2);
    assertThat(plan.epoch()).isEqualTo(EPOCH);
    assertThat(plan.originalSize()).isEqualTo(SIZE);
    assertThat(plan.isSpawnNeeded()).isFalse();
  }

  @Test
  void theRunIsOverWhenEverybodyIsThereAndDone() {
    assertThat(plan(Policy.RESTART, row(0, Ending.DONE), row(1, Ending.DONE), row(2, Ending.DONE), row(3, Ending.DONE),
        row(SPARE, Ending.DONE)).verdict()).isEqualTo(Verdict.FINISHED);
  }

  @Test
  void aRankThatDiedAfterItsLastMessageIsReplacedAllTheSame() {
    assertThat(
        plan(Policy.RESTART, row(0, Ending.DONE), row(1, Ending.DONE), row(2, Ending.DONE), row(SPARE, Ending.DONE)).verdict())
        .isEqualTo(Verdict.RECOVERED);
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void oneThatThrewEndsTheRunWhateverIsMissing(Policy policy) {
    RepairPlan plan = plan(policy, row(0, Ending.THREW), row(1, Ending.ROLLED_BACK), row(2, Ending.ROLLED_BACK));
    assertThat(plan.verdict()).isEqualTo(Verdict.ABORTED);
    assertThat(plan.isSpawnNeeded()).isFalse();
  }

  /** All decide by the same rows, so what one process believes alone never takes it into another collective. */
  @Test
  void thePolicyIsThatOfTheFirstProcessOfTheRun() {
    int[] newProcess = RepairPlan.row(SPARE, Ending.DONE, 0, 0, 0, Policy.SPAWN, Admits.IN_FIRST_RUN);
    int[] shrinks = row(0, Ending.ROLLED_BACK, Policy.SHRINK, Admits.IN_FIRST_RUN);
    int[] restarts = row(1, Ending.ROLLED_BACK, Policy.RESTART, Admits.IN_FIRST_RUN);
    assertThat(plan(shrinks, restarts).verdict()).isEqualTo(Verdict.RECOVERED);
    assertThat(plan(restarts, shrinks).verdict()).isEqualTo(Verdict.RESTART);
    assertThat(plan(newProcess, restarts, shrinks).verdict()).isEqualTo(Verdict.RESTART);
  }

  @Test
  void newProcessesMayComeIfEverybodyKnowsOfThem() {
    int all = Admits.IN_FIRST_RUN | Admits.MAY_COME;
    RepairPlan waits =
        plan(row(0, Ending.ROLLED_BACK, Policy.SPAWN, all), row(1, Ending.ROLLED_BACK, Policy.SPAWN, all));
    assertThat(waits.mayCome()).isTrue();
    assertThat(waits.isSpawnNeeded()).isTrue();
    RepairPlan noneToCome =
        plan(row(0, Ending.ROLLED_BACK, Policy.SPAWN, all), row(1, Ending.ROLLED_BACK, Policy.SPAWN, Admits.IN_FIRST_RUN));
    assertThat(noneToCome.mayCome()).isFalse();
    assertThat(noneToCome.verdict()).isEqualTo(Verdict.RESTART);
    RepairPlan shrinks =
        plan(row(0, Ending.ROLLED_BACK, Policy.SHRINK, all), row(1, Ending.ROLLED_BACK, Policy.SHRINK, Admits.IN_FIRST_RUN));
    assertThat(shrinks.mayCome()).isFalse();
    assertThat(shrinks.isSpawnNeeded()).isFalse();
    assertThat(shrinks.verdict()).isEqualTo(Verdict.RECOVERED);
    RepairPlan laterRun =
        plan(row(0, Ending.ROLLED_BACK, Policy.SPAWN, all), row(1, Ending.ROLLED_BACK, Policy.SPAWN, 0));
    assertThat(laterRun.verdict()).isEqualTo(Verdict.RESTART);
  }
}
