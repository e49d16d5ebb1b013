// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.kintsugi.examples.app.RankThreads;

/**
 * Ranks that are threads of this process: numerics on several ranks without MPI, with the reduction of the reference figures
 * (recursive doubling; ranks beyond a power of two are folded into the first ones).
 */
public final class ThreadRanks {
  private final int size;
  private final Object[] posted;
  private final RankThreads threads;

  private ThreadRanks(int size) {
    this.size = size;
    posted = new Object[size];
    threads = new RankThreads(size);
  }

  /** Runs the work on each rank; returns what each of them returned. */
  public static <T> List<T> run(int size, Function<Ranks, T> work) throws ExecutionException, InterruptedException {
    ThreadRanks all = new ThreadRanks(size);
    return all.threads.run(rank -> work.apply(all.new OneRank(rank)));
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

  private final class OneRank implements Ranks {
    private final int rank;

    OneRank(int rank) {
      this.rank = rank;
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public void exchangeCounts(int[] sent, int[] received) {
      posted[rank] = sent;
      threads.meet();
      for (int other = 0; other < size; other++) {
        received[other] = ((int[]) posted[other])[rank];
      }
      threads.meet();
    }

    private record Parts(long[] numbers, int[] counts) {}

    @Override
    public void exchange(long[] sent, int[] sentCounts, long[] received, int[] receivedCounts) {
      posted[rank] = new Parts(sent, sentCounts);
      threads.meet();
      int to = 0;
      for (int other = 0; other < size; other++) {
        Parts parts = (Parts) posted[other];
        int from = Arrays.stream(parts.counts, 0, rank).sum();
        System.arraycopy(parts.numbers, from, received, to, receivedCounts[other]);
        to += receivedCounts[other];
      }
      threads.meet();
    }

    @Override
    public void sum(double[] numbers) {
      posted[rank] = numbers.clone();
      threads.meet();
      for (int i = 0; i < numbers.length; i++) {
        int at = i;
        numbers[i] = recursiveDoubling(Arrays.stream(posted).mapToDouble(each -> ((double[]) each)[at]).toArray());
      }
      threads.meet();
    }

    @Override
    public double max(double value) {
      posted[rank] = value;
      threads.meet();
      double greatest = Arrays.stream(posted).mapToDouble(each -> (Double) each).max().orElseThrow();
      threads.meet();
      return greatest;
    }

    @Override
    public double sum(double value) {
      double[] one = {value};
      sum(one);
      return one[0];
    }

    @Override
    public Ghosts ghosts(GhostLayout layout) {
      return new ThreadGhosts(layout);
    }

    private record Vector(double[] values, GhostLayout layout) {
      int firstGhostOf(int owner) {
        int at = layout.owned();
        for (int i = 0; layout.neighbours()[i] != owner; i++) {
          at += layout.ghosts()[i];
        }
        return at;
      }

      int[] sentTo(int other) {
        return layout.sends()[Arrays.binarySearch(layout.neighbours(), other)];
      }
    }

    private final class ThreadGhosts implements Ghosts {
      private final GhostLayout layout;

      ThreadGhosts(GhostLayout layout) {
        this.layout = layout;
      }

      @Override
      public void fill(double[] vector) {
        posted[rank] = new Vector(vector, layout);
        threads.meet();
        int ghost = layout.owned();
        for (int neighbour : layout.neighbours()) {
          Vector theirs = (Vector) posted[neighbour];
          for (int index : theirs.sentTo(rank)) {
            vector[ghost++] = theirs.values[index];
          }
        }
        threads.meet();
      }

      @Override
      public void addBack(double[] vector) {
        posted[rank] = new Vector(vector, layout);
        threads.meet();
        for (int i = 0; i < layout.neighbours().length; i++) {
          Vector theirs = (Vector) posted[layout.neighbours()[i]];
          int ghost = theirs.firstGhostOf(rank);
          for (int index : layout.sends()[i]) {
            vector[index] += theirs.values[ghost++];
          }
        }
        threads.meet();
      }
    }
  }
}
