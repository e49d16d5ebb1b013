// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import org.kintsugi.mpi.Comm;

/** What atoms do to each other. Unchanging, and the same on all ranks: {@link #forces} makes what computes with it. */
interface Potential {
  /** How the reference figures call it. */
  String title();

  /** Atoms further apart do nothing to each other, in Angstrom. */
  double cutoff();

  /** The edge of a unit cell of the crystal, in Angstrom. */
  double latticeConstant();

  /** Of an atom, in eV fs^2/Angstrom^2. */
  double mass();

  /** For the atoms of a rank. @param world null: one rank */
  ForceField forces(Atoms atoms, Comm world);
}
