// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import org.kintsugi.examples.sparse.Ranks;

/**
 * For aggressive coarsening, where fine rows may be far from coarse ones: in pass after pass, rows are interpolated through the
 * strong neighbours that the pass before has reached.
 */
final class MultipassInterpolation extends Interpolation {
  private static final double NOT_REACHED = -1;

  private final double[] pass;
  private final int[][] columns;
  private final double[][] weights;
  private final RowSum sums = new RowSum();

  MultipassInterpolation(Rows matrix, Neighbourhood around, Strength strength, double[] status, double[] coarse, Ranks ranks) {
    super(matrix, around, strength, status, coarse, ranks);
    pass = around.vector();
    columns = new int[matrix.count()][];
    weights = new double[matrix.count()][];
  }

  @Override
  Rows rows() {
    for (int row = 0; row < matrix.count(); row++) {
      pass[row] = isCoarse(row) ? 0 : NOT_REACHED;
      columns[row] = isCoarse(row) ? new int[] {(int) coarse[row]} : new int[0];
      weights[row] = isCoarse(row) ? new double[] {1} : new double[0];
    }
    int now = 1;
    while (ranks.sum((double) reach(now)) > 0) {
      now++;
    }
    Rows rows = new Rows();
    for (int row = 0; row < matrix.count(); row++) {
      for (int i = 0; i < columns[row].length; i++) {
        rows.add(columns[row][i], weights[row][i]);
      }
      rows.endRow();
    }
    return rows;
  }

  /** Makes a pass; returns how many rows it has reached. */
  private int reach(int now) {
    around.ghosts.fill(pass);
    long[][] outside = around.fetch((row, to) -> {
      for (int i = 0; pass[row] == now - 1 && i < columns[row].length; i++) {
        to.add((long) columns[row][i]);
        to.add(weights[row][i]);
      }
    });
    int reached = 0;
    for (int row = 0; row < matrix.count(); row++) {
      if (isFine(row) && pass[row] == NOT_REACHED && interpolate(row, now, outside)) {
        reached++;
      }
    }
    // Rows of this pass are no neighbours for others of it.
    for (int row = 0; row < matrix.count(); row++) {
      if (pass[row] == NOT_REACHED && columns[row].length > 0) {
        pass[row] = now;
      }
    }
    return reached;
  }

  private boolean interpolate(int row, int now, long[][] outside) {
    sums.clear();
    double diagonal = 0;
    double others = 0;
    double reached = 0;
    for (int k = matrix.start(row); k < matrix.end(row); k++) {
      double value = matrix.value(k);
      int local = local(k);
      if (local == row) {
        diagonal = value;
      } else if (strength.strong[k] && pass[local] == now - 1) {
        reached += substitute(local, value, outside);
      } else if (!isSpecial(local)) {
        others += value;
      }
    }
    if (sums.size() == 0) {
      return false;
    }
    double scale = -((reached + others) / (reached * diagonal));
    columns[row] = new int[sums.size()];
    weights[row] = new double[sums.size()];
    for (int i = 0; i < sums.size(); i++) {
      columns[row][i] = sums.column(i);
      weights[row][i] = sums.value(i) * scale;
    }
    return true;
  }

  /** Puts a neighbour's interpolation in its place; returns the sum of what came of it. */
  private double substitute(int local, double value, long[][] outside) {
    double sum = 0;
    if (local < matrix.count()) {
      for (int i = 0; i < columns[local].length; i++) {
        sums.add(columns[local][i], value * weights[local][i]);
        sum += value * weights[local][i];
      }
    } else {
      long[] theirs = outside[local - matrix.count()];
      for (int i = 0; i < theirs.length; i += 2) {
        double term = value * Double.longBitsToDouble(theirs[i + 1]);
        sums.add((int) theirs[i], term);
        sum += term;
      }
    }
    return sum;
  }
}
