// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The figures that CoMD reports, by the names of the reference figures. */
final class ComdFigures {
  private ComdFigures() {}

  /** Collective. @param prints the number of prints after that of the start */
  static Map<String, Object> of(Dynamics dynamics, EnergyHistory history, int prints, double dt, int allAtoms) {
    double initial = history.total(0);
    double last = history.total(prints);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("initial_total_energy_per_atom", initial);
    figures.put("final_total_energy_per_atom", last);
    figures.put("eFinal_over_eInitial", last / initial);
    figures.put("eFinal_over_eInitial_printed", String.format(Locale.ROOT, "%f", last / initial));
    figures.put("atoms_initial", history.atoms(0));
    figures.put("atoms_final", history.atoms(prints));
    figures.put("atoms_lost", history.atoms(0) - history.atoms(prints));
    figures.put("per_print_step_per_atom_eV", history.entries(dt));
    figures.put("final_atom_gid0", atom(dynamics, 0));
    Map<String, Object> half = new LinkedHashMap<>();
    half.put("gid", allAtoms / 2);
    half.putAll(atom(dynamics, allAtoms / 2));
    figures.put("final_atom_gid_half", half);
    double[] sums = new double[6];
    dynamics.forEachSlot(slot -> addTo(sums, dynamics.atoms, slot));
    dynamics.sum(sums);
    figures.put("final_sum_momentum_xyz", new double[] {sums[3], sums[4], sums[5]});
    figures.put("final_sum_positions_xyz", new double[] {sums[0], sums[1], sums[2]});
    return figures;
  }

  /** One rank has it. */
  private static Map<String, Object> atom(Dynamics dynamics, int number) {
    double[] values = new double[6];
    dynamics.forEachSlot(slot -> {
      if (dynamics.atoms.id[slot] == number) {
        addTo(values, dynamics.atoms, slot);
      }
    });
    dynamics.sum(values);
    Map<String, Object> atom = new LinkedHashMap<>();
    String[] names = {"x", "y", "z", "px", "py", "pz"};
    for (int i = 0; i < names.length; i++) {
      atom.put(names[i], values[i]);
    }
    return atom;
  }

  private static void addTo(double[] sums, Atoms atoms, int slot) {
    sums[0] += atoms.x[slot];
    sums[1] += atoms.y[slot];
    sums[2] += atoms.z[slot];
    sums[3] += atoms.px[slot];
    sums[4] += atoms.py[slot];
    sums[5] += atoms.pz[slot];
  }
}
