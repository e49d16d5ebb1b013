// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import org.kintsugi.examples.sparse.Ranks;

/** The operator of the next level: P^T A P. Entries that cancel stay. */
final class CoarseOperator {
  private static final int NUMBERS = 3;

  private CoarseOperator() {}

  /**
   * Collective.
   *
   * @param coarse which rank owns which rows of the next level
   */
  static Rows of(Rows matrix, Neighbourhood around, Rows interpolation, Ranges coarse, Ranks ranks) {
    long[][] outside = around.fetch((row, to) -> {
      for (int k = interpolation.start(row); k < interpolation.end(row); k++) {
        to.add((long) interpolation.column(k));
        to.add(interpolation.value(k));
      }
    });
    RowSum[] own = new RowSum[coarse.count()];
    for (int row = 0; row < own.length; row++) {
      own[row] = new RowSum();
    }
    LongList[] others = new LongList[ranks.size()];
    for (int rank = 0; rank < others.length; rank++) {
      others[rank] = new LongList();
    }
    RowSum product = new RowSum();
    for (int row = 0; row < matrix.count(); row++) {
      product.clear();
      for (int k = matrix.start(row); k < matrix.end(row) && interpolation.start(row) < interpolation.end(row); k++) {
        addProduct(product, matrix.value(k), around.local(matrix.column(k)), interpolation, outside);
      }
      for (int k = interpolation.start(row); k < interpolation.end(row); k++) {
        int target = interpolation.column(k);
        for (int i = 0; i < product.size(); i++) {
          double value = interpolation.value(k) * product.value(i);
          if (coarse.owns(target)) {
            own[target - coarse.first()].add(product.column(i), value);
          } else {
            LongList list = others[coarse.owner(target)];
            list.add((long) target);
            list.add((long) product.column(i));
            list.add(value);
          }
        }
      }
    }
    addOthers(own, others, coarse, ranks);
    Rows rows = new Rows();
    for (RowSum row : own) {
      rows.add(row);
    }
    return rows;
  }

  private static void addProduct(RowSum product, double value, int local, Rows interpolation, long[][] outside) {
    if (local < interpolation.count()) {
      for (int k = interpolation.start(local); k < interpolation.end(local); k++) {
        product.add(interpolation.column(k), value * interpolation.value(k));
      }
    } else {
      long[] theirs = outside[local - interpolation.count()];
      for (int i = 0; i < theirs.length; i += 2) {
        product.add((int) theirs[i], value * Double.longBitsToDouble(theirs[i + 1]));
      }
    }
  }

  private static void addOthers(RowSum[] own, LongList[] others, Ranges coarse, Ranks ranks) {
    int[] sent = new int[others.length];
    LongList all = new LongList();
    for (int rank = 0; rank < others.length; rank++) {
      sent[rank] = others[rank].size();
      for (int i = 0; i < others[rank].size(); i++) {
        all.add(others[rank].array()[i]);
      }
    }
    long[] terms = ranks.exchange(all.array(), sent, new int[others.length]);
    for (int i = 0; i < terms.length; i += NUMBERS) {
      own[(int) terms[i] - coarse.first()].add((int) terms[i + 1], Double.longBitsToDouble(terms[i + 2]));
    }
  }
}
