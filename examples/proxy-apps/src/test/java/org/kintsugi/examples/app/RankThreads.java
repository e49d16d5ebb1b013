// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Threads that stand for ranks, for numerics on several ranks without MPI: they meet where ranks would exchange messages. */
public final class RankThreads {
  private static final int PATIENCE_SECONDS = 30;

  private final int ranks;
  private final CyclicBarrier barrier;

  /** So many. */
  public RankThreads(int ranks) {
    this.ranks = ranks;
    barrier = new CyclicBarrier(ranks);
  }

  /** Runs the work of each rank, and returns what each of them returned. */
  public <T> List<T> run(IntFunction<T> work) throws ExecutionException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(ranks);
    try {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < ranks; i++) {
        int rank = i;
        running.add(threads.submit((Callable<T>) () -> work.apply(rank)));
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

  /** Waits for all ranks. Fails after a while, as a rank that does not come has failed. */
  public void meet() {
    try {
      barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (BrokenBarrierException | InterruptedException | TimeoutException e) {
      throw new IllegalStateException("another rank failed", e);
    }
  }
}
