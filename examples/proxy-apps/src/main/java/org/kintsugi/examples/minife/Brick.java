// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

import java.util.Arrays;

/**
 * An 8-node brick: the integrals of a diffusion problem with source 1 by 2 x 2 x 2 Gauss points. One object serves one element
 * after the other; nothing is allocated after the constructor.
 */
final class Brick {
  static final int CORNERS = 8;
  /** The place of a corner, by the bits of x, y and z: round the bottom, then round the top. */
  static final int[] CORNER_X = {0, 1, 1, 0, 0, 1, 1, 0};
  static final int[] CORNER_Y = {0, 0, 1, 1, 0, 0, 1, 1};
  static final int[] CORNER_Z = {0, 0, 0, 0, 1, 1, 1, 1};
  /** The application's constant: nine digits of 1 / sqrt(3). */
  private static final double GAUSS = 0.577350269;
  private static final int POINTS = 8;

  /** Shape functions at the Gauss points, and their derivatives in the reference brick. */
  private final double[][] shape = new double[POINTS][CORNERS];
  private final double[][] du = new double[POINTS][CORNERS];
  private final double[][] dv = new double[POINTS][CORNERS];
  private final double[][] dw = new double[POINTS][CORNERS];
  private final double[] dx = new double[CORNERS];
  private final double[] dy = new double[CORNERS];
  private final double[] dz = new double[CORNERS];

  /** Entry (m, n) is {@code matrix[m * 8 + n]}; symmetric. */
  final double[] matrix = new double[CORNERS * CORNERS];
  /** The source's share of each corner. */
  final double[] vector = new double[CORNERS];

  Brick() {
    for (int point = 0; point < POINTS; point++) {
      double u = point < 4 ? -GAUSS : GAUSS;
      double v = (point & 2) == 0 ? -GAUSS : GAUSS;
      double w = (point & 1) == 0 ? -GAUSS : GAUSS;
      for (int m = 0; m < CORNERS; m++) {
        double signU = 2 * CORNER_X[m] - 1;
        double signV = 2 * CORNER_Y[m] - 1;
        double signW = 2 * CORNER_Z[m] - 1;
        double atU = 1.0 + signU * u;
        double atV = 1.0 + signV * v;
        double atW = 1.0 + signW * w;
        shape[point][m] = 0.125 * atU * atV * atW;
        du[point][m] = signU * 0.125 * atV * atW;
        dv[point][m] = signV * 0.125 * atU * atW;
        dw[point][m] = signW * 0.125 * atU * atV;
      }
    }
  }

  /** Computes {@link #matrix} and {@link #vector} of the brick with these corners. */
  void integrate(double[] x, double[] y, double[] z) {
    Arrays.fill(matrix, 0.0);
    Arrays.fill(vector, 0.0);
    for (int point = 0; point < POINTS; point++) {
      double determinant = gradients(du[point], dv[point], dw[point], x, y, z);
      for (int m = 0; m < CORNERS; m++) {
        for (int n = m; n < CORNERS; n++) {
          matrix[m * CORNERS + n] += determinant * (dx[m] * dx[n] + dy[m] * dy[n] + dz[m] * dz[n]);
        }
        vector[m] += shape[point][m] * determinant;
      }
    }
    for (int m = 0; m < CORNERS; m++) {
      for (int n = 0; n < m; n++) {
        matrix[m * CORNERS + n] = matrix[n * CORNERS + m];
      }
    }
  }

  /** Derivatives of the shape functions by x, y and z; returns the determinant of the Jacobian. */
  private double gradients(double[] byU, double[] byV, double[] byW, double[] x, double[] y, double[] z) {
    double xu = dot(byU, x);
    double yu = dot(byU, y);
    double zu = dot(byU, z);
    double xv = dot(byV, x);
    double yv = dot(byV, y);
    double zv = dot(byV, z);
    double xw = dot(byW, x);
    double yw = dot(byW, y);
    double zw = dot(byW, z);
    double determinant = xu * (zw * yv - yw * zv) - xv * (zw * yu - yw * zu) + xw * (zv * yu - yv * zu);
    double inverse = 1.0 / determinant;
    double ux = (zw * yv - yw * zv) * inverse;
    double vx = -(zw * yu - yw * zu) * inverse;
    double wx = (zv * yu - yv * zu) * inverse;
    double uy = -(zw * xv - xw * zv) * inverse;
    double vy = (zw * xu - xw * zu) * inverse;
    double wy = -(zv * xu - xv * zu) * inverse;
    double uz = (yw * xv - xw * yv) * inverse;
    double vz = -(yw * xu - xw * yu) * inverse;
    double wz = (yv * xu - xv * yu) * inverse;
    for (int m = 0; m < CORNERS; m++) {
      dx[m] = byU[m] * ux + byV[m] * vx + byW[m] * wx;
      dy[m] = byU[m] * uy + byV[m] * vy + byW[m] * wy;
      dz[m] = byU[m] * uz + byV[m] * vz + byW[m] * wz;
    }
    return determinant;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0.0;
    for (int i = 0; i < CORNERS; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
