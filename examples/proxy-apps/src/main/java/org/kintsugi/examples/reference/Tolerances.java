// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.reference;

import com.fasterxml.jackson.databind.JsonNode;

/** How near each application has to come to the original: the {@code tolerance_note} of the reference figures, as rules. */
final class Tolerances {
  /** HPCCG: residuals below this are rounding and nothing else. */
  private static final double LAST_PHYSICAL_RESIDUAL = 1e-9;

  /** AMG: final residuals below this are rounding. */
  private static final double AMG_ROUNDING = 1e-12;

  private Tolerances() {}

  /**
   * The tolerances of an application.
   *
   * @param figures the original's
   * @param everyDigit whether sums over ranks are made as the original's were, so that every digit counts
   */
  static Rules of(String app, int ranks, JsonNode figures, boolean everyDigit) {
    return switch (app) {
      case "hpccg" -> hpccg(everyDigit || ranks <= 2);
      case "lulesh" -> lulesh(figures);
      case "comd" -> comd();
      case "minife" -> minife(ranks <= 2);
      case "amg" -> amg(ranks > 1);
      case "minivite" -> minivite();
      default -> throw new IllegalArgumentException("no tolerances are known for app " + app);
    };
  }

  /**
   * On one and two ranks every digit counts. Beyond that the order of the reduction decides the last ones: the first ten
   * residuals count to 1e-11, those above 1e-9 to 1e-9, and of the rest the order of magnitude.
   */
  private static Rules hpccg(boolean everyDigit) {
    Rules rules = new Rules().ignored("allreduce_order_sensitivity/**", "allreduce_order_sensitivity",
        "residuals_iterations_1_to_10_by_allreduce_order", "wall_*");
    if (everyDigit) {
      return rules;
    }
    return rules.relative(1e-11, "initial_residual", "residuals_iterations_1_to_10/*")
        .by(Tolerances::isNearResidual, "residuals_at/*", "final_residual_reported")
        .absolute(1, "first_iteration_with_residual_le/*")
        .relative(1e-12, "sum_of_x", "x_at_global_row_0")
        .below(1e-14, "max_abs_error_vs_exact");
  }

  private static boolean isNearResidual(double actual, double expected) {
    return expected > LAST_PHYSICAL_RESIDUAL ? Math.abs(actual - expected) <= 1e-9 * expected
        : actual > expected / 10 && actual < expected * 10;
  }

  /**
   * Counts are exact; energies are accepted to 1e-8, though 1e-12 is expected (a test asks for it); times to 1e-11. Values
   * that should be zero by symmetry are rounding errors: only their size counts.
   */
  private static Rules lulesh(JsonNode figures) {
    double energy = figures.get("final_origin_energy").asDouble();
    return new Rules().ignored("wall_*")
        .exact("iteration_count", "cycle_time_dt_first/*/0", "cycle_time_dt_last/0")
        .relative(1e-11, "final_time", "final_dt", "cycle_time_dt_first/**", "cycle_time_dt_last/*")
        .below(1e-8 * energy, "MaxAbsDiff", "TotalAbsDiff")
        .below(1e-9, "MaxRelDiff")
        .relative(1e-8, "final_origin_energy", "origin_element/*", "energy_of_*", "x_of_*", "xvelocity_of_*", "whole_mesh/*");
  }

  /**
   * Atoms are counted exactly; energies per atom to 1e-10, positions to 1e-8 Angstrom, momenta likewise as they follow from the
   * same forces. The sum of momenta is zero but for rounding.
   */
  private static Rules comd() {
    return new Rules().ignored("wall_*")
        .relative(1e-10, "initial_total_energy_per_atom", "final_total_energy_per_atom", "eFinal_over_eInitial",
            "per_print_step_per_atom_eV/*/total", "per_print_step_per_atom_eV/*/potential",
            "per_print_step_per_atom_eV/*/time_fs")
        .by((actual, expected) -> Math.abs(actual - expected) <= 1e-10 * Math.max(Math.abs(expected), 1e-12),
            "per_print_step_per_atom_eV/*/kinetic", "per_print_step_per_atom_eV/*/temperature")
        .absolute(1e-8, "final_atom_gid0/*", "final_atom_gid_half/x", "final_atom_gid_half/y", "final_atom_gid_half/z")
        .absolute(1e-6, "final_atom_gid_half/p*")
        .below(1e-6, "final_sum_momentum_xyz/*")
        .relative(1e-9, "final_sum_positions_xyz/*");
  }

