// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import org.kintsugi.checkpoint.Checkpoint;

/** The material on a rank's block: the state that goes from cycle to cycle, and masses and volumes that never change. */
final class Domain {
  private static final double MESH_EDGE = 1.125;
  private static final double BLAST = 3.948746e+7;
  /** The elements along an edge of the mesh that the blast is scaled to. */
  private static final double BLAST_EDGE = 45.0;

  final Block block;

  /** Positions and velocities of nodes. */
  final double[] x;
  final double[] y;
  final double[] z;
  final double[] vx;
  final double[] vy;
  final double[] vz;

  /** By element: energy, pressure, viscosity, volume relative to the first one, speed of sound. */
  final double[] energy;
  final double[] pressure;
  final double[] viscosity;
  final double[] volume;
  final double[] soundSpeed;

  /** Volumes at the start, which are masses too: the density is 1. */
  final double[] referenceVolume;
  /** A node's share of the elements around it; of all ranks once the exchange has added it up. */
  final double[] nodalMass;

  Domain(Block block) {
    this.block = block;
    int nodes = block.nodes();
    x = new double[nodes];
    y = new double[nodes];
    z = new double[nodes];
    vx = new double[nodes];
    vy = new double[nodes];
    vz = new double[nodes];
    int elements = block.elements();
    energy = new double[elements];
    pressure = new double[elements];
    viscosity = new double[elements];
    volume = new double[elements];
    soundSpeed = new double[elements];
    referenceVolume = new double[elements];
    nodalMass = new double[nodes];
    placeNodes();
    Hexahedra hexahedra = new Hexahedra(block);
    double[] corners = new double[3 * Hexahedra.CORNERS];
    for (int element = 0; element < elements; element++) {
      int node = hexahedra.firstNode(element);
      hexahedra.gather(node, x, corners, 0);
      hexahedra.gather(node, y, corners, Hexahedra.Y);
      hexahedra.gather(node, z, corners, Hexahedra.Z);
      referenceVolume[element] = Hexahedra.volume(corners);
      hexahedra.scatterAdd(node, referenceVolume[element] / Hexahedra.CORNERS, nodalMass);
      volume[element] = 1.0;
    }
    if (block.rank == 0) {
      energy[0] = blast();
    }
  }

  private void placeNodes() {
    for (int iz = 0; iz <= block.edge; iz++) {
      for (int iy = 0; iy <= block.edge; iy++) {
        for (int ix = 0; ix <= block.edge; ix++) {
          int node = block.node(ix, iy, iz);
          x[node] = coordinate(block.column, ix);
          y[node] = coordinate(block.row, iy);
          z[node] = coordinate(block.plane, iz);
        }
      }
    }
  }

  private double coordinate(int place, int index) {
    return MESH_EDGE * (place * block.edge + index) / (block.ranksPerEdge * block.edge);
  }

  /** The energy that the element in the origin begins with. */
  private double blast() {
    double scale = block.edge * block.ranksPerEdge / BLAST_EDGE;
    return BLAST * scale * scale * scale;
  }

  /** The first time step: the same bits on all ranks, as all take it from the element in the origin. */
  double firstTimeStep() {
    double side = coordinate(0, 1);
    return 0.5 * Math.cbrt(side * side * side) / Math.sqrt(2.0 * blast());
  }

  /** All that a cycle needs of the one before; the rest of the domain is made anew. */
  void protect(Checkpoint checkpoint) {
    checkpoint.protect("x", x);
    checkpoint.protect("y", y);
    checkpoint.protect("z", z);
    checkpoint.protect("vx", vx);
    checkpoint.protect("vy", vy);
    checkpoint.protect("vz", vz);
    checkpoint.protect("energy", energy);
    checkpoint.protect("pressure", pressure);
    checkpoint.protect("viscosity", viscosity);
    checkpoint.protect("volume", volume);
    checkpoint.protect("soundSpeed", soundSpeed);
  }
}
