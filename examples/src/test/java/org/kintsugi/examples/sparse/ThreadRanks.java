// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.kintsugi.examples.app.RankThreads;

/** Ranks that are threads of this process; sums go over the ranks in their order. */
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
      Arrays.fill(numbers, 0);
      for (int other = 0; other < size; other++) {
        for (int i = 0; i < numbers.length; i++) {
          numbers[i] += ((double[]) posted[other])[i];
        }
      }
      threads.meet();
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
