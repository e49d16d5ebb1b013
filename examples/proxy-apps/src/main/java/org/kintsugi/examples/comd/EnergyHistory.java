// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.checkpoint.Checkpoint;

/** Energies at every print; they go back with the state. */
final class EnergyHistory {
  private final int stepsPerPrint;
  private final double[] potential;
  private final double[] kinetic;
  private final double[] atoms;
  /** How many are there: a checkpoint has these, and not the room for those to come. */
  private int count;

  /** A history of the start and a number of prints. */
  EnergyHistory(int prints, int stepsPerPrint) {
    this.stepsPerPrint = stepsPerPrint;
    potential = new double[prints + 1];
    kinetic = new double[prints + 1];
    atoms = new double[prints + 1];
  }

  void protect(Checkpoint checkpoint) {
    protect(checkpoint, "potentialEnergies", potential);
    protect(checkpoint, "kineticEnergies", kinetic);
    protect(checkpoint, "atomCounts", atoms);
  }

  private void protect(Checkpoint checkpoint, String name, double[] values) {
    checkpoint.protect(name, () -> Arrays.copyOf(values, count), restored -> {
      count = restored.length;
      System.arraycopy(restored, 0, values, 0, count);
    });
  }

  /** Notes the energies of all ranks. Collective. @param print 0: the start */
  void add(int print, Dynamics dynamics) {
    double[] sums = dynamics.sum(dynamics.potentialEnergy(), dynamics.kineticEnergy(), dynamics.atoms.localAtoms());
    potential[print] = sums[0];
    kinetic[print] = sums[1];
    atoms[print] = sums[2];
    count = print + 1;
  }

  /** Per atom, in eV. */
  double total(int print) {
    return (potential[print] + kinetic[print]) / atoms[print];
  }

  long atoms(int print) {
    return (long) atoms[print];
  }

  /** One for each print, energies per atom in eV. */
  List<Map<String, Object>> entries(double dt) {
    List<Map<String, Object>> entries = new ArrayList<>();
    for (int print = 0; print < atoms.length; print++) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("step", print * stepsPerPrint);
      entry.put("time_fs", print * stepsPerPrint * dt);
      entry.put("total", total(print));
      entry.put("potential", potential[print] / atoms[print]);
      entry.put("kinetic", kinetic[print] / atoms[print]);
      entry.put("temperature", Dynamics.temperature(kinetic[print], atoms(print)));
      entry.put("atoms", atoms(print));
      entries.add(entry);
    }
    return entries;
  }
}
