// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.StringTokenizer;
import java.util.stream.DoubleStream;
import java.util.zip.CRC32;

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
  /** The energy at no distance follows from the next two. */
  private static final int LEAST_VALUES = 3;

  /**
   * Reads it.
   *
   * @throws IOException if it cannot be read, or is no funcfl file; says what is wrong
   */
  static FuncflFile read(Path file) throws IOException {
    String text = Files.readString(file);
    int afterComment = text.indexOf('\n') + 1;
    // Some write exponents as Fortran does.
    StringTokenizer words = new StringTokenizer(text.substring(afterComment).replace('D', 'E'));
    try {
      return read(file.getFileName().toString(), words);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is no potential in the format funcfl: " + e.getMessage(), e);
    }
  }

  private static FuncflFile read(String name, StringTokenizer words) {
    word(words, "the atomic number");
    double mass = positive(words, "the mass");
    double latticeConstant = positive(words, "the lattice constant");
    word(words, "the type of lattice");
    int densities = count(words, "densities");
    double densityStep = positive(words, "the step of densities");
    int distances = count(words, "distances");
    double distanceStep = positive(words, "the step of distances");
    double cutoff = positive(words, "the cutoff");
    long needed = densities + 2L * distances;
    int there = words.countTokens();
    if (there < needed) {
      throw new IllegalArgumentException(
          "it says that there are " + densities + " densities and " + distances + " distances, which is "
              + needed + " numbers, and has " + there);
    }
    double[] embedding = numbers(words, densities, "the embedding energy");
    double[] pair = pairEnergy(numbers(words, distances, "the charge"), distanceStep);
    double[] density = numbers(words, distances, "the density");
    return new FuncflFile(name, mass, latticeConstant, densityStep, distanceStep, cutoff, embedding, pair, density);
  }

  /** Another number for other contents. */
  long fingerprint() {
    CRC32 crc = new CRC32();
    ByteBuffer numbers = ByteBuffer.allocate(Double.BYTES);
    DoubleStream.of(mass, latticeConstant, densityStep, distanceStep, cutoff).forEach(number -> update(crc, numbers, number));
    for (double[] table : List.of(embedding, pair, density)) {
      Arrays.stream(table).forEach(number -> update(crc, numbers, number));
    }
    return crc.getValue() + 1; // 0 says that there is no file
  }

  private static void update(CRC32 crc, ByteBuffer bytes, double number) {
    crc.update(bytes.clear().putDouble(number).flip());
  }

  private static String word(StringTokenizer words, String name) {
    if (!words.hasMoreTokens()) {
      throw new IllegalArgumentException("it ends before " + name);
    }
    return words.nextToken();
  }

  private static double number(StringTokenizer words, String name) {
    String word = word(words, name);
    double number;
    try {
      number = Double.parseDouble(word);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is " + word + ", which is no number", e);
    }
    if (!Double.isFinite(number)) {
      throw new IllegalArgumentException(name + " is " + word + ", which is not finite");
    }
    return number;
  }

  private static double positive(StringTokenizer words, String name) {
    double number = number(words, name);
    if (number <= 0) {
      throw new IllegalArgumentException(name + " is " + number + ", and has to be positive");
    }
    return number;
  }

  private static int count(StringTokenizer words, String name) {
    double count = number(words, "the number of " + name);
    if (count != (int) count || count < LEAST_VALUES) {
      throw new IllegalArgumentException("the number of " + name + " is " + count + ", and has to be whole and at least "
          + LEAST_VALUES);
    }
    return (int) count;
  }

  private static double[] numbers(StringTokenizer words, int count, String name) {
    double[] numbers = new double[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = number(words, name);
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
