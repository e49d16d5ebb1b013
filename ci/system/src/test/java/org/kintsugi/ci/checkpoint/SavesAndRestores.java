// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;

/** Runs in the ranks: restores if it is to, reports what came back, saves the versions that follow. */
final class SavesAndRestores {
  private SavesAndRestores() {}

  public static void main(String[] args) {
    boolean restores = Boolean.parseBoolean(args[1]);
    try (Mpi mpi = Mpi.init(args)) {
      Reinit.run(mpi, run -> {
        long[] data = new long[10_000];
        run.checkpoint().protect("data", data);
        long version = restores ? run.checkpoint().restore().orElse(-1) : -1;
        boolean right = version < 0 || data[data.length - 1] == content(version, run.world().rank());
        RankJob.report(args[0], "rank-" + run.world().rank(), version + (right ? " right" : " WRONG"));
        for (int i = 2; i < args.length; i++) {
          data[data.length - 1] = content(Long.parseLong(args[i]), run.world().rank());
          run.checkpoint().save(Long.parseLong(args[i]));
        }
      });
    }
  }

  /** Such a job. */
  static RankJob.Outcome in(RankJob job, boolean restores, String... versions) {
    return job.run(SavesAndRestores.class,
        Stream.concat(Stream.of(String.valueOf(restores)), Stream.of(versions)).toArray(String[]::new));
  }

  /** Such a job ended well, and all of its ranks had the same to report. */
  static void assertRestored(RankJob.Outcome outcome, int ranks, String expected) {
    assertRestored(outcome, ranks, expected, "restored");
  }

  /** The same of one of several cases. */
  static void assertRestored(RankJob.Outcome outcome, int ranks, String expected, Object of) {
    assertThat(outcome.exitCode()).as(of + ": " + outcome.output()).isZero();
    assertThat(outcome.reports()).as(of + ": " + outcome.output()).hasSize(ranks);
    assertThat(outcome.reports().values()).as(of + ": " + outcome.output()).containsOnly(expected);
  }

  private static long content(long version, int rank) {
    return 1000 * version + rank;
  }
}
