// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

/**
 * The geometry of hexahedra. Corners 0 to 3 go around the lower face, beginning at the origin and first along x; 4 to 7 lie
 * above them. The coordinates of one element's corners are gathered into {@code corners}: eight x, eight y, eight z.
 */
final class Hexahedra {
  static final int CORNERS = 8;
  /** The indices of the first y and the first z. */
  static final int Y = CORNERS;
  static final int Z = 2 * CORNERS;
  /** To multiply takes a tenth of the time of a division, and there are 25 for each element. */
  private static final double TWELFTH = 1.0 / 12.0;

  private final int edge;
  private final int row;
  private final int plane;

  Hexahedra(Block block) {
    edge = block.edge;
    row = edge + 1;
    plane = row * row;
  }

  /** The node at corner 0. */
  int firstNode(int element) {
    int layer = element / edge;
    // A row of nodes is longer by one than a row of elements, and so is a layer.
    return element + layer + layer / edge * row;
  }

  /** Copies what an element's corners have. */
  void gather(int node, double[] of, double[] corners, int offset) {
    corners[offset] = of[node];
    corners[offset + 1] = of[node + 1];
    corners[offset + 2] = of[node + row + 1];
    corners[offset + 3] = of[node + row];
    int above = node + plane;
    corners[offset + 4] = of[above];
    corners[offset + 5] = of[above + 1];
    corners[offset + 6] = of[above + row + 1];
    corners[offset + 7] = of[above + row];
  }

  /** Adds to each corner its own. */
  void scatterAdd(int node, double[] corners, int offset, double[] to) {
    to[node] += corners[offset];
    to[node + 1] += corners[offset + 1];
    to[node + row + 1] += corners[offset + 2];
    to[node + row] += corners[offset + 3];
    int above = node + plane;
    to[above] += corners[offset + 4];
    to[above + 1] += corners[offset + 5];
    to[above + row + 1] += corners[offset + 6];
    to[above + row] += corners[offset + 7];
  }

  /** Adds the same to all corners. */
  void scatterAdd(int node, double value, double[] to) {
    for (int base = node; base <= node + plane; base += plane) {
      to[base] += value;
      to[base + 1] += value;
      to[base + row + 1] += value;
      to[base + row] += value;
    }
  }

  /** A twelfth of the sum of three products of differences of corners. */
  static double volume(double[] c) {
    return (triple(c, 3, 1, 7, 2, 6, 3, 2, 0) + triple(c, 4, 3, 5, 7, 6, 4, 7, 0) + triple(c, 1, 4, 2, 5, 6, 1, 5, 0)) * TWELFTH;
  }

  /** [a, b, c] with a = (r_a0 - r_a1) + (r_a2 - r_a3), b = r_b0 - r_b1, c = r_c0 - r_c1. */
  private static double triple(double[] c, int a0, int a1, int a2, int a3, int b0, int b1, int c0, int c1) {
    double ax = c[a0] - c[a1] + (c[a2] - c[a3]);
    double ay = c[Y + a0] - c[Y + a1] + (c[Y + a2] - c[Y + a3]);
    double az = c[Z + a0] - c[Z + a1] + (c[Z + a2] - c[Z + a3]);
    double bx = c[b0] - c[b1];
    double by = c[Y + b0] - c[Y + b1];
    double bz = c[Z + b0] - c[Z + b1];
    double cx = c[c0] - c[c1];
    double cy = c[Y + c0] - c[Y + c1];
    double cz = c[Z + c0] - c[Z + c1];
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }

  /** The length that a wave has to cross: the volume over the largest face. */
  static double characteristicLength(double[] c, double volume) {
    double largest = area(c, 0, 1, 2, 3);
    largest = larger(largest, area(c, 4, 5, 6, 7));
    largest = larger(largest, area(c, 0, 1, 5, 4));
    largest = larger(largest, area(c, 1, 2, 6, 5));
    largest = larger(largest, area(c, 2, 3, 7, 6));
    largest = larger(largest, area(c, 3, 0, 4, 7));
    return 4.0 * volume / Math.sqrt(largest);
  }

  /** Math.max asks for signs of zeros and for NaN, too. */
  private static double larger(double a, double b) {
    return a > b ? a : b;
  }

