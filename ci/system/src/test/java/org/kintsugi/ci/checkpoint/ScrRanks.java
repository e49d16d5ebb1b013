// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import java.util.concurrent.TimeUnit;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.soak.FailureTimer;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * Runs in the ranks of the tests of SCR: saves in every step, so that a process that dies at some moment most likely dies inside
 * a save, and checks every number that comes back.
 */
final class ScrRanks {
  private static final int LENGTH = 20_000;

  private final int steps;
  private final String[] deaths;
  private final long[] data = new long[LENGTH];
  private final StringBuilder restored = new StringBuilder();
  private FailureTimer death;

  private ScrRanks(int steps, String... deaths) {
    this.steps = steps;
    this.deaths = deaths;
  }

  /** Arguments: the folder for reports, the steps, for each epoch a death: RANK@STEP, RANK@STEP+MICROSECONDS, or -. */
  public static void main(String[] args) {
    String[] deaths = new String[args.length - 2];
    System.arraycopy(args, 2, deaths, 0, deaths.length);
    ScrRanks ranks = new ScrRanks(Integer.parseInt(args[1]), deaths);
    try (Mpi mpi = Mpi.init(args)) {
      Kintsugi.kintsugi_parent_pid(); // loaded now, so that a death is quick
      RunResult<Integer> rank = Reinit.call(mpi, run -> {
        ranks.body(run);
        return run.world().rank();
      });
      if (!rank.stayedSpare()) {
        RankJob.report(args[0], String.valueOf(rank.value()), rank.recoveries().size() + " recoveries, from" + ranks.restored);
      }
    }
  }

  private static long content(long version, int rank, int i) {
    return version * 1_000_003 + rank * 31L + i;
  }

  private void fill(long version, int rank) {
    for (int i = 0; i < data.length; i++) {
      data[i] = content(version, rank, i);
    }
  }

  private void body(Run run) {
    int rank = run.world().rank();
    run.checkpoint().protect("data", data);
    long begin = run.checkpoint().restore().orElse(0);
    restored.append(' ').append(begin);
    for (int i = 0; i < data.length && begin > 0; i++) {
      if (data[i] != content(begin, rank, i)) {
        throw new IllegalStateException("rank " + rank + " got version " + begin + " with a wrong number at " + i);
      }
    }
    for (long step = begin; step < steps; step++) {
      run.iteration(step);
      die(run.epoch(), rank, step);
      fill(step + 1, rank);
      run.checkpoint().save(step + 1);
    }
    if (death != null) {
      death.await(); // in the run: after it no process could take its place
    }
  }

  private void die(int epoch, int rank, long step) {
    if (epoch >= deaths.length || deaths[epoch].equals("-")) {
      return;
    }
    String[] plan = deaths[epoch].split("[@+]");
    if (rank != Integer.parseInt(plan[0]) || step != Long.parseLong(plan[1])) {
      return;
    }
    if (plan.length == 2) {
      Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
    }
    death = new FailureTimer();
    death.strikeAfter(TimeUnit.MICROSECONDS.toNanos(Long.parseLong(plan[2])));
  }
}
