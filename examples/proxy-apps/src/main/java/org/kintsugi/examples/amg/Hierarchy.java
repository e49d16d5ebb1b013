// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.ArrayList;
import java.util.List;
import org.kintsugi.examples.sparse.Ranks;

/** The levels of algebraic multigrid for a matrix, and a V-cycle over them. */
final class Hierarchy {
  private static final int MOST_LEVELS = 25;
  /** Coarsening ends at so few rows. */
  private static final int SMALL = 9;
  private static final int SWEEPS = 2;

  private final Ranks ranks;
  private final List<Level> levels = new ArrayList<>();
  private final List<LevelFigures> figures = new ArrayList<>();
  /** Null: the last level is smoothed, as it has too many rows or is the only one: so the original does it. */
  private final DirectSolver last;

  /** Collective. */
  Hierarchy(Rows finest, Ranges finestRanges, Ranks ranks) {
    this.ranks = ranks;
    Rows matrix = finest;
    Ranges ranges = finestRanges;
    int lengthFromAbove = 0;
    while (true) {
      Neighbourhood around = new Neighbourhood(matrix, ranges, ranks);
      Rows interpolation = null;
      Ranges coarse = null;
      if (levels.size() < MOST_LEVELS - 1 && (levels.isEmpty() || ranges.total() > SMALL)) {
        Strength strength = new Strength(matrix, ranges.first());
        double[] status = coarsen(strength, ranges);
        coarse = Ranges.of(count(status, ranges.count()), ranks);
        if (coarse.total() > 0 && coarse.total() < ranges.total()) {
          interpolation = interpolate(matrix, around, strength, status, coarse);
        }
      }
      int length = Math.max(lengthFromAbove, around.layout.lengthWithGhosts());
      LocalMatrix local = new LocalMatrix(matrix, around);
      figures.add(LevelFigures.of(matrix, interpolation, ranks));
      if (interpolation == null) {
        last = !levels.isEmpty() && ranges.total() <= SMALL ? new DirectSolver(matrix, ranges, ranks) : null;
        levels.add(new Level(local, null, length));
        return;
      }
      Neighbourhood below = new Neighbourhood(interpolation, coarse, ranks);
      levels.add(new Level(local, new LocalMatrix(interpolation, below), length));
      lengthFromAbove = below.layout.lengthWithGhosts();
      matrix = CoarseOperator.of(matrix, around, interpolation, coarse, ranks);
      ranges = coarse;
    }
  }

  /** The first level is coarsened aggressively: of the coarse rows those stay so that are coarse among each other, too. */
  private double[] coarsen(Strength strength, Ranges ranges) {
    Neighbourhood around = new Neighbourhood(strength.graph, ranges, ranks);
    double[] status = Coarsening.choose(strength.graph, around, Coarsening.SPECIAL, ranks);
    if (!levels.isEmpty()) {
      return status;
    }
    Ranges coarse = Ranges.of(count(status, ranges.count()), ranks);
    Rows second = secondGraph(strength.graph, around, status, number(status, coarse, around));
    double[] chosen = Coarsening.choose(second, new Neighbourhood(second, coarse, ranks), Coarsening.COARSE, ranks);
    for (int row = 0, at = 0; row < ranges.count(); row++) {
      if (status[row] == Coarsening.COARSE) {
        status[row] = chosen[at++];
      }
    }
    return status;
  }

  private static int count(double[] status, int rows) {
    int count = 0;
    for (int row = 0; row < rows; row++) {
      count += status[row] == Coarsening.COARSE ? 1 : 0;
    }
    return count;
  }

  /** The numbers of coarse rows on the next level. */
  private static double[] number(double[] status, Ranges coarse, Neighbourhood around) {
    double[] numbers = around.vector();
    int next = coarse.first();
    for (int row = 0; row < around.ranges.count(); row++) {
      numbers[row] = status[row] == Coarsening.COARSE ? next++ : -1;
    }
    around.ghosts.fill(numbers);
    return numbers;
  }

  /** Links coarse rows of which one depends on the other directly or through one row between. */
  private static Rows secondGraph(Rows graph, Neighbourhood around, double[] status, double[] numbers) {
    long[][] outside = around.fetch((row, to) -> {
      for (int k = graph.start(row); k < graph.end(row); k++) {
        if (numbers[around.local(graph.column(k))] >= 0) {
          to.add((long) numbers[around.local(graph.column(k))]);
        }
      }
    });
    Rows second = new Rows();
    RowSum links = new RowSum();
    for (int row = 0; row < graph.count(); row++) {
      if (status[row] != Coarsening.COARSE) {
        continue;
      }
      links.clear();
      links.place((int) numbers[row]);
      for (int k = graph.start(row); k < graph.end(row); k++) {
        int between = around.local(graph.column(k));
        addLink(links, numbers[between]);
        if (between < graph.count()) {
          for (int m = graph.start(between); m < graph.end(between); m++) {
            addLink(links, numbers[around.local(graph.column(m))]);
          }
        } else {
          for (long number : outside[between - graph.count()]) {
            addLink(links, number);
          }
        }
      }
      for (int i = 1; i < links.size(); i++) {
        second.add(links.column(i), 1);
      }
      second.endRow();
    }
    return second;
  }

  private static void addLink(RowSum links, double number) {
    if (number >= 0) {
      links.place((int) number);
    }
  }

  private Rows interpolate(Rows matrix, Neighbourhood around, Strength strength, double[] found, Ranges coarse) {
    double[] status = around.vector();
    System.arraycopy(found, 0, status, 0, matrix.count());
    around.ghosts.fill(status);
    double[] numbers = number(status, coarse, around);
    Interpolation interpolation = levels.isEmpty()
        ? new MultipassInterpolation(matrix, around, strength, status, numbers, ranks)
        : new ExtendedInterpolation(matrix, around, strength, status, numbers, ranks);
    return interpolation.rows();
  }

  /** One V-cycle from zero: an approximate solution. Collective. */
  void cycle(double[] right, double[] solution) {
    System.arraycopy(right, 0, levels.get(0).right, 0, levels.get(0).matrix.rows);
    cycle(0);
    System.arraycopy(levels.get(0).solution, 0, solution, 0, levels.get(0).matrix.rows);
  }

  private void cycle(int number) {
    Level level = levels.get(number);
    boolean isLast = level.interpolation == null;
    if (isLast && last != null) {
      last.solve(level.right, level.solution);
      return;
    }
    level.smoothZero();
    if (isLast) {
      return;
    }
    for (int sweep = 1; sweep < SWEEPS; sweep++) {
      level.smooth();
    }
    Level next = levels.get(number + 1);
    level.restrict(next);
    cycle(number + 1);
    level.correct(next);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      level.smooth();
    }
  }

  List<LevelFigures> figures() {
    return figures;
  }

  /** The matrix of the first level: changes of it change how the first level smooths, and nothing else. */
  LocalMatrix finest() {
    return levels.get(0).matrix;
  }
}
