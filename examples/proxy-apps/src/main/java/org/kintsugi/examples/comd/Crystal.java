// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The crystal at the beginning: atoms on the sites of a face-centred lattice, with random momenta and displacements.
 *
 * @param unitCells along each axis
 * @param latticeConstant the edge of a unit cell, in Angstrom
 * @param temperature in K
 * @param displacement how far an atom may be from its site along each axis, in Angstrom
 */
record Crystal(int[] unitCells, double latticeConstant, double temperature, double displacement) {
  private static final int MOMENTA = 123;
  private static final int DISPLACEMENTS = 457;
  private static final double[][] BASIS = {{0.25, 0.25, 0.25}, {0.25, 0.75, 0.75}, {0.75, 0.25, 0.75}, {0.75, 0.75, 0.25}};

  /** The edges of the box. */
  double[] extent() {
    return new double[] {unitCells[0] * latticeConstant, unitCells[1] * latticeConstant, unitCells[2] * latticeConstant};
  }

  int atoms() {
    return BASIS.length * unitCells[0] * unitCells[1] * unitCells[2];
  }

  /** Puts the atoms of a rank's part on their sites, at rest. */
  void fill(Atoms atoms) {
    CellGrid grid = atoms.grid;
    int[] first = new int[CellGrid.AXES];
    int[] end = new int[CellGrid.AXES];
    for (int axis = 0; axis < CellGrid.AXES; axis++) {
      first[axis] = (int) Math.floor(grid.low[axis] / latticeConstant);
      end[axis] = (int) Math.ceil(grid.high[axis] / latticeConstant);
    }
    for (int ix = first[0]; ix < end[0]; ix++) {
      for (int iy = first[1]; iy < end[1]; iy++) {
        for (int iz = first[2]; iz < end[2]; iz++) {
          for (int b = 0; b < BASIS.length; b++) {
            double x = (ix + BASIS[b][0]) * latticeConstant;
            double y = (iy + BASIS[b][1]) * latticeConstant;
            double z = (iz + BASIS[b][2]) * latticeConstant;
            if (isInside(grid, 0, x) && isInside(grid, 1, y) && isInside(grid, 2, z)) {
              atoms.add(b + BASIS.length * (iz + unitCells[2] * (iy + unitCells[1] * ix)), x, y, z, 0.0, 0.0, 0.0);
            }
          }
        }
      }
    }
  }

  /**
   * The most atoms that a cell has before they are displaced. The crystal is made of four lattices, of which two at a time have
   * the same coordinates along an axis: counts along the axes are enough.
   */
  long mostPerCell(int[] ranks, double cutoff) {
    double[] extent = extent();
    List<Set<List<Long>>> counts = new ArrayList<>();
    for (int axis = 0; axis < CellGrid.AXES; axis++) {
      counts.add(countsPerCell(unitCells[axis], CellGrid.width(extent[axis], ranks[axis], cutoff)));
    }
    long most = 0;
    for (List<Long> x : counts.get(0)) {
      for (List<Long> y : counts.get(1)) {
        for (List<Long> z : counts.get(2)) {
          long atoms = 0;
          for (double[] site : BASIS) {
            atoms += x.get(half(site[0])) * y.get(half(site[1])) * z.get(half(site[2]));
          }
          most = Math.max(most, atoms);
        }
      }
    }
    return most;
  }

  private static int half(double place) {
    return place < 0.5 ? 0 : 1;
  }

  /** How many sites in the lower and in the upper half of a unit cell there are in a layer of cells, for all kinds of layers. */
  private Set<List<Long>> countsPerCell(int sites, double width) {
    Set<List<Long>> counts = new HashSet<>();
    long[] here = new long[2];
    long layer = 0;
    for (int i = 0; i < 2 * sites; i++) {
      long at = (long) ((0.5 * i + 0.25) * latticeConstant / width);
      if (at != layer) {
        counts.add(List.of(here[0], here[1]));
        here = new long[2];
        layer = at;
      }
      here[i % 2]++;
    }
    counts.add(List.of(here[0], here[1]));
    return counts;
  }

  /** The coordinate of an atom's site along an axis. */
  double site(int atom, int axis) {
    int cell = atom / BASIS.length;
    int place =
        axis == 2 ? cell % unitCells[2] : axis == 1 ? cell / unitCells[2] % unitCells[1] : cell / unitCells[2] / unitCells[1];
    return (place + BASIS[atom % BASIS.length][axis]) * latticeConstant;
  }

  private static boolean isInside(CellGrid grid, int axis, double coordinate) {
    return coordinate >= grid.low[axis] && coordinate < grid.high[axis];
  }

  /** Gives an atom a random momentum, as the temperature has it. @param mass of an atom */
  void heat(Atoms atoms, int slot, double mass) {
    AtomRandom random = new AtomRandom(atoms.id[slot], MOMENTA);
    double size = mass * Math.sqrt(Units.BOLTZMANN * temperature / mass);
    atoms.px[slot] = size * random.gaussian();
    atoms.py[slot] = size * random.gaussian();
    atoms.pz[slot] = size * random.gaussian();
  }

  /** Moves an atom away from its site. */
  void displace(Atoms atoms, int slot) {
    AtomRandom random = new AtomRandom(atoms.id[slot], DISPLACEMENTS);
    atoms.x[slot] += (2.0 * random.uniform() - 1.0) * displacement;
    atoms.y[slot] += (2.0 * random.uniform() - 1.0) * displacement;
    atoms.z[slot] += (2.0 * random.uniform() - 1.0) * displacement;
  }
}
