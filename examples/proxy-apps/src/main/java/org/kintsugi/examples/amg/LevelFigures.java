// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.io.Serializable;
import org.kintsugi.examples.sparse.Ranks;

/**
 * The figures of a level, over all ranks.
 *
 * @param rows of the matrix
 * @param nonzeros of the matrix
 * @param leastPerRow entries of a row
 * @param mostPerRow entries of a row
 * @param leastSum of a row's entries
 * @param mostSum of a row's entries
 * @param interpolation entries of the interpolation; 0 on the last level
 */
record LevelFigures(long rows, long nonzeros, long leastPerRow, long mostPerRow, double leastSum, double mostSum,
    long interpolation)
    implements
      Serializable {
  /** Collective. */
  static LevelFigures of(Rows matrix, Rows interpolation, Ranks ranks) {
    double[] sums = {matrix.count(), matrix.entries(), interpolation == null ? 0 : interpolation.entries()};
    // Each rank has a place for its extremes: the sum over ranks gathers them.
    double[] extremes = new double[4 * ranks.size()];
    int at = 4 * ranks.rank();
    extremes[at] = Integer.MAX_VALUE;
    extremes[at + 2] = Double.MAX_VALUE;
    extremes[at + 3] = -Double.MAX_VALUE;
    for (int row = 0; row < matrix.count(); row++) {
      int entries = matrix.end(row) - matrix.start(row);
      double sum = 0;
      for (int k = matrix.start(row); k < matrix.end(row); k++) {
        sum += matrix.value(k);
      }
      extremes[at] = Math.min(extremes[at], entries);
      extremes[at + 1] = Math.max(extremes[at + 1], entries);
      extremes[at + 2] = Math.min(extremes[at + 2], sum);
      extremes[at + 3] = Math.max(extremes[at + 3], sum);
    }
    ranks.sum(sums);
    ranks.sum(extremes);
    for (int i = 4; i < extremes.length; i += 4) {
      extremes[0] = Math.min(extremes[0], extremes[i]);
      extremes[1] = Math.max(extremes[1], extremes[i + 1]);
      extremes[2] = Math.min(extremes[2], extremes[i + 2]);
      extremes[3] = Math.max(extremes[3], extremes[i + 3]);
    }
    return new LevelFigures((long) sums[0], (long) sums[1], (long) extremes[0], (long) extremes[1], extremes[2], extremes[3],
        (long) sums[2]);
  }
}
