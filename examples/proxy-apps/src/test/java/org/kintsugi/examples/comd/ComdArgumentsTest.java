// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class ComdArgumentsTest {
  @TempDir
  private Path folder;

  private static void check(String args) {
    Comd program = new Comd();
    new CommandLine(program).parseArgs(args.split(" "));
    program.check(1);
  }

  @ParameterizedTest
  @CsvSource({"-x 1073741824 -y 1073741824 -z 16, -y 1073741824", "-l 1e9, -l 1.0E9", "-x 800 -y 800 -z 800, more ranks",
      "-l 1, -l 1.0: up to", "-r 50, -r 50.0", "-N 10000000 -n 1, -n 10 would do", "-N 10000001, at most 10000000 each"})
  void refusesByNameWhatCannotWork(String args, String expected) {
    assertThatThrownBy(() -> check(args)).isInstanceOf(ParameterException.class).hasMessageContaining(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-r 1", "-N 10000000 -n 1000", "-N 0", "-x 4 -y 5 -z 6", "-x 9 -y 10 -z 11", "-l 3.2"})
  void takesWhatCanWork(String args) {
    assertThatCode(() -> check(args)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7, 9})
  void knowsHowManyAtomsTheFullestCellHas(int unitCells) {
    double cutoff = new LennardJones().cutoff();
    Crystal crystal = new Crystal(new int[] {unitCells, 6, 8}, 3.615, 0, 0);
    CellGrid grid = new CellGrid(new int[] {1, 1, 1}, 0, crystal.extent(), cutoff);
    Atoms atoms = new Atoms(grid);
    crystal.fill(atoms);
    int most = 0;
    for (int count : atoms.count) {
      most = Math.max(most, count);
    }
    assertThat(crystal.mostPerCell(new int[] {1, 1, 1}, cutoff)).isEqualTo(most);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-100, -11, 31.5, 1e300, Double.NaN, Double.NEGATIVE_INFINITY})
  void anAtomThatIsTooFarAwayIsNoticed(double coordinate) {
    CellGrid grid = new CellGrid(new int[] {1, 1, 1}, 0, new double[] {20, 30, 40}, 5.0);
    assertThatThrownBy(() -> grid.cellOf(coordinate, 1, 1)).hasMessageContaining("-D is too long");
    assertThat(grid.cellOf(-1e-12, 1, 1)).isEqualTo(grid.cell(-1, 0, 0));
    assertThat(grid.cellOf(Math.nextDown(-5.0), 1, 1)).isEqualTo(grid.cell(-1, 0, 0));
    assertThat(grid.cellOf(Math.nextUp(25.0), 1, 1)).isEqualTo(grid.cell(4, 0, 0));
  }

  private Path file(String header, int numbers) throws IOException {
    return Files.writeString(folder.resolve("some.eam"), "comment\n" + header + "\n" + "0.5 ".repeat(numbers));
  }

  @ParameterizedTest
  @CsvSource({"29 63.5 3.6 FCC 3 .1 3 .1 0, the cutoff is 0", "29 63.5 3.6 FCC 3 .1 3 .1 NaN, the cutoff is NaN",
      "29 63.5 3.6 FCC 3 0 3 .1 5, the step of densities is 0", "29 63.5 3.6 FCC 3 .1 3 -1 5, the step of distances is -1",
      "29 0 3.6 FCC 3 .1 3 .1 5, the mass is 0", "29 63.5 0 FCC 3 .1 3 .1 5, the lattice constant is 0",
      "29 63.5 3.6 FCC 1000000000 .1 3 .1 5, and has 9", "29 63.5 3.6 FCC 4 .1 3 .1 5, 10 numbers",
      "29 63.5 3.6 FCC 3 .1 2 .1 5, the number of distances is 2",
      "29 63.5 3.6 FCC 1e99 .1 2 .1 5, the number of densities is 1.0E99",
      "29 63.5 3.6 FCC x .1 2 .1 5, which is no number"})
  void aPotentialThatCannotBeIsRefusedByWhatIsWrong(String header, String expected) throws IOException {
    Path file = file(header, 9);
    assertThatThrownBy(() -> FuncflFile.read(file)).isInstanceOf(IOException.class).hasMessageContaining(file.toString())
        .hasMessageContaining(expected);
  }

  @Test
  void aPotentialMayBeShort() throws IOException {
    assertThat(FuncflFile.read(file("29 63.5 3.6 FCC 3 .1 3 .1 5", 9)).density()).hasSize(3);
    Path empty = Files.writeString(folder.resolve("empty.eam"), "");
    assertThatThrownBy(() -> FuncflFile.read(empty)).hasMessageContaining("it ends before the atomic number");
    assertThatThrownBy(() -> check("-e -d " + folder + " -p empty.eam")).isInstanceOf(ParameterException.class)
        .hasMessageContaining("empty.eam");
  }

  @Test
  void otherContentsHaveAnotherFingerprint() throws IOException {
    long one = FuncflFile.read(file("29 63.5 3.6 FCC 3 .1 3 .1 5", 9)).fingerprint();
    assertThat(FuncflFile.read(file("29 63.5 3.6 FCC 3 .1 3 .1 5", 9)).fingerprint()).isEqualTo(one).isNotZero();
    assertThat(FuncflFile.read(file("29 63.5 3.6 FCC 3 .1 3 .1 4.9", 9)).fingerprint()).isNotEqualTo(one);
  }
}
