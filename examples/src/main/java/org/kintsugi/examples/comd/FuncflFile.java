// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringTokenizer;

/**
 * A potential in the format {@code funcfl}: a comment; atomic number, mass, lattice and type; counts, steps and the cutoff;
 * then the embedding energy over the density, the charge over the distance, and the density over the distance.
 *
 * @param name of the file
 * @param mass of an atom, in atomic mass units
 * @param latticeConstant in Angstrom
 * @param densityStep of the embedding energy's table
 * @param distanceStep of the others, in Angstrom
 * @param cutoff in Angstrom
 * @param embedding energy of an atom in a density, in eV
 * @param pair energy of two atoms, in eV
 * @param density that an atom makes at a distance
 */
record FuncflFile(String name, double mass, double latticeConstant, double densityStep, double distanceStep, double cutoff,
    double[] embedding, double[] pair, double[] density) {
  /**
   * Reads it.
   *
   * @throws IOException if it cannot be read, or is no such file; says what is wrong
   */
  static FuncflFile read(Path file) throws IOException {
    String text = Files.readString(file);
    int afterComment = text.indexOf('\n') + 1;
    // Some write exponents as Fortran does.
    StringTokenizer words = new StringTokenizer(text.substring(afterComment).replace('D', 'E'));
    try {
      words.nextToken();
      double mass = number(words);
      double latticeConstant = number(words);
      words.nextToken();
      int densities = Integer.parseInt(words.nextToken());
      double densityStep = number(words);
      int distances = Integer.parseInt(words.nextToken());
      double distanceStep = number(words);
      double cutoff = number(words);
      double[] embedding = numbers(words, densities);
      double[] pair = pairEnergy(numbers(words, distances), distanceStep);
      double[] density = numbers(words, distances);
      return new FuncflFile(file.getFileName().toString(), mass, latticeConstant, densityStep, distanceStep, cutoff, embedding,
          pair, density);
    } catch (RuntimeException e) {
      throw new IOException(file + " is no potential in the format funcfl: " + e.getMessage(), e);
    }
  }

  private static double number(StringTokenizer words) {
    return Double.parseDouble(words.nextToken());
  }

  private static double[] numbers(StringTokenizer words, int count) {
    double[] numbers = new double[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = number(words);
    }
    return numbers;
  }

  /** Two charges at each distance; at none, what the next two distances point to. */
  private static double[] pairEnergy(double[] charge, double step) {
    double[] energy = new double[charge.length];
    for (int k = 1; k < charge.length; k++) {
      energy[k] = charge[k] * charge[k] / (k * step) * Units.HARTREE_BOHR;
    }
    energy[0] = 2.0 * energy[1] - energy[2];
    return energy;
  }
}
