// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Ranks that are threads: the numerics on several ranks without MPI, with the reduction of the reference figures (recursive
 * doubling; ranks beyond a power of two are folded into the first ones).
 */
final class ThreadRanks {
  private final double[] numbers;
  private final double[][] vectors;
  private final CyclicBarrier barrier;

  private ThreadRanks(int ranks) {
    numbers = new double[ranks];
    vectors = new double[ranks][];
    barrier = new CyclicBarrier(ranks);
  }

  /** What each rank's work returned. The work gets its rank's view of the others. */
  static <T> List<T> run(int ranks, int rows, int plane, Function<Ranks, T> work)
      throws ExecutionException, InterruptedException {
    ThreadRanks all = new ThreadRanks(ranks);
    ExecutorService threads = Executors.newFixedThreadPool(ranks);
    try {
      List<Future<T>> running = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        OneRank one = all.new OneRank(rank, rows, plane);
        Callable<T> task = () -> work.apply(one);
        running.add(threads.submit(task));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> one : running) {
        results.add(one.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  private void meet() {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException("another rank failed", e);
    }
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
      meet();
      int ghost = rows;
      if (rank > 0) {
        System.arraycopy(vectors[rank - 1], rows - plane, vector, ghost, plane);
        ghost += plane;
      }
      if (rank < numbers.length - 1) {
        System.arraycopy(vectors[rank + 1], 0, vector, ghost, plane);
      }
      meet();
    }

    @Override
    public double sum(double value) {
      numbers[rank] = value;
      meet();
      double sum = recursiveDoubling(numbers);
      meet();
      return sum;
    }

    @Override
    public double max(double value) {
      numbers[rank] = value;
      meet();
      double greatest = numbers[0];
      for (double number : numbers) {
        greatest = Math.max(greatest, number);
      }
      meet();
      return greatest;
    }
  }
}