  /** Sixteen times the square of a face's area. */
  private static double area(double[] c, int n0, int n1, int n2, int n3) {
    double fx = c[n2] - c[n0] - (c[n3] - c[n1]);
    double fy = c[Y + n2] - c[Y + n0] - (c[Y + n3] - c[Y + n1]);
    double fz = c[Z + n2] - c[Z + n0] - (c[Z + n3] - c[Z + n1]);
    double gx = c[n2] - c[n0] + (c[n3] - c[n1]);
    double gy = c[Y + n2] - c[Y + n0] + (c[Y + n3] - c[Y + n1]);
    double gz = c[Z + n2] - c[Z + n0] + (c[Z + n3] - c[Z + n1]);
    double fg = fx * gx + fy * gy + fz * gz;
    return (fx * fx + fy * fy + fz * fz) * (gx * gx + gy * gy + gz * gz) - fg * fg;
  }

  /** Sets {@code normals} to the parts of the faces' normals that belong to the corners, times {@code factor}. */
  static void cornerNormals(double[] c, double factor, double[] normals) {
    for (int i = 0; i < 3 * CORNERS; i++) {
      normals[i] = 0.0;
    }
    double quarter = 0.25 * factor;
    addNormal(c, 0, 1, 2, 3, quarter, normals);
    addNormal(c, 0, 4, 5, 1, quarter, normals);
    addNormal(c, 1, 5, 6, 2, quarter, normals);
    addNormal(c, 2, 6, 7, 3, quarter, normals);
    addNormal(c, 3, 7, 4, 0, quarter, normals);
    addNormal(c, 4, 7, 6, 5, quarter, normals);
  }

  private static void addNormal(double[] c, int n0, int n1, int n2, int n3, double factor, double[] to) {
    double ax = 0.5 * (c[n3] + c[n2] - c[n1] - c[n0]);
    double ay = 0.5 * (c[Y + n3] + c[Y + n2] - c[Y + n1] - c[Y + n0]);
    double az = 0.5 * (c[Z + n3] + c[Z + n2] - c[Z + n1] - c[Z + n0]);
    double bx = 0.5 * (c[n2] + c[n1] - c[n3] - c[n0]);
    double by = 0.5 * (c[Y + n2] + c[Y + n1] - c[Y + n3] - c[Y + n0]);
    double bz = 0.5 * (c[Z + n2] + c[Z + n1] - c[Z + n3] - c[Z + n0]);
    double nx = factor * (ay * bz - az * by);
    double ny = factor * (az * bx - ax * bz);
    double nz = factor * (ax * by - ay * bx);
    add(nx, ny, nz, n0, to);
    add(nx, ny, nz, n1, to);
    add(nx, ny, nz, n2, to);
    add(nx, ny, nz, n3, to);
  }

  private static void add(double nx, double ny, double nz, int corner, double[] to) {
    to[corner] += nx;
    to[Y + corner] += ny;
    to[Z + corner] += nz;
  }

  /** How the volume changes with each corner's position. */
  static void volumeDerivatives(double[] c, double[] derivatives) {
    derivative(c, 0, 1, 2, 3, 4, 5, 7, derivatives);
    derivative(c, 3, 0, 1, 2, 7, 4, 6, derivatives);
    derivative(c, 2, 3, 0, 1, 6, 7, 5, derivatives);
    derivative(c, 1, 2, 3, 0, 5, 6, 4, derivatives);
    derivative(c, 4, 7, 6, 5, 0, 3, 1, derivatives);
    derivative(c, 5, 4, 7, 6, 1, 0, 2, derivatives);
    derivative(c, 6, 5, 4, 7, 2, 1, 3, derivatives);
    derivative(c, 7, 6, 5, 4, 3, 2, 0, derivatives);
  }

  private static void derivative(double[] c, int corner, int n0, int n1, int n2, int n3, int n4, int n5, double[] to) {
    to[corner] = component(c, Y, Z, n0, n1, n2, n3, n4, n5);
    to[Y + corner] = component(c, Z, 0, n0, n1, n2, n3, n4, n5);
    to[Z + corner] = component(c, 0, Y, n0, n1, n2, n3, n4, n5);
  }

  private static double component(double[] c, int u, int v, int n0, int n1, int n2, int n3, int n4, int n5) {
    double u0 = c[u + n0];
    double u1 = c[u + n1];
    double u2 = c[u + n2];
    double u3 = c[u + n3];
    double u4 = c[u + n4];
    double u5 = c[u + n5];
    double v0 = c[v + n0];
    double v1 = c[v + n1];
    double v2 = c[v + n2];
    double v3 = c[v + n3];
    double v4 = c[v + n4];
    double v5 = c[v + n5];
    return ((u1 + u2) * (v0 + v1) - (u0 + u1) * (v1 + v2) + (u0 + u4) * (v3 + v4) - (u3 + u4) * (v0 + v4)
        - (u2 + u5) * (v3 + v5) + (u3 + u5) * (v2 + v5)) * TWELFTH;
  }
}
