// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.ci.ranks.JmpirunProcess.Ended;
import org.kintsugi.ci.ranks.JmpirunProcess;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Rollback;
import org.kintsugi.reinit.Run;
import org.kintsugi.test.RankJob;

/** {@code jmpirun --prove} and {@code --advise} on a program whose threads all call MPI. The Reinit++ fork has one thread. */
class ProveThreadsTest {
  private static final int LIMIT_SECONDS = 200;

  /** Each thread has a communicator, a sum and a factor of its own. The thread of the body saves. */
  static final class Threaded {
    private static final int THREADS = 3;
    private static final int STEPS = 12;
    private static final int EVERY = 4;
    private static final int TAG = 7;

    private final Comm[] comms = new Comm[THREADS];
    private final double[] sums = new double[THREADS];
    private final double[] factors = new double[THREADS];

    private Threaded(Comm world) {
      Arrays.setAll(comms, i -> world.dup());
      Arrays.fill(factors, 1);
    }

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(ThreadLevel.MULTIPLE, args)) {
        Reinit.run(mpi, run -> iterate(run, args[0]));
      }
    }

    private static void iterate(Run run, String form) {
      ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "worker");
        thread.setDaemon(true);
        return thread;
      });
      try {
        Threaded own = new Threaded(run.world());
        Checkpoint checkpoint = run.checkpoint();
        checkpoint.protect("sums", own.sums);
        if (form.equals("complete")) {
          checkpoint.protect("factors", own.factors);
        }
        for (long i = checkpoint.restore().orElse(0); i < STEPS; i++) {
          run.iteration(i);
          own.step(threads);
          if (i % EVERY == EVERY - 1) {
            checkpoint.save(i + 1);
          }
        }
        double all = run.world().allReduce(Arrays.stream(own.sums).sum(), Op.SUM);
        if (run.world().rank() == 0) {
          System.out.println("sum " + all);
        }
      } finally {
        threads.shutdown();
      }
    }

    /** All threads end their work before the iteration ends, by a rollback if a process has failed. */
    private void step(ExecutorService threads) {
      List<Future<?>> works = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        works.add(threads.submit(() -> work(number)));
      }
      Rollback rollback = null;
      for (Future<?> work : works) {
        try {
          work.get();
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof Rollback)) {
            throw new IllegalStateException(e.getCause());
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

    private void work(int number) {
      Comm comm = comms[number];
      int other = comm.size() - 1 - comm.rank();
      double[] received = new double[1];
      factors[number] = 0.9 * factors[number] + number;
      comm.sendRecv(Buf.copyOf(factors[number] + comm.rank()), other, TAG, Buf.wrap(received), other, TAG);
      sums[number] += comm.allReduce(received[0] * factors[number], Op.SUM);
    }
  }

  private static String run(int code, String form, String... options) throws IOException, InterruptedException {
    List<String> line = RankJob.jmpirun(RankJob.mpiOrSkip());
    line.addAll(List.of("-n", "2", "--timeout", "60"));
    line.addAll(List.of(options));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Threaded.class.getName(), form));
    Ended ended = JmpirunProcess.run(line, LIMIT_SECONDS);
    assertThat(ended.code()).as(ended.printed()).isEqualTo(code);
    return ended.printed();
  }

  @Test
  void whatSeveralThreadsComputeIsProved() throws IOException, InterruptedException {
    assertThat(run(0, "complete", "--prove", "--prove-deaths", "3"))
        .contains("3 failures outlived with the same results: 2 items (factors, sums) in 3 versions on 2 ranks");
    assertThat(run(1, "incomplete", "--prove", "--prove-deaths", "2")).contains("differs first: \"sums\" of rank",
        "of 2 failures the results differ");
  }

  @Test
  void whatThreadsShareWithLaterIterationsIsNamed() throws IOException, InterruptedException {
    assertThat(run(0, "complete", "--advise")).contains("nothing is missing");
    assertThat(run(1, "incomplete", "--advise")).contains("ProveThreadsTest$Threaded.factors, double[]", "1 location is missing");
  }

  /** Also after more failures, and at other moments. */
  @Test
  @Tag("series")
  void manyMomentsAreProved() throws IOException, InterruptedException {
    assertThat(run(0, "complete", "--prove", "--prove-deaths", "10", "--prove-seed", "2")).contains("10 failures outlived");
  }
}
