// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures that AMG reports, by the names of the reference figures. */
final class AmgFigures {
  private AmgFigures() {}

  /** The figures of problem 1. */
  static Map<String, Object> ofOneSolve(Problem problem) {
    SolveLog log = problem.logs().get(0);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("iterations", log.steps());
    figures.put("final_relative_residual_printed", printed(log.relativeResidual()));
    addLevels(figures, problem.levels());
    List<List<Number>> norms = new ArrayList<>();
    for (double residual : log.residuals()) {
      norms.add(List.of(norms.size() + 1, residual));
    }
    figures.put("pcg_residual_norms_7_digits", norms);
    return figures;
  }

  /** The figures of problem 2. */
  static Map<String, Object> ofTimeSteps(Problem problem) {
    List<SolveLog> logs = problem.logs();
    double last = logs.get(logs.size() - 1).relativeResidual();
    List<List<LevelFigures>> hierarchies = hierarchies(problem.levels());
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("cumulative_iterations", logs.stream().mapToInt(SolveLog::steps).sum());
    figures.put("final_relative_residual", last);
    figures.put("final_relative_residual_printed", printed(last));
    figures.put("time_steps", hierarchies.size());
    addComplexities(figures, hierarchies.get(0));
    figures.put("nnz_AP_average_per_step",
        (double) problem.levels().stream().mapToLong(level -> level.nonzeros() + level.interpolation()).sum()
            / hierarchies.size());
    List<Map<String, Object>> steps = new ArrayList<>();
    for (int step = 0; step < hierarchies.size(); step++) {
      steps.add(step(hierarchies.get(step), logs.subList(step * TimeSteps.SOLVES, (step + 1) * TimeSteps.SOLVES)));
    }
    figures.put("per_time_step", steps);
    return figures;
  }

  private static Map<String, Object> step(List<LevelFigures> levels, List<SolveLog> logs) {
    Map<String, Object> step = new LinkedHashMap<>();
    addLevels(step, levels);
    step.put("solves_iterations", logs.stream().map(SolveLog::steps).toList());
    step.put("solves_final_relative_residual", logs.stream().map(SolveLog::relativeResidual).toList());
    step.put("first_solve", solve(logs.get(0)));
    step.put("later_solves_norms", logs.stream().skip(1).map(AmgFigures::solve).toList());
    return step;
  }

  private static Map<String, Object> solve(SolveLog log) {
    Map<String, Object> solve = new LinkedHashMap<>();
    solve.put("b_norm", log.rightNorm());
    solve.put("initial_residual", log.initialNorm());
    solve.put("residuals", log.residuals());
    return solve;
  }

  private static List<List<LevelFigures>> hierarchies(List<LevelFigures> levels) {
    List<List<LevelFigures>> hierarchies = new ArrayList<>();
    for (LevelFigures level : levels) {
      if (hierarchies.isEmpty() || level.rows() == levels.get(0).rows()) {
        hierarchies.add(new ArrayList<>());
      }
      hierarchies.get(hierarchies.size() - 1).add(level);
    }
    return hierarchies;
  }

  private static void addComplexities(Map<String, Object> figures, List<LevelFigures> levels) {
    figures.put("levels", levels.size());
    figures.put("grid_complexity", (double) levels.stream().mapToLong(LevelFigures::rows).sum() / levels.get(0).rows());
    figures.put("operator_complexity",
        (double) levels.stream().mapToLong(LevelFigures::nonzeros).sum() / levels.get(0).nonzeros());
  }

  private static void addLevels(Map<String, Object> figures, List<LevelFigures> levels) {
    addComplexities(figures, levels);
    List<Map<String, Object>> table = new ArrayList<>();
    for (LevelFigures level : levels) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("level", table.size());
      line.put("rows", level.rows());
      line.put("nonzeros", level.nonzeros());
      line.put("min_per_row", level.leastPerRow());
      line.put("max_per_row", level.mostPerRow());
      line.put("avg_per_row", (double) level.nonzeros() / level.rows());
      line.put("min_row_sum", level.leastSum());
      line.put("max_row_sum", level.mostSum());
      table.add(line);
    }
    figures.put("level_table", table);
  }

  private static String printed(double residual) {
    return String.format(Locale.ROOT, "%.6e", residual);
  }
}
