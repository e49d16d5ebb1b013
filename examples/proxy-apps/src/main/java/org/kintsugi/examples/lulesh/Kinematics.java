// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

/**
 * The effect of the nodes' motion on the elements: new volumes, strain, and the gradients of velocity along an element's three
 * axes (xi, eta, zeta: from one face to the opposite one, about x, y, z) that the viscosity needs.
 */
final class Kinematics {
  private static final double TINY = 1e-36;

  private final Domain domain;
  private final Hexahedra hexahedra;
  private final double[] c = new double[3 * Hexahedra.CORNERS];
  private final double[] v = new double[3 * Hexahedra.CORNERS];

  /** Relative volumes after the step, and how much they have changed. */
  final double[] newVolume;
  final double[] volumeChange;
  final double[] length;
  /** The rate at which the volume changes, relative to it. */
  final double[] strainRate;
  /** Along xi, eta, zeta: the difference of velocities over an element, and how wide it is. */
  final double[][] gradient;
  final double[][] width;

  Kinematics(Domain domain) {
    this.domain = domain;
    hexahedra = new Hexahedra(domain.block);
    int elements = domain.block.elements();
    newVolume = new double[elements];
    volumeChange = new double[elements];
    length = new double[elements];
    strainRate = new double[elements];
    gradient = new double[3][elements];
    width = new double[3][elements];
  }

  /** @throws ArithmeticException if an element has turned inside out */
  void compute(double dt) {
    int elements = domain.block.elements();
    for (int element = 0; element < elements; element++) {
      int node = hexahedra.firstNode(element);
      hexahedra.gather(node, domain.x, c, 0);
      hexahedra.gather(node, domain.y, c, Hexahedra.Y);
      hexahedra.gather(node, domain.z, c, Hexahedra.Z);
      hexahedra.gather(node, domain.vx, v, 0);
      hexahedra.gather(node, domain.vy, v, Hexahedra.Y);
      hexahedra.gather(node, domain.vz, v, Hexahedra.Z);
      double volume = Hexahedra.volume(c);
      double relative = volume / domain.referenceVolume[element];
      if (!(relative > 0.0)) {
        throw new ArithmeticException("element " + element + " of rank " + domain.block.rank + " has the volume " + volume);
      }
      newVolume[element] = relative;
      volumeChange[element] = relative - domain.volume[element];
      length[element] = Hexahedra.characteristicLength(c, volume);
      gradients(element, domain.referenceVolume[element] * relative);
      // In the middle of the step.
      for (int i = 0; i < c.length; i++) {
        c[i] -= 0.5 * dt * v[i];
      }
      strainRate[element] = strainRate();
    }
  }

  /** From the face of the low corners along an axis to the opposite one, on average: positions or velocities. */
  private static double xi(double[] of, int o) {
    return 0.25 * (of[o + 1] + of[o + 2] + of[o + 6] + of[o + 5] - (of[o] + of[o + 3] + of[o + 7] + of[o + 4]));
  }

  private static double eta(double[] of, int o) {
    return 0.25 * (of[o + 3] + of[o + 2] + of[o + 6] + of[o + 7] - (of[o] + of[o + 1] + of[o + 5] + of[o + 4]));
  }

  private static double zeta(double[] of, int o) {
    return 0.25 * (of[o + 4] + of[o + 5] + of[o + 6] + of[o + 7] - (of[o] + of[o + 1] + of[o + 2] + of[o + 3]));
  }

  private void gradients(int element, double volume) {
    double ix = xi(c, 0);
    double iy = xi(c, Hexahedra.Y);
    double iz = xi(c, Hexahedra.Z);
    double jx = eta(c, 0);
    double jy = eta(c, Hexahedra.Y);
    double jz = eta(c, Hexahedra.Z);
    double kx = zeta(c, 0);
    double ky = zeta(c, Hexahedra.Y);
    double kz = zeta(c, Hexahedra.Z);
    along(0, element, volume, jy * kz - jz * ky, jz * kx - jx * kz, jx * ky - jy * kx, xi(v, 0), xi(v, Hexahedra.Y),
        xi(v, Hexahedra.Z));
    along(1, element, volume, ky * iz - kz * iy, kz * ix - kx * iz, kx * iy - ky * ix, eta(v, 0), eta(v, Hexahedra.Y),
        eta(v, Hexahedra.Z));
    along(2, element, volume, iy * jz - iz * jy, iz * jx - ix * jz, ix * jy - iy * jx, zeta(v, 0), zeta(v, Hexahedra.Y),
        zeta(v, Hexahedra.Z));
  }

  private void along(int axis, int element, double volume, double ax, double ay, double az, double dx, double dy, double dz) {
    width[axis][element] = volume / Math.sqrt(ax * ax + ay * ay + az * az + TINY);
    gradient[axis][element] = (ax * dx + ay * dy + az * dz) / (volume + TINY);
  }

  /** The divergence of the velocity: the three strain rates along x, y and z. */
  private double strainRate() {
    // The Jacobian: rows x, y, z; columns xi, eta, zeta.
    double xXi = diagonals(0, 1, -1, -1);
    double xEta = diagonals(0, -1, 1, -1);
    double xZeta = diagonals(0, 1, 1, 1);
    double yXi = diagonals(Hexahedra.Y, 1, -1, -1);
    double yEta = diagonals(Hexahedra.Y, -1, 1, -1);
    double yZeta = diagonals(Hexahedra.Y, 1, 1, 1);
    double zXi = diagonals(Hexahedra.Z, 1, -1, -1);
    double zEta = diagonals(Hexahedra.Z, -1, 1, -1);
    double zZeta = diagonals(Hexahedra.Z, 1, 1, 1);
    double coXEta = zXi * yZeta - yXi * zZeta;
    double coYEta = xXi * zZeta - zXi * xZeta;
    double coZEta = yXi * xZeta - xXi * yZeta;
    double determinant = 8.0 * (xEta * coXEta + yEta * coYEta + zEta * coZEta);
    double sum = part(0, yEta * zZeta - zEta * yZeta, coXEta, yXi * zEta - zXi * yEta)
        + part(Hexahedra.Y, zEta * xZeta - xEta * zZeta, coYEta, zXi * xEta - xXi * zEta)
        + part(Hexahedra.Z, xEta * yZeta - yEta * xZeta, coZEta, xXi * yEta - yXi * xEta);
    return sum / determinant;
  }

  /** An eighth of the body's diagonals, with signs for all but the first. */
  private double diagonals(int o, double s53, double s71, double s42) {
    return 0.125 * (c[o + 6] - c[o] + s53 * (c[o + 5] - c[o + 3]) + s71 * (c[o + 7] - c[o + 1]) + s42 * (c[o + 4] - c[o + 2]));
  }

  /** A strain rate times the determinant, from the cofactors of its row of the Jacobian. */
  private double part(int o, double xi, double eta, double zeta) {
    return (-xi - eta - zeta) * (v[o] - v[o + 6]) + (xi - eta - zeta) * (v[o + 1] - v[o + 7])
        + (xi + eta - zeta) * (v[o + 2] - v[o + 4]) + (-xi + eta - zeta) * (v[o + 3] - v[o + 5]);
  }
}
