// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minife;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.examples.sparse.Vectors;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/** The figures that miniFE reports, by the names of the reference figures. */
final class MiniFeFigures {
  private static final int FIRST = 10;
  private static final int[] LATER = {12, 15, 20, 25, 30, 40, 50, 60, 80, 100};
  private static final String[] PER_RANK =
      {"rank", "rows", "nonzeros", "ghosts", "box_x0", "box_x1", "box_y0", "box_y1", "box_z0", "box_z1"};

  private MiniFeFigures() {}

  /** Collective. */
  static Map<String, Object> of(Mesh mesh, HeatMatrix matrix, double[] solution, double[] residuals, Comm world) {
    int iterations = residuals.length - 1;
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("initial_residual", residuals[0]);
    figures.put("cg_iterations", iterations);
    figures.put("final_residual_norm", residuals[iterations]);
    figures.put("residuals_iterations_1_to_10",
        Arrays.copyOfRange(residuals, Math.min(1, iterations), Math.min(FIRST, iterations) + 1));
    Map<String, Object> later = new LinkedHashMap<>();
    Arrays.stream(LATER).filter(k -> k <= iterations).forEach(k -> later.put(String.valueOf(k), residuals[k]));
    figures.put("residuals_at", later);
    List<Map<String, Object>> ranks = perRank(mesh, matrix, world);
    figures.put("rows", sum(ranks, "rows"));
    figures.put("nonzeros", sum(ranks, "nonzeros"));
    figures.put("sum_of_solution", world.allReduce(Arrays.stream(solution).reduce(0.0, Double::sum), Op.SUM));
    figures.put("sum_of_solution_squared", world.allReduce(Vectors.dot(solution.length, solution, solution), Op.SUM));
    double[] right = matrix.rightHandSide();
    figures.put("sum_of_rhs_squared", world.allReduce(Vectors.dot(right.length, right, right), Op.SUM));
    figures.put("per_rank", ranks);
    figures.put("check_near_centre", Verification.nearCentre(mesh, solution, world).toMap());
    figures.put("check_whole_domain", Verification.everywhere(mesh, solution, world).toMap());
    return figures;
  }

  private static List<Map<String, Object>> perRank(Mesh mesh, HeatMatrix matrix, Comm world) {
    Box box = mesh.elements;
    int[] mine =
        {world.rank(), matrix.rows(), matrix.nonzeros(), mesh.layout.ghostCount(), box.x0(), box.x1(), box.y0(), box.y1(),
            box.z0(), box.z1()};
    int[] all = new int[mine.length * world.size()];
    world.allGather(Buf.wrap(mine), Buf.wrap(all));
    List<Map<String, Object>> ranks = new ArrayList<>();
    for (int rank = 0; rank < world.size(); rank++) {
      Map<String, Object> one = new LinkedHashMap<>();
      for (int i = 0; i < mine.length; i++) {
        one.put(PER_RANK[i], all[rank * mine.length + i]);
      }
      ranks.add(one);
    }
    return ranks;
  }

  private static long sum(List<Map<String, Object>> ranks, String name) {
    return ranks.stream().mapToLong(one -> ((Number) one.get(name)).longValue()).sum();
  }

  /** The original's counts of operations, which take the elements for the rows. */
  static Map<String, Object> operations(Mesh mesh, long nonzeros, int iterations) {
    double elements = (double) mesh.nx * mesh.ny * mesh.nz;
    Map<String, Object> operations = new LinkedHashMap<>();
    operations.put("products", 2.0 * nonzeros * (iterations + 1));
    operations.put("dots", 2.0 * elements * 2 * iterations);
    operations.put("updates", 3.0 * elements * (3 * iterations + 2));
    return operations;
  }

  /** Least, greatest and mean of what the ranks have. */
  static Map<String, Object> spread(Map<String, Object> figures, String name) {
    List<?> ranks = (List<?>) figures.get("per_rank");
    var statistics = ranks.stream().mapToLong(one -> ((Number) ((Map<?, ?>) one).get(name)).longValue()).summaryStatistics();
    Map<String, Object> spread = new LinkedHashMap<>();
    spread.put("min", statistics.getMin());
    spread.put("max", statistics.getMax());
    spread.put("average", statistics.getAverage());
    return spread;
  }
}
