// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Arrays;
import org.kintsugi.checkpoint.Checkpoint;

/** One rank's report of the iterations made: it grows with them. */
final class History {
  private static final int FIGURES = 4;
  private static final int ROOM = 64 * FIGURES;

  /** Four figures of each iteration, and room for those to come. */
  private double[] figures = new double[ROOM];
  private int end;

  void protect(Checkpoint checkpoint) {
    checkpoint.protect("history", () -> Arrays.copyOf(figures, end), this::set);
  }

  private void set(double[] restored) {
    end = restored.length;
    figures = Arrays.copyOf(restored, end + ROOM);
  }

  void clear() {
    end = 0;
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
    if (end == figures.length) {
      figures = Arrays.copyOf(figures, 2 * end);
    }
    figures[end++] = modularity;
    figures[end++] = moved;
    figures[end++] = sum;
    figures[end++] = communities;
  }

  int iterations() {
    return end / FIGURES;
  }

  /** The modularity after an iteration, from 1 on; the same on all ranks. */
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

  /** Communities of this rank that have vertices after the iteration. */
  double communities(int iteration) {
    return figures[FIGURES * (iteration - 1) + 3];
  }
}
