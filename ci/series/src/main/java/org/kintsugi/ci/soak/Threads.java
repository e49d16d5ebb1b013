// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.reinit.Rollback;
import org.kintsugi.reinit.Run;

/**
 * A workload: several threads of each rank are in MPI ({@link ThreadLevel#MULTIPLE}).
 *
 * <p>Each has a communicator of its own, with messages, reductions and communicators that are made
 * from it. Each compares the received values; a wrong value ends the job. {@link RandomFailures} chooses
 * the deaths.
 */
public final class Threads {
  private static final int THREADS = 3;
  private static final int TAG = 7;
  /** Too long to be sent at one go. */
  private static final int LONG = 30_000;
  private static final int LAST_TURNS = 60;

  private Threads() {}

  /** Arguments: the folder for reports, the seed, how many die, the shortest and the longest time to a death in ms. */
  public static void main(String[] args) {
    RandomFailures.run(ThreadLevel.MULTIPLE, args, Threads::together);
  }

  private static void together(Run run, RandomFailures deadly) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
      Thread thread = new Thread(task, "worker");
      thread.setDaemon(true);
      return thread;
    });
    try {
      CompletionService<Void> ends = new ExecutorCompletionService<>(threads);
      for (int i = 0; i < THREADS; i++) {
        Comm own = run.world().dup();
        int number = i;
        ends.submit(() -> {
          work(run, deadly, own, number);
          return null;
        });
      }
      await(ends);
    } finally {
      threads.shutdown();
    }
  }

  /**
   * Waits for all threads. An error in one ends the job at once; a rollback reaches every thread, and the body must not end
   * before.
   */
  private static void await(CompletionService<Void> ends) {
    Rollback rollback = null;
    for (int i = 0; i < THREADS; i++) {
      try {
        ends.take().get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof Rollback)) {
          throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        }
        rollback = (Rollback) e.getCause();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    if (rollback != null) {
      throw rollback;
    }
  }

  private static void work(Run run, RandomFailures deadly, Comm own, int number) {
    try (own) {
      for (int turn = 0; !deadly.isOver(run, turn / LAST_TURNS); turn++) {
        pass(own, number, turn, turn % 2 == 0 ? 1 : LONG);
        long sum = own.allReduce((long) own.rank() * number + turn, Op.SUM);
        RandomFailures.expect((long) own.size() * (own.size() - 1) / 2 * number + (long) own.size() * turn, sum,
            "a thread's sum");
        if (turn % 8 == 5) {
          try (Comm pair = own.split(own.rank() / 2, 0)) {
            RandomFailures.expect(2L * number, pair.allReduce((long) number, Op.SUM), "a thread's sum over a pair");
          }
        }
      }
    }
  }

  private static void pass(Comm own, int number, int turn, int elements) {
    int next = RandomFailures.next(own);
    int before = RandomFailures.before(own);
    try (Buf out = Buf.allocateDoubles(elements); Buf in = Buf.allocateDoubles(elements)) {
      for (int at = 0; at < elements; at++) {
        out.putDouble(at, content(own.rank(), number, turn));
      }
      Request sent = own.iSend(out, next, TAG);
      own.recv(in, before, TAG);
      sent.waitFor();
      RandomFailures.expect(content(before, number, turn), in, 1, "what thread " + number + " got in turn " + turn);
    }
  }

  private static double content(int rank, int number, int turn) {
    return turn * 100.0 + number * 10.0 + rank;
  }
}
