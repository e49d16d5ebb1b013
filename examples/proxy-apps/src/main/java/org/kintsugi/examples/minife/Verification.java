// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/**
 * The largest difference of a solution from the {@link SeriesSolution}, near the centre and in the whole cube.
 *
 * @param points of the rank that reports, which is the first of those with the largest error; 0: no rank has any
 * @param error the largest difference
 * @param x where it is
 * @param y where it is
 * @param z where it is
 * @param computed the temperature that was computed there
 * @param series what the series has there
 */
record Verification(double points, double error, double x, double y, double z, double computed, double series) {
  /** How large the error at the centre may be. */
  static final double MOST_ERROR = 0.06;
  private static final double NEAR = 0.05;
  private static final int NUMBERS = 7;

  /** The errors of points near the centre. Collective. */
  static Verification nearCentre(Mesh mesh, double[] solution, Comm world) {
    return of(mesh, solution, NEAR).largest(world);
  }

  /** The errors of all points. Collective. */
  static Verification everywhere(Mesh mesh, double[] solution, Comm world) {
    return of(mesh, solution, 1.0).largest(world);
  }

  private static Verification of(Mesh mesh, double[] solution, double near) {
    SeriesSolution series = new SeriesSolution();
    Box nodes = mesh.nodes;
    Verification worst = new Verification(0, 0, 0, 0, 0, 0, 0);
    int points = 0;
    for (int i = nodes.x0(); i < nodes.x1(); i++) {
      double x = (double) i / mesh.nx;
      if (Math.abs(x - 0.5) > near) {
        continue;
      }
      series.atX(x);
      for (int k = nodes.z0(); k < nodes.z1(); k++) {
        double z = (double) k / mesh.nz;
        if (Math.abs(z - 0.5) > near) {
          continue;
        }
        series.atZ(z);
        for (int j = nodes.y0(); j < nodes.y1(); j++) {
          double y = (double) j / mesh.ny;
          if (Math.abs(y - 0.5) > near) {
            continue;
          }
          points++;
          boolean cold = j == 0 || j == mesh.ny || k == 0 || k == mesh.nz || i == 0;
          double exact = i == mesh.nx ? 1.0 : cold ? 0.0 : series.atY(y);
          double computed = solution[nodes.index(i, j, k)];
          if (Double.compare(Math.abs(computed - exact), worst.error) > 0) { // NaN is the worst
            worst = new Verification(0, Math.abs(computed - exact), x, y, z, computed, exact);
          }
        }
      }
    }
    return new Verification(points, worst.error, worst.x, worst.y, worst.z, worst.computed, worst.series);
  }

  private Verification largest(Comm world) {
    double[] mine = {points, error, x, y, z, computed, series};
    double[] all = new double[NUMBERS * world.size()];
    world.allGather(Buf.wrap(mine), Buf.wrap(all));
    int at = 0;
    for (int i = 0; i < all.length; i += NUMBERS) {
      // A rank without points reports only if all are without.
      if (Double.compare(all[i + 1], all[at + 1]) > 0 || all[at] == 0 && all[i] > 0) {
        at = i;
      }
    }
    return new Verification(all[at], all[at + 1], all[at + 2], all[at + 3], all[at + 4], all[at + 5], all[at + 6]);
  }

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("points_on_reporting_rank", (int) points);
    map.put("max_abs_error", error);
    map.put("at", List.of(x, y, z));
    map.put("computed", computed);
    map.put("series_solution", series);
    return map;
  }
}
