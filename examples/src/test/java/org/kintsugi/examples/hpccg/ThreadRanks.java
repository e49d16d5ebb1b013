// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.kintsugi.examples.app.RankThreads;

/**
 * Ranks that are threads: the numerics on several ranks without MPI, with the reduction of the reference figures (recursive
 * doubling; ranks beyond a power of two are folded into the first ones).
 */
final class ThreadRanks {
  private final double[] numbers;
  private final double[][] vectors;
  private final RankThreads threads;

  private ThreadRanks(int ranks) {
    numbers = new double[ranks];
    vectors = new double[ranks][];
    threads = new RankThreads(ranks);
  }

  /** Runs the work of all ranks, and returns their results. The work gets its rank's view of the others. */
  static <T> List<T> run(int ranks, int rows, int plane, Function<Ranks, T> work)
      throws ExecutionException, InterruptedException {
    ThreadRanks all = new ThreadRanks(ranks);
    return all.threads.run(rank -> work.apply(all.new OneRank(rank, rows, plane)));
  }

  private static double recursiveDoubling(double[] parts) {
    int power = Integer.highestOneBit(parts.length);
    int surplus = parts.length - power;
    double[] folded = new double[power];
    for (int i = 0; i < power; i++) {
      folded[i] = i < surplus ? parts[2 * i] + parts[2 * i + 1] : parts[i + surplus];
    }
    for (int distance = 1; distance < power; distance *= 2) {
      double[] next = new double[power];
      for (int i = 0; i < power; i++) {
        next[i] = folded[i] + folded[i ^ distance];
      }
      folded = next;
    }
    return folded[0];
  }

  final class OneRank implements Ranks {
    final int rank;
    private final int rows;
    private final int plane;

    OneRank(int rank, int rows, int plane) {
      this.rank = rank;
      this.rows = rows;
      this.plane = plane;
    }

    @Override
    public void fillGhosts(double[] vector) {
      vectors[rank] = vector;
      threads.meet();
      int ghost = rows;
      if (rank > 0) {
        System.arraycopy(vectors[rank - 1], rows - plane, vector, ghost, plane);
        ghost += plane;
      }
      if (rank < numbers.length - 1) {
        System.arraycopy(vectors[rank + 1], 0, vector, ghost, plane);
      }
      threads.meet();
    }

    @Override
    public double sum(double value) {
      numbers[rank] = value;
      threads.meet();
      double sum = recursiveDoubling(numbers);
      threads.meet();
      return sum;
    }

    @Override
    public double max(double value) {
      numbers[rank] = value;
      threads.meet();
      double greatest = numbers[0];
      for (double number : numbers) {
        greatest = Math.max(greatest, number);
      }
      threads.meet();
      return greatest;
    }
  }
}
