// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import org.kintsugi.examples.sparse.Ranks;

/**
 * Interpolation from the coarse rows that a row depends on, and from those that its fine neighbours depend on; what links fine
 * rows with the row itself counts, too (extended+i). Rows keep their eight largest weights.
 */
final class ExtendedInterpolation extends Interpolation {
  private static final int MOST_WEIGHTS = 8;
  private static final int NUMBERS = 3;

  /** Rows of other ranks: column, value, and the number on the next level (-1: none) with whether the dependency is strong. */
  private long[][] outside;
  private final RowSum weights = new RowSum();

  ExtendedInterpolation(Rows matrix, Neighbourhood around, Strength strength, double[] status, double[] coarse, Ranks ranks) {
    super(matrix, around, strength, status, coarse, ranks);
  }

  /** Looks at an entry of a row. */
  @FunctionalInterface
  private interface Visitor {
    /** @param coarseNumber on the next level; -1: none */
    void at(int column, double value, int coarseNumber, boolean strong);
  }

  @Override
  Rows rows() {
    outside = around.fetch((row, to) -> forEntries(row, (column, value, coarseNumber, strong) -> {
      to.add((long) column);
      to.add(value);
      to.add(2L * (coarseNumber + 1) + (strong ? 1 : 0));
    }));
    Rows rows = new Rows();
    for (int row = 0; row < matrix.count(); row++) {
      weights.clear();
      if (isCoarse(row)) {
        weights.add((int) coarse[row], 1);
      } else if (isFine(row)) {
        interpolate(row);
      }
      rows.add(weights);
    }
    return rows;
  }

  private void forEntries(int local, Visitor visitor) {
    if (local < matrix.count()) {
      for (int k = matrix.start(local); k < matrix.end(local); k++) {
        int other = local(k);
        visitor.at(matrix.column(k), matrix.value(k), isCoarse(other) ? (int) coarse[other] : -1, strength.strong[k]);
      }
      return;
    }
    long[] theirs = outside[local - matrix.count()];
    for (int i = 0; i < theirs.length; i += NUMBERS) {
      visitor.at((int) theirs[i], Double.longBitsToDouble(theirs[i + 1]), (int) (theirs[i + 2] >> 1) - 1,
          (theirs[i + 2] & 1) == 1);
    }
  }

  private void interpolate(int row) {
    for (int k = matrix.start(row); k < matrix.end(row); k++) {
      int other = local(k);
      if (!strength.strong[k]) {
        continue;
      }
      if (isCoarse(other)) {
        weights.place((int) coarse[other]);
      } else if (isFine(other)) {
        forEntries(other, (column, value, coarseNumber, strong) -> {
          if (strong && coarseNumber >= 0) {
            weights.place(coarseNumber);
          }
        });
      }
    }
    int self = around.number(row);
    double diagonal = 0;
    for (int k = matrix.start(row); k < matrix.end(row); k++) {
      int other = local(k);
      double value = matrix.value(k);
      if (other == row) {
        diagonal += value;
      } else if (isCoarse(other) && weights.has((int) coarse[other])) {
        weights.add((int) coarse[other], value);
      } else if (strength.strong[k] && isFine(other)) {
        diagonal += distribute(other, value, self);
      } else if (!isSpecial(other)) {
        diagonal += value;
      }
    }
    for (int i = 0; i < weights.size(); i++) {
      weights.set(i, -weights.value(i) / diagonal);
    }
    truncate();
  }

  private double sum;
  private double back;
  private double middle;

  /**
   * Shares the entry between the row and a fine neighbour among that one's coarse rows and the row itself; returns the row's
   * share. Entries of the neighbour with the sign of its diagonal do not take part.
   */
  private double distribute(int fine, double value, int self) {
    sum = 0;
    back = 0;
    middle = 0;
    int fineNumber = around.number(fine);
    forEntries(fine, (column, one, coarseNumber, strong) -> middle = column == fineNumber ? one : middle);
    forEntries(fine, (column, one, coarseNumber, strong) -> {
      if (one * middle >= 0) {
        return;
      }
      if (column == self) {
        sum += one;
        back = one;
      } else if (coarseNumber >= 0 && weights.has(coarseNumber)) {
        sum += one;
      }
    });
    if (sum == 0) {
      return value;
    }
    double share = value / sum;
    forEntries(fine, (column, one, coarseNumber, strong) -> {
      if (one * middle < 0 && coarseNumber >= 0 && weights.has(coarseNumber)) {
        weights.add(coarseNumber, share * one);
      }
    });
    return share * back;
  }

  /** Keeps the largest weights, with the same sum. */
  private void truncate() {
    if (weights.size() <= MOST_WEIGHTS) {
      return;
    }
    double before = 0;
    for (int i = 0; i < weights.size(); i++) {
      before += weights.value(i);
    }
    boolean[] taken = new boolean[weights.size()];
    int[] columns = new int[MOST_WEIGHTS];
    double[] values = new double[MOST_WEIGHTS];
    double after = 0;
    for (int n = 0; n < MOST_WEIGHTS; n++) {
      int largest = -1;
      for (int i = 0; i < weights.size(); i++) {
        if (!taken[i] && (largest < 0 || Math.abs(weights.value(i)) > Math.abs(weights.value(largest)))) {
          largest = i;
        }
      }
      taken[largest] = true;
      columns[n] = weights.column(largest);
      values[n] = weights.value(largest);
      after += values[n];
    }
    weights.clear();
    for (int n = 0; n < MOST_WEIGHTS; n++) {
      weights.add(columns[n], after == 0 ? values[n] : values[n] * (before / after));
    }
  }
}
