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
  /** Of the row that was read last. */
  private final RowEntries entries = new RowEntries();

  ExtendedInterpolation(Rows matrix, Neighbourhood around, Strength strength, double[] status, double[] coarse, Ranks ranks) {
    super(matrix, around, strength, status, coarse, ranks);
  }

  @Override
  Rows rows() {
    outside = around.fetch((row, to) -> {
      readOwned(row);
      for (int i = 0; i < entries.size(); i++) {
        to.add((long) entries.column(i));
        to.add(entries.value(i));
        to.add(2L * (entries.coarse(i) + 1) + (entries.isStrong(i) ? 1 : 0));
      }
    });
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

  private void readOwned(int row) {
    entries.clear();
    for (int k = matrix.start(row); k < matrix.end(row); k++) {
      int other = local(k);
      entries.add(matrix.column(k), matrix.value(k), isCoarse(other) ? (int) coarse[other] : RowEntries.NOT_COARSE,
          strength.strong[k]);
    }
  }

  private void read(int local) {
    if (local < matrix.count()) {
      readOwned(local);
      return;
    }
    entries.clear();
    long[] theirs = outside[local - matrix.count()];
    for (int i = 0; i < theirs.length; i += NUMBERS) {
      entries.add((int) theirs[i], Double.longBitsToDouble(theirs[i + 1]), (int) (theirs[i + 2] >> 1) - 1,
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
        read(other);
        for (int i = 0; i < entries.size(); i++) {
          if (entries.isStrong(i) && entries.isCoarse(i)) {
            weights.place(entries.coarse(i));
          }
        }
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

  /**
   * Shares the entry between the row and a fine neighbour among that one's coarse rows and the row itself; returns the row's
   * share. Entries of the neighbour with the sign of its diagonal do not take part, in rows of other ranks as in own ones: so
   * the original has it.
   */
  private double distribute(int fine, double value, int self) {
    read(fine);
    double middle = entries.valueAt(around.number(fine));
    double sum = 0;
    double back = 0;
    for (int i = 0; i < entries.size(); i++) {
      double one = entries.value(i);
      if (one * middle >= 0) {
        continue;
      }
      if (entries.column(i) == self) {
        sum += one;
        back = one;
      } else if (hasWeight(i)) {
        sum += one;
      }
    }
    if (sum == 0) {
      return value;
    }
    double share = value / sum;
    for (int i = 0; i < entries.size(); i++) {
      if (entries.value(i) * middle < 0 && hasWeight(i)) {
        weights.add(entries.coarse(i), share * entries.value(i));
      }
    }
    return share * back;
  }

  private boolean hasWeight(int entry) {
    return entries.isCoarse(entry) && weights.has(entries.coarse(entry));
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
