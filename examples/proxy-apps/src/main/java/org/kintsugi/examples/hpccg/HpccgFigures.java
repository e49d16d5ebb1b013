// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.kintsugi.examples.sparse.CompressedRows;
import org.kintsugi.examples.sparse.Ranks;

/** The figures that HPCCG reports, by the names of the reference figures. */
final class HpccgFigures {
  private static final int FIRST = 10;
  private static final int[] LATER = {12, 15, 20, 25, 30, 40, 50, 75, 100, 125, 149};
  private static final String[] LIMITS = {"1e-3", "1e-6", "1e-9", "1e-12"};
  /** Entries of an inner row; the nominal count has it for all. */
  private static final long NOMINAL = CompressedRows.STENCIL;

  private HpccgFigures() {}

  /** Collective. */
  static Map<String, Object> of(StencilMatrix matrix, Ranks ranks, ConjugateGradient solver, int passes, double maxError,
      double sumX) {
    double[] residuals = solver.residuals(passes);
    long rows = (long) ranks.size() * matrix.rows();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("initial_residual", residuals[0]);
    figures.put("residuals_iterations_1_to_10", Arrays.copyOfRange(residuals, 1, Math.min(FIRST, passes) + 1));
    Map<String, Object> later = new LinkedHashMap<>();
    Arrays.stream(LATER).filter(k -> k <= passes).forEach(k -> later.put(String.valueOf(k), residuals[k]));
    figures.put("residuals_at", later);
    figures.put("final_residual_reported", residuals[passes]);
    figures.put("iterations_reported", passes);
    figures.put("first_iteration_with_residual_le", firstBelow(residuals));
    figures.put("max_abs_error_vs_exact", maxError);
    figures.put("x_at_global_row_0", solver.firstOfX());
    figures.put("sum_of_x", sumX);
    figures.put("total_rows", rows);
    figures.put("nonzeros_actual", (long) ranks.sum(matrix.nonzeros()));
    figures.put("nonzeros_nominal_used_for_flops", NOMINAL * rows);
    figures.put("ghost_entries_summed_over_ranks", (long) ranks.sum(matrix.layout().ghostCount()));
    figures.put("flops", operations(rows, passes));
    return figures;
  }

  private static Map<String, Object> firstBelow(double[] residuals) {
    Map<String, Object> first = new LinkedHashMap<>();
    for (String limit : LIMITS) {
      int k = 1;
      while (k < residuals.length && residuals[k] > Double.parseDouble(limit)) {
        k++;
      }
      first.put(limit, k < residuals.length ? k : null);
    }
    return first;
  }

  private static Map<String, Object> operations(long rows, int passes) {
    double dots = 4.0 * passes * rows;
    double updates = 6.0 * passes * rows;
    double products = 2.0 * passes * NOMINAL * rows;
    Map<String, Object> operations = new LinkedHashMap<>();
    operations.put("ddot", dots);
    operations.put("waxpby", updates);
    operations.put("sparsemv", products);
    operations.put("total", dots + updates + products);
    return operations;
  }
}
