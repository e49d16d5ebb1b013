// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import org.kintsugi.mpi.Comm;

/** The potential of Lennard and Jones, for copper, shifted so that it ends at the cutoff without a step. */
final class LennardJones implements Potential {
  private static final double SIGMA = 2.315;
  private static final double EPSILON = 0.167;
  private static final double CUTOFF = 2.5 * SIGMA;

  @Override
  public String title() {
    return "Lennard-Jones copper";
  }

  @Override
  public double cutoff() {
    return CUTOFF;
  }

  @Override
  public double latticeConstant() {
    return Units.COPPER_LATTICE;
  }

  @Override
  public double mass() {
    return Units.COPPER_MASS * Units.MASS_UNIT;
  }

  @Override
  public ForceField forces(Atoms atoms, Comm world) {
    return new Forces(atoms);
  }

  private static final class Forces implements ForceField {
    private final Atoms atoms;
    private final int[][] neighbours;
    private final double sigma6 = SIGMA * SIGMA * SIGMA * SIGMA * SIGMA * SIGMA;
    private final double atCutoff;

    Forces(Atoms atoms) {
      this.atoms = atoms;
      neighbours = atoms.grid.neighbourCells();
      double s = sigma6 / (CUTOFF * CUTOFF * CUTOFF * CUTOFF * CUTOFF * CUTOFF);
      atCutoff = s * (s - 1.0);
    }

    @Override
    public double compute() {
      atoms.clearForces();
      double energy = 0.0;
      for (int cell = 0; cell < neighbours.length; cell++) {
        for (int other : neighbours[cell]) {
          // A pair of local cells is looked at once, from the one with the lower number.
          if (other >= cell && atoms.count[other] > 0) {
            energy += cells(cell, other);
          }
        }
      }
      return 4.0 * EPSILON * energy;
    }

    private double cells(int cell, int other) {
      double share = other < atoms.grid.localCells ? 1.0 : 0.5;
      double energy = 0.0;
      int first = cell * Atoms.ROOM;
      int end = other * Atoms.ROOM + atoms.count[other];
      for (int i = first; i < first + atoms.count[cell]; i++) {
        energy += share * atom(i, other == cell ? i + 1 : other * Atoms.ROOM, end);
      }
      return energy;
    }

    private double atom(int i, int begin, int end) {
      double[] x = atoms.x;
      double[] y = atoms.y;
      double[] z = atoms.z;
      double xi = x[i];
      double yi = y[i];
      double zi = z[i];
      double fxi = 0.0;
      double fyi = 0.0;
      double fzi = 0.0;
      double energy = 0.0;
      for (int j = begin; j < end; j++) {
        double dx = xi - x[j];
        double dy = yi - y[j];
        double dz = zi - z[j];
        double r2 = dx * dx + dy * dy + dz * dz;
        if (r2 <= CUTOFF * CUTOFF) {
          double over = 1.0 / r2;
          double s = sigma6 * over * over * over;
          energy += s * (s - 1.0) - atCutoff;
          double force = 4.0 * EPSILON * s * over * (12.0 * s - 6.0);
          fxi += force * dx;
          fyi += force * dy;
          fzi += force * dz;
          // The values that this leaves with atoms of the halo are never read.
          atoms.fx[j] -= force * dx;
          atoms.fy[j] -= force * dy;
          atoms.fz[j] -= force * dz;
        }
      }
      atoms.fx[i] += fxi;
      atoms.fy[i] += fyi;
      atoms.fz[i] += fzi;
      return energy;
    }
  }
}
