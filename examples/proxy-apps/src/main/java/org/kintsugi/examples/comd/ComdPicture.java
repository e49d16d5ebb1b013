// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

import java.util.stream.IntStream;
import org.kintsugi.examples.app.Picture;
import org.kintsugi.examples.app.Sample;
import org.kintsugi.mpi.Comm;

/** How far the atoms of one layer are from their sites: the layer in the middle of the crystal, seen along z. */
final class ComdPicture {
  private ComdPicture() {}

  /** Collective. @return null on ranks other than 0 */
  static Picture of(Atoms atoms, Crystal crystal, Comm world, int steps, double femtoseconds) {
    Sample layer = middleLayer(atoms, crystal).gather(world);
    if (layer == null) {
      return null;
    }
    Picture picture = Picture.ofPoints(
        "CoMD: displacements in a layer of atoms after " + steps + " steps (" + Picture.number(femtoseconds) + " fs)",
        "x (Angstrom)",
        "y (Angstrom)");
    double step = step(layer.greatest());
    int bounds = (int) Math.ceil(layer.greatest() / step) - 1;
    picture.addClasses(layer, Picture.steps(step, bounds),
        i -> Picture.number(i * step) + " to " + Picture.number((i + 1) * step) + " Angstrom");
    return picture;
  }

  /**
   * The smallest of 1, 2, 5, 10, ... and their tenths with few enough classes to distinguish by
   * colour.
   */
  static double step(double greatest) {
    double least = Math.max(greatest, 1e-9) / Picture.mostClasses();
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    return power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
  }

  /** The places of this rank's atoms of the layer, and their distances from their sites, which may be on other ranks. */
  static Sample middleLayer(Atoms atoms, Crystal crystal) {
    double height = crystal.site(0, 2) + crystal.unitCells()[2] / 2 * crystal.latticeConstant();
    double near = crystal.latticeConstant() / 8;
    int[] slots = IntStream.range(0, atoms.grid.localCells)
        .flatMap(cell -> IntStream.range(cell * Atoms.ROOM, cell * Atoms.ROOM + atoms.count[cell]))
        .filter(slot -> Math.abs(crystal.site(atoms.id[slot], 2) - height) < near).toArray();
    Sample layer = new Sample(new double[slots.length], new double[slots.length], new double[slots.length]);
    for (int i = 0; i < slots.length; i++) {
      layer.x()[i] = atoms.x[slots[i]];
      layer.y()[i] = atoms.y[slots[i]];
      layer.value()[i] = displacement(atoms, slots[i], crystal);
    }
    return layer;
  }

  /** The box is periodic: an atom that has left it on one side is near its site on the other one. */
  private static double displacement(Atoms atoms, int slot, Crystal crystal) {
    double[] at = {atoms.x[slot], atoms.y[slot], atoms.z[slot]};
    double square = 0.0;
    for (int axis = 0; axis < CellGrid.AXES; axis++) {
      double extent = crystal.extent()[axis];
      double along = at[axis] - crystal.site(atoms.id[slot], axis);
      along -= extent * Math.rint(along / extent);
      square += along * along;
    }
    return Math.sqrt(square);
  }
}
