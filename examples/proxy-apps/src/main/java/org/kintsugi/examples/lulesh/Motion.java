// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

/** How nodes move. On the three planes through the origin, planes of symmetry, they do not leave the plane. */
final class Motion {
  private static final double VELOCITY_CUT = 1e-7;
  private static final int[] NONE = {};

  private final Domain domain;
  private final int[] onX;
  private final int[] onY;
  private final int[] onZ;

  Motion(Domain domain) {
    this.domain = domain;
    Block block = domain.block;
    onX = block.column == 0 ? block.nodesTowards(-1, 0, 0) : NONE;
    onY = block.row == 0 ? block.nodesTowards(0, -1, 0) : NONE;
    onZ = block.plane == 0 ? block.nodesTowards(0, 0, -1) : NONE;
  }

  /** Velocities follow from forces, positions from velocities. */
  void advance(Forces forces, double dt) {
    accelerate(domain.vx, forces.fx, onX, dt);
    accelerate(domain.vy, forces.fy, onY, dt);
    accelerate(domain.vz, forces.fz, onZ, dt);
    move(domain.x, domain.vx, dt);
    move(domain.y, domain.vy, dt);
    move(domain.z, domain.vz, dt);
  }

  private void accelerate(double[] velocity, double[] force, int[] symmetric, double dt) {
    double[] mass = domain.nodalMass;
    for (int node : symmetric) {
      force[node] = 0.0;
    }
    for (int node = 0; node < velocity.length; node++) {
      double moved = velocity[node] + force[node] / mass[node] * dt;
      velocity[node] = Math.abs(moved) < VELOCITY_CUT ? 0.0 : moved;
    }
  }

  private static void move(double[] position, double[] velocity, double dt) {
    for (int node = 0; node < position.length; node++) {
      position[node] += velocity[node] * dt;
    }
  }
}
