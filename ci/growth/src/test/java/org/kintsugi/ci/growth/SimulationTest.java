// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On an ideal network the times of a recovery's steps are known. */
class SimulationTest {
  private static final double LATENCY = 1000;

  private static long[] ends(Machine machine, Costs costs, int processes) {
    return new Simulation(machine, new RecoveryScript(processes, costs, machine), Step.COUNT).run();
  }

  private static long length(long[] ends, Step step) {
    return ends[step.ordinal()] - ends[step.ordinal() - 1];
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8, 34, 64, 1000, 4096})
  void agreementsGoUpAndDownATree(int processes) {
    long[] ends = ends(Machine.ideal(LATENCY), Costs.none(8), processes);
    long agreement = Math.round(2 * Math.floor(Math.log(processes) / Math.log(2) + 1e-9) * LATENCY);
    assertThat(length(ends, Step.SHRINK)).isEqualTo(4 * agreement);
    // The leaves may begin one hop before the last process has ended the split.
    assertThat(length(ends, Step.AGREE)).isBetween(Math.max(0, agreement - Math.round(LATENCY)), agreement);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8, 34, 64, 1000, 4096})
  void gathersHaveAsManyRoundsAsTheLogarithm(int processes) {
    long[] ends = ends(Machine.ideal(LATENCY), Costs.none(8), processes);
    long gather = Math.round(Math.ceil(Math.log(processes) / Math.log(2) - 1e-9) * LATENCY);
    // A process that gets the result of the agreement early begins early.
    assertThat(length(ends, Step.GATHER)).isLessThanOrEqualTo(gather).isGreaterThanOrEqualTo(gather / 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 64, 1024, 4096})
  void reductionsGoUpAndDownABinomialTree(int processes) {
    long[] ends = ends(Machine.ideal(LATENCY), Costs.none(8), processes);
    int levels = Integer.numberOfTrailingZeros(processes);
    // A gather, and three reductions; the leaves may begin or end one hop before the last process.
    assertThat(length(ends, Step.SPLIT)).isBetween(Math.round((7 * levels - 1) * LATENCY), Math.round(7 * levels * LATENCY));
  }

  @Test
  void aGatherReceivesARowOfEachOtherProcess() {
    int processes = 64;
    Machine slow = new Machine(0, 0, Integer.MAX_VALUE, 0, 0, 0, 1);
    long[] ends = ends(slow, Costs.none(100), processes);
    assertThat(length(ends, Step.GATHER)).isEqualTo(100L * (processes - 1));
  }

  @Test
  void aNodeOfOneProcessHasFarMessagesOnly() {
    Machine far = new Machine(0, 0, 1, 1, LATENCY, 0, 0);
    assertThat(length(ends(far, Costs.none(8), 64), Step.SHRINK)).isEqualTo(Math.round(4 * 2 * 6 * LATENCY));
  }

  @Test
  void aFloodReachesAllInTheLogarithmOfHops() {
    // All but the first process would be notified after a second each; the spare, which no flood reaches, at once.
    Costs costs = new Costs(0, 1e9, -1023e9, new double[Step.COUNT], new double[Step.COUNT], 8);
    assertThat(ends(Machine.ideal(LATENCY), costs, 1024)[Step.REVOKE.ordinal()]).isLessThanOrEqualTo(Math.round(10 * LATENCY))
        .isGreaterThanOrEqualTo(Math.round(5 * LATENCY));
  }

  @Test
  void everyProcessFloodsItsNeighboursOnce() {
    Machine machine = Machine.ideal(LATENCY);
    Simulation simulation = new Simulation(machine, new RecoveryScript(64, Costs.none(8), machine), Step.COUNT);
    simulation.run();
    // 2 * 5 neighbours of 63 ranks; six agreements and three reductions; two gathers and a barrier of six rounds.
    assertThat(simulation.messages()).isEqualTo(63 * 10 + 9 * 2 * 63 + 3 * 6 * 64);
  }

  @Test
  void workOnSharedCoresIsDivided() {
    double[] fixed = new double[Step.COUNT];
    fixed[Step.UNWIND.ordinal()] = 1e6;
    Costs costs = new Costs(0, 0, 0, fixed, new double[Step.COUNT], 8);
    Machine two = new Machine(2, 10, Integer.MAX_VALUE, 0, 0, 0, 0);
    assertThat(ends(two, costs, 16)[Step.UNWIND.ordinal()] / 1e6).isCloseTo(8, within(0.1));
    assertThat(ends(Machine.ideal(0), costs, 16)[Step.UNWIND.ordinal()] / 1e6).isCloseTo(1, within(0.1));
  }

  @Test
  void turnsInVainDelayTheOthers() {
    Machine quick = new Machine(2, 100, Integer.MAX_VALUE, 300, 300, 500, 0);
    Machine slow = new Machine(2, 5000, Integer.MAX_VALUE, 300, 300, 500, 0);
    assertThat(ends(slow, Costs.none(8), 32)[Step.ENTER.ordinal()])
        .isGreaterThan(4 * ends(quick, Costs.none(8), 32)[Step.ENTER.ordinal()]);
  }

  @Test
  void isTheSameEachTime() {
    Machine machine = Machine.ofThePaper();
    assertThat(ends(machine, Costs.none(36), 500)).isEqualTo(ends(machine, Costs.none(36), 500));
  }

  @Test
  void saysThatAMessageIsNotSent() {
    Script waits = new Script() {
      @Override
      public int processes() {
        return 2;
      }

      @Override
      public boolean at(int process, int phase, int index, Operation next) {
        next.receive(1 - process);
        return true;
      }
    };
    assertThatThrownBy(() -> new Simulation(Machine.ideal(1), waits, 1).run()).hasMessageContaining("2 of 2 processes wait");
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 1000, 10_000})
  void theFormulaIsNear(int processes) {
    double[] fixed = new double[Step.COUNT];
    fixed[Step.UNWIND.ordinal()] = 300_000;
    fixed[Step.SHRINK.ordinal()] = 100_000;
    Costs costs = new Costs(500_000, 2000, 0, fixed, new double[Step.COUNT], 36);
    Machine machine = Machine.ofThePaper();
    double simulated = ends(machine, costs, processes)[Step.ENTER.ordinal()];
    assertThat(new Model(machine, costs).total(processes)).isCloseTo(simulated, within(0.2 * simulated));
  }
}
