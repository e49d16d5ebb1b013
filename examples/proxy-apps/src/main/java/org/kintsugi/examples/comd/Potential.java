// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import org.kintsugi.mpi.Comm;

/** The interaction of atoms. Unchanging, and the same on all ranks: {@link #forces} makes the object that computes with it. */
interface Potential {
  /** How the reference figures call it. */
  String title();

  /** Atoms further apart do nothing to each other, in Angstrom. */
  double cutoff();

  /** The edge of a unit cell of the crystal, in Angstrom. */
  double latticeConstant();

  /** The mass of an atom, in eV fs^2/Angstrom^2. */
  double mass();

  /** Of the file that it was read from: see {@link FuncflFile#fingerprint}. 0: it needs none. */
  default long fingerprint() {
    return 0;
  }

  /** For the atoms of a rank. @param world null: one rank */
  ForceField forces(Atoms atoms, Comm world);
}
