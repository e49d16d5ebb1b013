// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import java.util.Arrays;
import org.kintsugi.mpi.Comm;

/**
 * Atoms embedded in each other's density: energies of pairs, and of each atom in the density that the others make where it is.
 */
final class EmbeddedAtom implements Potential {
  private final FuncflFile file;

  EmbeddedAtom(FuncflFile file) {
    this.file = file;
  }

  @Override
  public String title() {
    return "EAM funcfl " + file.name();
  }

  @Override
  public double cutoff() {
    return file.cutoff();
  }

  @Override
  public double latticeConstant() {
    return file.latticeConstant();
  }

  @Override
  public double mass() {
    return file.mass() * Units.MASS_UNIT;
  }

  @Override
  public long fingerprint() {
    return file.fingerprint();
  }

  @Override
  public ForceField forces(Atoms atoms, Comm world) {
    return new Forces(atoms, file, world);
  }

  private static final class Forces implements ForceField {
    private final Atoms atoms;
    private final int[][] neighbours;
    private final HaloExchange halo;
    private final double cutoff2;
    private final Table embedding;
    private final Table pair;
    private final Table density;
    /** Around each atom, and how the embedding energy changes with it. */
    private final double[] around;
    private final double[] change;

    Forces(Atoms atoms, FuncflFile file, Comm world) {
      this.atoms = atoms;
      neighbours = atoms.grid.neighbourCells();
      halo = new HaloExchange(atoms.grid, world);
      cutoff2 = file.cutoff() * file.cutoff();
      embedding = new Table(file.densityStep(), file.embedding());
      pair = new Table(file.distanceStep(), file.pair());
      density = new Table(file.distanceStep(), file.density());
      around = new double[atoms.x.length];
      change = new double[atoms.x.length];
    }

    @Override
    public double compute() {
      atoms.clearForces();
      Arrays.fill(around, 0, atoms.grid.localCells * Atoms.ROOM, 0.0);
      double energy = pairs(true);
      for (int cell = 0; cell < atoms.grid.localCells; cell++) {
        for (int i = cell * Atoms.ROOM; i < cell * Atoms.ROOM + atoms.count[cell]; i++) {
          embedding.lookUp(around[i]);
          energy += embedding.value;
          change[i] = embedding.derivative;
        }
      }
      halo.exchange(atoms, change);
      pairs(false);
      return energy;
    }

    /** First pass: energies of pairs and densities; second: what the densities do. */
    private double pairs(boolean isFirst) {
      double energy = 0.0;
      for (int cell = 0; cell < neighbours.length; cell++) {
        int first = cell * Atoms.ROOM;
        for (int other : neighbours[cell]) {
          if (other < cell || atoms.count[other] == 0) {
            continue;
          }
          double share = other < atoms.grid.localCells ? 1.0 : 0.5;
          int end = other * Atoms.ROOM + atoms.count[other];
          for (int i = first; i < first + atoms.count[cell]; i++) {
            int begin = other == cell ? i + 1 : other * Atoms.ROOM;
            if (isFirst) {
              energy += share * pairsOf(i, begin, end);
            } else {
              embed(i, begin, end);
            }
          }
        }
      }
      return energy;
    }

    private double pairsOf(int i, int begin, int end) {
      double xi = atoms.x[i];
      double yi = atoms.y[i];
      double zi = atoms.z[i];
      double energy = 0.0;
      double sum = 0.0;
      for (int j = begin; j < end; j++) {
        double dx = xi - atoms.x[j];
        double dy = yi - atoms.y[j];
        double dz = zi - atoms.z[j];
        double r2 = dx * dx + dy * dy + dz * dz;
        if (r2 <= cutoff2) {
          double r = Math.sqrt(r2);
          pair.lookUp(r);
          energy += pair.value;
          push(i, j, -pair.derivative / r, dx, dy, dz);
          density.lookUp(r);
          sum += density.value;
          around[j] += density.value;
        }
      }
      around[i] += sum;
      return energy;
    }

    private void embed(int i, int begin, int end) {
      double xi = atoms.x[i];
      double yi = atoms.y[i];
      double zi = atoms.z[i];
      for (int j = begin; j < end; j++) {
        double dx = xi - atoms.x[j];
        double dy = yi - atoms.y[j];
        double dz = zi - atoms.z[j];
        double r2 = dx * dx + dy * dy + dz * dz;
        if (r2 <= cutoff2) {
          double r = Math.sqrt(r2);
          density.lookUp(r);
          push(i, j, -(change[i] + change[j]) * density.derivative / r, dx, dy, dz);
        }
      }
    }

    /** The values that this leaves with atoms of the halo are never read. */
    private void push(int i, int j, double force, double dx, double dy, double dz) {
      atoms.fx[i] += force * dx;
      atoms.fy[i] += force * dy;
      atoms.fz[i] += force * dz;
      atoms.fx[j] -= force * dx;
      atoms.fy[j] -= force * dy;
      atoms.fz[j] -= force * dz;
    }

    @Override
    public void close() {
      halo.close();
    }
  }
}
