// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.examples.reference.ReferenceCase;

/** The physics without MPI. */
class DynamicsTest {
  private static final Potential LENNARD_JONES = new LennardJones();

  private static Dynamics dynamics(int unitCells, double temperature, double displacement, Potential potential) {
    Crystal crystal =
        new Crystal(new int[] {unitCells, unitCells, unitCells}, potential.latticeConstant(), temperature, displacement);
    CellGrid grid = new CellGrid(new int[] {1, 1, 1}, 0, crystal.extent(), potential.cutoff());
    Dynamics dynamics = new Dynamics(grid, crystal, potential, null);
    dynamics.begin();
    return dynamics;
  }

  static List<ReferenceCase> cases() throws IOException {
    return ReferenceCase.all("comd").stream().filter(one -> one.ranks() == 1 && !one.command().contains("-e ")
        && one.params().get("nx").asInt() <= 12).toList();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void givesTheFiguresOfTheOriginal(ReferenceCase reference) {
    int unitCells = reference.params().get("nx").asInt();
    int steps = reference.params().get("nSteps").asInt();
    int stepsPerPrint = reference.params().get("printRate").asInt();
    EnergyHistory history = new EnergyHistory(steps / stepsPerPrint, stepsPerPrint);
    try (Dynamics dynamics = dynamics(unitCells, reference.params().get("temperature_K").asDouble(),
        reference.params().get("initial_delta").asDouble(), LENNARD_JONES)) {
      history.add(0, dynamics);
      for (int step = 1; step <= steps; step++) {
        dynamics.step(1.0);
        if (step % stepsPerPrint == 0) {
          history.add(step / stepsPerPrint, dynamics);
        }
      }
      JsonNode result = new ObjectMapper().valueToTree(Map.of("figures", ComdFigures.of(dynamics, history,
          steps / stepsPerPrint, 1.0, 4 * unitCells * unitCells * unitCells)));
      assertThat(reference.differences(result)).isEmpty();
    }
  }

  /** Each force is the slope of the energy, by differences; the potential is made up. */
  @Test
  void forcesOfEmbeddedAtomsAreTheSlopeOfTheirEnergy() {
    try (Dynamics dynamics = dynamics(4, 0.0, 0.1, new EmbeddedAtom(madeUp()))) {
      Atoms atoms = dynamics.atoms;
      int slot = 3;
      int number = atoms.id[slot];
      double force = atoms.fx[slot];
      double at = atoms.x[slot];
      double h = 1e-5;
      double below = energyWith(dynamics, slot, at - h);
      double above = energyWith(dynamics, slot, at + h);
      assertThat(atoms.id[slot]).isEqualTo(number);
      assertThat((below - above) / (2 * h)).isCloseTo(force, within(1e-3 * Math.abs(force) + 1e-6));
    }
  }

  /** In a step too short for anything to move. */
  private static double energyWith(Dynamics dynamics, int slot, double x) {
    dynamics.atoms.x[slot] = x;
    dynamics.step(1e-12);
    return dynamics.potentialEnergy();
  }

  private static FuncflFile madeUp() {
    int count = 500;
    double cutoff = 4.95;
    double[] embedding = new double[count];
    double[] pair = new double[count];
    double[] density = new double[count];
    for (int i = 0; i < count; i++) {
      double r = i * 0.01;
      double left = Math.max(0.0, cutoff - r);
      embedding[i] = -Math.sqrt(1.0 + i * 0.1);
      pair[i] = left * left * left * 0.01;
      density[i] = left * left * left * left * 0.01;
    }
    return new FuncflFile("made-up", 63.55, 3.615, 0.1, 0.01, cutoff, embedding, pair, density);
  }

  @Test
  void everyCellHasItsOwnNumber() {
    CellGrid grid = new CellGrid(new int[] {1, 1, 1}, 0, new double[] {20, 30, 40}, 5.0);
    Set<Integer> numbers = new HashSet<>();
    for (int cell : grid.block(-1, 4, -1, 6, -1, 8)) {
      numbers.add(cell);
    }
    assertThat(numbers).hasSize(grid.allCells).allMatch(number -> number >= 0 && number < grid.allCells);
    assertThat(grid.cell(0, 0, 0)).isZero();
    assertThat(grid.cell(-1, 0, 0)).isEqualTo(grid.localCells);
  }

  @Test
  void whatIsPackedComesBack() {
    try (Dynamics dynamics = dynamics(4, 600.0, 0.0, LENNARD_JONES)) {
      double[] packed = dynamics.atoms.pack();
      dynamics.step(1.0);
      double[] next = dynamics.atoms.pack();
      dynamics.atoms.unpack(packed);
      assertThat(dynamics.atoms.pack()).isEqualTo(packed);
      dynamics.step(1.0);
      assertThat(dynamics.atoms.pack()).isEqualTo(next);
    }
  }
}
