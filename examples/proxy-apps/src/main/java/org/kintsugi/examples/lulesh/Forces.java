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
    double mx = overVolume * along(mode, 0);
    double my = overVolume * along(mode, Hexahedra.Y);
    double mz = overVolume * along(mode, Hexahedra.Z);
    // No array and no loop: eight numbers stay in registers.
    double s0 = shape(mode, 0, mx, my, mz);
    double s1 = shape(mode, 1, mx, my, mz);
    double s2 = shape(mode, 2, mx, my, mz);
    double s3 = shape(mode, 3, mx, my, mz);
    double s4 = shape(mode, 4, mx, my, mz);
    double s5 = shape(mode, 5, mx, my, mz);
    double s6 = shape(mode, 6, mx, my, mz);
    double s7 = shape(mode, 7, mx, my, mz);
    for (int offset = 0; offset <= Hexahedra.Z; offset += Hexahedra.CORNERS) {
      double[] v = velocities;
      double c = coefficient * (s0 * v[offset] + s1 * v[offset + 1] + (s2 * v[offset + 2] + s3 * v[offset + 3])
          + (s4 * v[offset + 4] + s5 * v[offset + 5] + (s6 * v[offset + 6] + s7 * v[offset + 7])));
      forces[offset] += c * s0;
      forces[offset + 1] += c * s1;
      forces[offset + 2] += c * s2;
      forces[offset + 3] += c * s3;
      forces[offset + 4] += c * s4;
      forces[offset + 5] += c * s5;
      forces[offset + 6] += c * s6;
      forces[offset + 7] += c * s7;
    }
  }

  private double shape(double[] mode, int i, double mx, double my, double mz) {
    return mode[i] - (derivatives[i] * mx + derivatives[Hexahedra.Y + i] * my + derivatives[Hexahedra.Z + i] * mz);
  }

  /** Summed by pairs: the processor adds them at the same time, and a sum from left to right takes twice as long. */
  private double along(double[] mode, int offset) {
    double[] c = corners;
    return mode[0] * c[offset] + mode[1] * c[offset + 1] + (mode[2] * c[offset + 2] + mode[3] * c[offset + 3])
        + (mode[4] * c[offset + 4] + mode[5] * c[offset + 5] + (mode[6] * c[offset + 6] + mode[7] * c[offset + 7]));
  }
}
