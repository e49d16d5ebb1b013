// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

/** Units: eV, Angstrom, fs; what follows from them, and copper. */
final class Units {
  /** Boltzmann's constant, in eV/K. */
  static final double BOLTZMANN = 8.6173324e-5;
  /** The atomic mass unit, in eV fs^2/Angstrom^2. */
  static final double MASS_UNIT = 1.660538921e-27 * 1e-10 * 1e-10 / (1e-15 * 1e-15 * 1.602176565e-19);
  /** Hartree times Bohr's radius, in eV Angstrom. */
  static final double HARTREE_BOHR = 27.21138505 * 0.52917721092;
  static final double COPPER_MASS = 63.55;
  static final double COPPER_LATTICE = 3.615;

  private Units() {}
}
