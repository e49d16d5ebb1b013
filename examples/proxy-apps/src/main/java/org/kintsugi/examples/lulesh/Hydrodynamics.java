// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.mpi.Comm;

/** The blast on one rank's block, cycle by cycle. */
final class Hydrodynamics implements AutoCloseable {
  final Domain domain;
  final TimeStep time;

  private final Comm world;
  private final Forces forces;
  private final Motion motion;
  private final Kinematics kinematics;
  private final Material material;
  private final NodeExchange forceExchange;
  private final NodeExchange motionExchange;
  private final FaceExchange faces;
  private final double[][] forceFields;
  private final double[][] motionFields;

  /** Collective. @param world null: the block is alone */
  Hydrodynamics(Block block, Comm world) {
    this.world = world;
    domain = new Domain(block);
    time = new TimeStep(domain.firstTimeStep());
    try (NodeExchange masses = NodeExchange.sum(block, world, 1)) {
      masses.exchange(domain.nodalMass);
    }
    forceExchange = NodeExchange.sum(block, world, 3);
    motionExchange = NodeExchange.agree(block, world, 6);
    faces = new FaceExchange(block, world);
    forces = new Forces(domain);
    motion = new Motion(domain);
    kinematics = new Kinematics(domain);
    material = new Material(domain, kinematics, faces);
    forceFields = new double[][] {forces.fx, forces.fy, forces.fz};
    motionFields = new double[][] {domain.x, domain.y, domain.z, domain.vx, domain.vy, domain.vz};
  }

  /** With it a resumed run repeats the undisturbed one bit for bit; masses, first volumes and maps are made anew. */
  void protect(Checkpoint checkpoint) {
    domain.protect(checkpoint);
    time.protect(checkpoint);
    checkpoint.protect("courantLimit", () -> material.courantLimit, value -> material.courantLimit = value);
    checkpoint.protect("strainLimit", () -> material.strainLimit, value -> material.strainLimit = value);
  }

  /** One cycle. Collective. */
  void cycle() {
    time.advance(world, material.courantLimit, material.strainLimit);
    forces.compute();
    forceExchange.exchange(forceFields);
    motion.advance(forces, time.dt());
    motionExchange.exchange(motionFields);
    kinematics.compute(time.dt());
    faces.exchange(kinematics.gradient);
    material.update();
  }

  @Override
  public void close() {
    forceExchange.close();
    motionExchange.close();
    faces.close();
  }
}
