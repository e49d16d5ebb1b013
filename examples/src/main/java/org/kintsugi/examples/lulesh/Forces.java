// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import java.util.Arrays;

/** Forces on nodes: of pressure and viscosity, and against the modes in which an element deforms without resistance. */
final class Forces {
  private static final double HOURGLASS = 3.0;
  /** The four hourglass modes on the eight corners. */
  private static final double[][] MODES = {
      {1, 1, -1, -1, -1, -1, 1, 1}, {1, -1, -1, 1, -1, 1, 1, -1}, {1, -1, 1, -1, 1, -1, 1, -1}, {-1, 1, -1, 1, 1, -1, 1, -1}
  };

  private final Domain domain;
  private final Hexahedra hexahedra;
  private final double[] corners = new double[3 * Hexahedra.CORNERS];
  private final double[] velocities = new double[3 * Hexahedra.CORNERS];
  private final double[] derivatives = new double[3 * Hexahedra.CORNERS];
  private final double[] forces = new double[3 * Hexahedra.CORNERS];
  private final double[] shape = new double[Hexahedra.CORNERS];

  /** On nodes. */
  final double[] fx;
  final double[] fy;
  final double[] fz;

  Forces(Domain domain) {
    this.domain = domain;
    hexahedra = new Hexahedra(domain.block);
    int nodes = domain.block.nodes();
    fx = new double[nodes];
    fy = new double[nodes];
    fz = new double[nodes];
  }

  /** Computes what this rank's elements exert. */
  void compute() {
    Arrays.fill(fx, 0.0);
    Arrays.fill(fy, 0.0);
    Arrays.fill(fz, 0.0);
    int elements = domain.block.elements();
    for (int element = 0; element < elements; element++) {
      int node = hexahedra.firstNode(element);
      hexahedra.gather(node, domain.x, corners, 0);
      hexahedra.gather(node, domain.y, corners, Hexahedra.Y);
      hexahedra.gather(node, domain.z, corners, Hexahedra.Z);
      Hexahedra.cornerNormals(corners, domain.pressure[element] + domain.viscosity[element], forces);
      addHourglass(element, node);
      hexahedra.scatterAdd(node, forces, 0, fx);
      hexahedra.scatterAdd(node, forces, Hexahedra.Y, fy);
      hexahedra.scatterAdd(node, forces, Hexahedra.Z, fz);
    }
  }

  private void addHourglass(int element, int node) {
    hexahedra.gather(node, domain.vx, velocities, 0);
    hexahedra.gather(node, domain.vy, velocities, Hexahedra.Y);
    hexahedra.gather(node, domain.vz, velocities, Hexahedra.Z);
    Hexahedra.volumeDerivatives(corners, derivatives);
    double volume = domain.referenceVolume[element] * domain.volume[element];
    double coefficient =
        -HOURGLASS * 0.01 * domain.soundSpeed[element] * domain.referenceVolume[element] / Math.cbrt(volume);
    for (double[] mode : MODES) {
      addMode(mode, 1.0 / volume, coefficient);
    }
  }

  private void addMode(double[] mode, double overVolume, double coefficient) {
    double mx = overVolume * along(mode, corners, 0);
    double my = overVolume * along(mode, corners, Hexahedra.Y);
    double mz = overVolume * along(mode, corners, Hexahedra.Z);
    for (int i = 0; i < Hexahedra.CORNERS; i++) {
      shape[i] = mode[i] - (derivatives[i] * mx + derivatives[Hexahedra.Y + i] * my + derivatives[Hexahedra.Z + i] * mz);
    }
    double cx = coefficient * along(shape, velocities, 0);
    double cy = coefficient * along(shape, velocities, Hexahedra.Y);
    double cz = coefficient * along(shape, velocities, Hexahedra.Z);
    for (int i = 0; i < Hexahedra.CORNERS; i++) {
      forces[i] += cx * shape[i];
      forces[Hexahedra.Y + i] += cy * shape[i];
      forces[Hexahedra.Z + i] += cz * shape[i];
    }
  }

  private static double along(double[] mode, double[] of, int offset) {
    return mode[0] * of[offset] + mode[1] * of[offset + 1] + mode[2] * of[offset + 2] + mode[3] * of[offset + 3]
        + mode[4] * of[offset + 4] + mode[5] * of[offset + 5] + mode[6] * of[offset + 6] + mode[7] * of[offset + 7];
  }
}
