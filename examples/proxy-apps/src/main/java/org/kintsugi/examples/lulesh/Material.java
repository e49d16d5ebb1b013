// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

/**
 * Updates the material of each element: artificial viscosity against shocks, then energy, pressure and speed of sound; and the
 * limit of the next step. All of an element is done at once: only the gradients of neighbours are read.
 */
final class Material {
  private static final double TINY = 1e-36;
  private static final double TWO_THIRDS = 2.0 / 3.0;
  private static final double CUT = 1e-7;
  private static final double VOLUME_CUT = 1e-10;
  private static final double LEAST_VOLUME = 1e-9;
  private static final double MOST_VOLUME = 1e9;
  private static final double LEAST_ENERGY = -1e15;
  private static final double MOST_VISCOSITY = 1e12;
  private static final double LEAST_RADICAND = 0.1111111e-36;
  private static final double LEAST_SPEED = 0.3333333e-18;
  /** 64 times the square of the quadratic viscosity's coefficient. */
  private static final double VISCOUS = 64.0 * 4.0;
  private static final double MOST_STRAIN = 0.1;
  private static final double UNLIMITED = 1e20;

  private final Domain domain;
  private final Kinematics kinematics;
  private final FaceExchange faces;

  /** The longest next steps that this rank's elements allow: for sound, and for the change of volumes. */
  double courantLimit = UNLIMITED;
  double strainLimit = UNLIMITED;

  private double linear;
  private double quadratic;

  Material(Domain domain, Kinematics kinematics, FaceExchange faces) {
    this.domain = domain;
    this.kinematics = kinematics;
    this.faces = faces;
  }

  /** @throws ArithmeticException if the viscosity has grown beyond all bounds */
  void update() {
    courantLimit = UNLIMITED;
    strainLimit = UNLIMITED;
    int edge = domain.block.edge;
    int element = 0;
    for (int iz = 0; iz < edge; iz++) {
      for (int iy = 0; iy < edge; iy++) {
        for (int ix = 0; ix < edge; ix++, element++) {
          if (domain.viscosity[element] > MOST_VISCOSITY) {
            throw new ArithmeticException("element " + element + " of rank " + domain.block.rank + " has the viscosity "
                + domain.viscosity[element]);
          }
          viscosity(element, ix, iy, iz);
          state(element);
          limit(element);
        }
      }
    }
  }

  /** The linear and the quadratic term; none where the element expands. */
  private void viscosity(int element, int ix, int iy, int iz) {
    linear = 0.0;
    quadratic = 0.0;
    if (kinematics.strainRate[element] > 0.0) {
      return;
    }
    int edge = domain.block.edge;
    double density = 1.0 / kinematics.newVolume[element];
    addViscosity(element, 0, ix, iy + edge * iz, 1);
    addViscosity(element, 1, iy, ix + edge * iz, edge);
    addViscosity(element, 2, iz, ix + edge * iy, edge * edge);
    linear *= -0.5 * density;
    quadratic *= TWO_THIRDS * density;
  }

  private void addViscosity(int element, int axis, int index, int inFace, int stride) {
    double[] gradient = kinematics.gradient[axis];
    double own = gradient[element];
    double before = index > 0 ? gradient[element - stride] : faces.before(axis, inFace, own);
    double behind = index < domain.block.edge - 1 ? gradient[element + stride] : faces.behind(axis, inFace);
    double norm = 1.0 / (own + TINY);
    before *= norm;
    behind *= norm;
    double phi = 0.5 * (before + behind);
    phi = Math.min(phi, Math.min(2.0 * before, 2.0 * behind));
    phi = Math.max(0.0, Math.min(1.0, phi));
    double shrinking = Math.min(0.0, own * kinematics.width[axis][element]);
    linear += shrinking * (1.0 - phi);
    quadratic += shrinking * shrinking * (1.0 - phi * phi);
  }

  private void state(int element) {
    double volume = Math.max(LEAST_VOLUME, Math.min(MOST_VOLUME, kinematics.newVolume[element]));
    double change = kinematics.volumeChange[element];
    double old = domain.pressure[element] + domain.viscosity[element];
    double factor = TWO_THIRDS * (1.0 / volume);
    double halfVolume = volume - 0.5 * change;
    double halfFactor = TWO_THIRDS * (1.0 / halfVolume);

    double energy = Math.max(LEAST_ENERGY, domain.energy[element] - 0.5 * change * old);
    double halfPressure = pressure(energy, halfFactor);
    double halfViscosity =
        change > 0.0 ? 0.0 : speed(energy, halfPressure, halfVolume, halfFactor) * linear + quadratic;
    double half = halfPressure + halfViscosity;

    energy = cut(energy + 0.5 * change * (3.0 * old - 4.0 * half));
    double pressure = pressure(energy, factor);
    double viscosity = change > 0.0 ? 0.0 : speed(energy, pressure, volume, factor) * linear + quadratic;

    energy = cut(energy - (7.0 * old - 8.0 * half + (pressure + viscosity)) * change * (1.0 / 6.0));
    pressure = pressure(energy, factor);
    double sound = speed(energy, pressure, volume, factor);
    if (change > 0.0) {
      viscosity = halfViscosity;
    } else {
      viscosity = sound * linear + quadratic;
      viscosity = Math.abs(viscosity) < CUT ? 0.0 : viscosity;
    }

    domain.energy[element] = energy;
    domain.pressure[element] = pressure;
    domain.viscosity[element] = viscosity;
    domain.soundSpeed[element] = sound;
    double unbounded = kinematics.newVolume[element];
    domain.volume[element] = Math.abs(unbounded - 1.0) < VOLUME_CUT ? 1.0 : unbounded;
  }

  private static double cut(double energy) {
    return Math.max(LEAST_ENERGY, Math.abs(energy) < CUT ? 0.0 : energy);
  }

  private static double pressure(double energy, double factor) {
    double pressure = factor * energy;
    return Math.abs(pressure) < CUT ? 0.0 : Math.max(0.0, pressure);
  }

  private static double speed(double energy, double pressure, double volume, double factor) {
    double radicand = TWO_THIRDS * energy + volume * volume * factor * pressure;
    return radicand <= LEAST_RADICAND ? LEAST_SPEED : Math.sqrt(radicand);
  }

  private void limit(int element) {
    double rate = kinematics.strainRate[element];
    if (rate != 0.0) {
      double length = kinematics.length[element];
      double sound = domain.soundSpeed[element];
      double squared = sound * sound;
      if (rate < 0.0) {
        squared += VISCOUS * length * length * rate * rate;
      }
      courantLimit = Math.min(courantLimit, length / Math.sqrt(squared));
      strainLimit = Math.min(strainLimit, MOST_STRAIN / (Math.abs(rate) + 1e-20));
    }
  }
}