  /**
   * Counts and boxes are exact. On one and two ranks every digit of the solver counts. Beyond that it amplifies the rounding of
   * the reduction's order: the first five residuals count to 1e-10, the next three to 1e-4, of later ones the order of magnitude;
   * the last one is near the limit that it has passed. The solution counts to 1e-11. The problem is symmetric in y and z:
   * rounding decides on which side, and so on which rank, the largest error is found.
   */
  private static Rules minife(boolean everyDigit) {
    Rules rules = new Rules().ignored("wall_*", "allreduce_order_sensitivity", "cross_partition_relative_spread_*",
        "check_whole_domain/points_on_reporting_rank")
        .absolute(1e-12, "check_*/at/0")
        .by((actual, expected) -> Math.abs(Math.abs(actual - 0.5) - Math.abs(expected - 0.5)) < 1e-12, "check_*/at/*")
        .absolute(1e-11, "check_*/max_abs_error", "check_*/computed", "check_*/series_solution");
    if (everyDigit) {
      return rules;
    }
    return rules.relative(1e-10, "initial_residual", "residuals_iterations_1_to_10/[0-4]")
        .relative(1e-4, "residuals_iterations_1_to_10/[567]")
        .by((actual, expected) -> actual > expected / 10 && actual < expected * 10, "residuals_iterations_1_to_10/[89]",
            "residuals_at/*")
        .below(1e-12, "final_residual_norm")
        .absolute(2, "cg_iterations")
        .relative(1e-11, "sum_of_*");
  }

  /** Everything is exact, but what follows from a sum over ranks counts to 1e-12. */
  private static Rules minivite() {
    return new Rules().ignored("wall_*").relative(1e-12, "modularity", "inverse_of_twice_total_weight",
        "per_iteration/*/modularity");
  }

  /**
   * Rows of the levels are exact, and so are iterations; on one rank entries, too. On several ranks the original stores some
   * zeros more: each product of two parts of matrices gets a diagonal if it happens to be square. So entries count to 3 %. The
   * reference has complexities to six decimals, means to one, row sums to four digits (some of which are rounding: 1e-9) and
   * residuals of problem 1 to seven. Residuals of first solves count to 1e-9; those of later solves are rounding: they have to
   * be small, or as large as the original's. A true residual after a solve is rounding to 1e-6 of
   * itself.
   */
  private static Rules amg(boolean severalRanks) {
    Rules rules = new Rules().ignored("wall_*");
    if (severalRanks) {
      rules.relative(0.03, "**nonzeros", "**avg_per_row", "nnz_AP_average_per_step")
          .absolute(1, "**min_per_row", "**max_per_row")
          .absolute(0.02, "**operator_complexity");
    }
    return rules
        .absolute(6e-7, "**grid_complexity", "**operator_complexity")
        .absolute(0.0501, "**avg_per_row")
        .by((actual, expected) -> Math.abs(actual - expected) <= Math.max(6e-4 * Math.abs(expected), 1e-9), "**row_sum")
        .absolute(1, "nnz_AP_average_per_step")
        .relative(1e-6, "pcg_residual_norms_7_digits/*/1")
        .relative(1e-9, "per_time_step/*/first_solve/**", "per_time_step/*/later_solves_norms/*/b_norm")
        .relative(1e-6, "per_time_step/*/solves_final_relative_residual/0")
        .below(1e-6, "final_relative_residual", "per_time_step/*/solves_final_relative_residual/*")
        // Of problem 1 the residual of its one solve, in seven digits; of problem 2 that of the last of many, which is rounding.
        .by((actual, expected) -> expected > AMG_ROUNDING ? Math.abs(actual - expected) <= 1e-6 * expected
            : Math.abs(actual) <= 1e-6,
            "final_relative_residual_printed")
        .by((actual, expected) -> Math.abs(actual) <= Math.max(1e-6, 1.01 * expected), "per_time_step/*/later_solves_norms/**");
  }
}
