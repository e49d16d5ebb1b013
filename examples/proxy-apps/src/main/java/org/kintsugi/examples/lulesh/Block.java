// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

/**
 * The place of a rank's cube of elements in the mesh, and the numbering of its nodes and elements: x fastest, then y, then z.
 * Nodes on faces between ranks are there on both.
 */
final class Block {
  /** Elements along an edge of the cube. */
  final int edge;
  /** Ranks along an edge of the mesh. */
  final int ranksPerEdge;
  final int rank;
  /** The rank's place along x, y, z. */
  final int column;
  final int row;
  final int plane;

  Block(int edge, int ranksPerEdge, int rank) {
    this.edge = edge;
    this.ranksPerEdge = ranksPerEdge;
    this.rank = rank;
    column = rank % ranksPerEdge;
    row = rank / ranksPerEdge % ranksPerEdge;
    plane = rank / (ranksPerEdge * ranksPerEdge);
  }

  int elements() {
    return edge * edge * edge;
  }

  int nodes() {
    return (edge + 1) * (edge + 1) * (edge + 1);
  }

  int node(int ix, int iy, int iz) {
    return ix + (edge + 1) * (iy + (edge + 1) * iz);
  }

  int element(int ix, int iy, int iz) {
    return ix + edge * (iy + edge * iz);
  }

  /** The rank at an offset in blocks along x, y and z; -1: none. */
  int neighbour(int dx, int dy, int dz) {
    int x = column + dx;
    int y = row + dy;
    int z = plane + dz;
    boolean isInside = Math.min(x, Math.min(y, z)) >= 0 && Math.max(x, Math.max(y, z)) < ranksPerEdge;
    return isInside ? x + ranksPerEdge * (y + ranksPerEdge * z) : -1;
  }

  /**
   * The nodes of the face, edge or corner in a direction, x fastest. A direction is 0 along the
   * axes in which all nodes belong to it.
   */
  int[] nodesTowards(int dx, int dy, int dz) {
    int n = edge + 1;
    int[] nodes = new int[(dx == 0 ? n : 1) * (dy == 0 ? n : 1) * (dz == 0 ? n : 1)];
    int next = 0;
    for (int iz = first(dz); iz <= last(dz); iz++) {
      for (int iy = first(dy); iy <= last(dy); iy++) {
        for (int ix = first(dx); ix <= last(dx); ix++) {
          nodes[next++] = node(ix, iy, iz);
        }
      }
    }
    return nodes;
  }

  private int first(int direction) {
    return direction > 0 ? edge : 0;
  }

  private int last(int direction) {
    return direction < 0 ? 0 : edge;
  }
}
