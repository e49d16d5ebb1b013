// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.test.RankJob;

/** The standard input of jobs; and more slots than cores. */
class JobInputTest {
  /** Runs in the ranks: reads. */
  static final class Reads {
    public static void main(String[] args) throws IOException {
      try (Mpi mpi = Mpi.init(args)) {
        RankJob.report(args[0], "rank " + mpi.world().rank(), "read " + System.in.read());
      }
    }
  }

  /**
   * A job must not read the standard input of the tests.
   *
   * <p>Maven sends commands to the tests by it: two jobs at once would take them from each other,
   * and one could hang.
   */
  @Test
  void aJobThatPrintsToAFileReadsNothing() {
    int ranks = Runtime.getRuntime().availableProcessors() + 1;
    // With enough slots mpirun would bind each rank to a core of its own.
    Map<String, String> reports = RankJob.of(ranks, 0).mpirun("--host", "localhost:" + ranks).timeoutSeconds(90).run(Reads.class)
        .assertSuccess().reports();
    assertThat(reports).hasSize(ranks).containsEntry("rank 1", "read -1");
    assertThat(reports.values()).containsOnly("read -1");
  }
}
