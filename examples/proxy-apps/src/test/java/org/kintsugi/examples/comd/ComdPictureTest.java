// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.kintsugi.examples.app.Sample;

class ComdPictureTest {
  private static final int CELLS = 6;
  private static final double EDGE = 3.615;
  /** Atoms of a unit cell. */
  private static final int BASIS = 4;

  private static Atoms atoms(Crystal crystal) {
    Atoms atoms = new Atoms(new CellGrid(new int[] {1, 1, 1}, 0, crystal.extent(), 5.0));
    crystal.fill(atoms);
    return atoms;
  }

  @Test
  void aLayerHasTwoAtomsOfEachCellAtRest() {
    Crystal crystal = new Crystal(new int[] {CELLS, CELLS, CELLS}, EDGE, 0, 0);
    Sample layer = ComdPicture.middleLayer(atoms(crystal), crystal);
    assertThat(layer.size()).isEqualTo(2 * CELLS * CELLS);
    assertThat(layer.value()).containsOnly(0.0);
    assertThat(Arrays.stream(layer.x())).allMatch(x -> x > 0 && x < CELLS * EDGE);
  }

  @Test
  void anAtomThatHasLeftTheBoxIsNearItsSite() {
    Crystal crystal = new Crystal(new int[] {CELLS, CELLS, CELLS}, EDGE, 0, 0);
    Atoms atoms = atoms(crystal);
    // The first atom of the first unit cell of that layer.
    int number = BASIS * (CELLS / 2);
    int slot = IntStream.range(0, atoms.grid.localCells)
        .flatMap(cell -> IntStream.range(cell * Atoms.ROOM, cell * Atoms.ROOM + atoms.count[cell]))
        .filter(one -> atoms.id[one] == number).findFirst().orElseThrow();
    // 0.3 away along x, seen from the other end of the box, and 0.4 along y.
    atoms.x[slot] += CELLS * EDGE - 0.3;
    atoms.y[slot] += 0.4;
    assertThat(ComdPicture.middleLayer(atoms, crystal).greatest()).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void classesAreAsWideAsPeopleCount() {
    assertThat(ComdPicture.step(0.7)).isCloseTo(0.1, within(1e-15));
    assertThat(ComdPicture.step(0.71)).isCloseTo(0.2, within(1e-15));
    assertThat(ComdPicture.step(30)).isCloseTo(5, within(1e-12));
    assertThat(ComdPicture.step(0)).isPositive();
  }
}
