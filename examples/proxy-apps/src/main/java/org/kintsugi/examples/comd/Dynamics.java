// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import java.util.function.IntConsumer;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/** The crystal in motion on one rank's part of the box, by the velocity form of Verlet's method. */
final class Dynamics implements AutoCloseable {
  final Atoms atoms;
  final Potential potential;

  private final Comm world;
  private final Crystal crystal;
  private final AtomExchange exchange;
  private final ForceField forces;
  private final double mass;
  private double potentialEnergy;

  /** Collective. @param world null: one rank */
  Dynamics(CellGrid grid, Crystal crystal, Potential potential, Comm world) {
    this.world = world;
    this.crystal = crystal;
    this.potential = potential;
    atoms = new Atoms(grid);
    exchange = new AtomExchange(grid, world);
    forces = potential.forces(atoms, world);
    mass = potential.mass();
  }

  /** Makes the crystal, and computes the first forces. Collective. */
  void begin() {
    crystal.fill(atoms);
    forEachSlot(slot -> crystal.heat(atoms, slot, mass));
    if (crystal.temperature() > 0.0) {
      rest();
      scale(Math.sqrt(crystal.temperature() / temperature(sum(kineticEnergy())[0], crystal.atoms())));
    }
    if (crystal.displacement() > 0.0) {
      forEachSlot(slot -> crystal.displace(atoms, slot));
    }
    redistribute();
    potentialEnergy = forces.compute();
  }

  /** Removes from the random momenta the motion of the crystal as a whole. */
  private void rest() {
    double[] sums = new double[4];
    forEachSlot(slot -> {
      sums[0] += atoms.px[slot];
      sums[1] += atoms.py[slot];
      sums[2] += atoms.pz[slot];
      sums[3] += mass;
    });
    double[] all = sum(sums);
    forEachSlot(slot -> {
      atoms.px[slot] -= mass * (all[0] / all[3]);
      atoms.py[slot] -= mass * (all[1] / all[3]);
      atoms.pz[slot] -= mass * (all[2] / all[3]);
    });
  }

  private void scale(double factor) {
    forEachSlot(slot -> {
      atoms.px[slot] *= factor;
      atoms.py[slot] *= factor;
      atoms.pz[slot] *= factor;
    });
  }

  /** The temperature of a number of atoms, in K. */
  static double temperature(double kineticEnergy, long atoms) {
    return kineticEnergy / atoms / Units.BOLTZMANN / 1.5;
  }

  /** One time step, in fs. Collective. */
  void step(double dt) {
    kick(0.5 * dt);
    drift(dt);
    redistribute();
    potentialEnergy = forces.compute();
    kick(0.5 * dt);
  }

  private void kick(double dt) {
    for (int cell = 0; cell < atoms.grid.localCells; cell++) {
      int first = cell * Atoms.ROOM;
      for (int slot = first; slot < first + atoms.count[cell]; slot++) {
        atoms.px[slot] += dt * atoms.fx[slot];
        atoms.py[slot] += dt * atoms.fy[slot];
        atoms.pz[slot] += dt * atoms.fz[slot];
      }
    }
  }

  private void drift(double dt) {
    double factor = dt / mass;
    for (int cell = 0; cell < atoms.grid.localCells; cell++) {
      int first = cell * Atoms.ROOM;
      for (int slot = first; slot < first + atoms.count[cell]; slot++) {
        atoms.x[slot] += factor * atoms.px[slot];
        atoms.y[slot] += factor * atoms.py[slot];
        atoms.z[slot] += factor * atoms.pz[slot];
      }
    }
  }

  private void redistribute() {
    atoms.emptyHalo();
    atoms.moveToCells();
    exchange.exchange(atoms);
    atoms.sortCells();
  }

  /** The kinetic energy of this rank's atoms, in eV. */
  double kineticEnergy() {
    double sum = 0.0;
    for (int cell = 0; cell < atoms.grid.localCells; cell++) {
      int first = cell * Atoms.ROOM;
      for (int slot = first; slot < first + atoms.count[cell]; slot++) {
        sum += (atoms.px[slot] * atoms.px[slot] + atoms.py[slot] * atoms.py[slot] + atoms.pz[slot] * atoms.pz[slot])
            / (2.0 * mass);
      }
    }
    return sum;
  }

  /** The potential energy of this rank's atoms at the last step, in eV. */
  double potentialEnergy() {
    return potentialEnergy;
  }

  /** Calls it with the place of every local atom. */
  void forEachSlot(IntConsumer action) {
    for (int cell = 0; cell < atoms.grid.localCells; cell++) {
      for (int slot = cell * Atoms.ROOM; slot < cell * Atoms.ROOM + atoms.count[cell]; slot++) {
        action.accept(slot);
      }
    }
  }

  /** Sums over ranks, in place. Collective. */
  double[] sum(double... values) {
    if (world != null) {
      world.allReduce(Buf.wrap(values), Op.SUM);
    }
    return values;
  }

  @Override
  public void close() {
    exchange.close();
    forces.close();
  }
}
