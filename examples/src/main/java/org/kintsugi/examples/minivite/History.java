// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Arrays;
import org.kintsugi.checkpoint.Checkpoint;

/** What one rank reports of the iterations made: it grows with them. */
final class History {
  private static final int FIGURES = 4;

  /** Four figures of each iteration. */
  private double[] figures = new double[0];

  void protect(Checkpoint checkpoint) {
    checkpoint.protect("history", () -> figures, restored -> figures = restored);
  }

  void clear() {
    figures = new double[0];
  }

  void add(double modularity, long[] before, long[] after, long[] sizes) {
    double moved = 0;
    double sum = 0;
    double communities = 0;
    for (int vertex = 0; vertex < before.length; vertex++) {
      moved += before[vertex] == after[vertex] ? 0 : 1;
      sum += after[vertex];
      communities += sizes[vertex] > 0 ? 1 : 0;
    }
    int end = figures.length;
    figures = Arrays.copyOf(figures, end + FIGURES);
    figures[end] = modularity;
    figures[end + 1] = moved;
    figures[end + 2] = sum;
    figures[end + 3] = communities;
  }

  int iterations() {
    return figures.length / FIGURES;
  }

  /** Of iteration 1 and so on; the same on all ranks. */
  double modularity(int iteration) {
    return figures[FIGURES * (iteration - 1)];
  }

  /** This rank's vertices that it moved. */
  double moved(int iteration) {
    return figures[FIGURES * (iteration - 1) + 1];
  }

  /** The sum of the communities that this rank's vertices go to. */
  double sumOfTargets(int iteration) {
    return figures[FIGURES * (iteration - 1) + 2];
  }

  /** Communities of this rank that have vertices behind it. */
  double communities(int iteration) {
    return figures[FIGURES * (iteration - 1) + 3];
  }
}
