// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * Spawned processes are a job of their own.
 *
 * <p>However that job ends, the ranks that have spawned it are notified and go on.
 */
class SpawnedJobsTest {
  private static final int LIMIT_SECONDS = 60;
  /** Longer than jmpirun gives a job that a rank has aborted. */
  private static final String LONG_SECONDS = "12";

  private static RankJob.Outcome run(String way, String seconds) {
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(),
        "only the Open MPI that make setup builds ends a job that is aborted (native/openmpi/patches/prrte/0007)");
    RankJob.Outcome outcome =
        RankJob.of(SpawnedJobs.RANKS, 0).timeoutSeconds(LIMIT_SECONDS).jvm("-Xmx64m").run(SpawnedJobs.class, way, seconds);
    assertThat(outcome.reports()).as(outcome.output()).hasSize(SpawnedJobs.RANKS);
    assertThat(outcome.reports().values()).as(outcome.output()).containsOnly(SpawnedJobs.whatIsRight());
    return outcome;
  }

  /** The exit code is that of the aborted job: the abort must not be overlooked. */
  @Test
  void anAbortEndsTheSpawnedOnly() {
    RankJob.Outcome outcome = run("abort", LONG_SECONDS);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(SpawnedJobs.CODE);
    assertThat(outcome.output()).doesNotContain("a rank has aborted the job");
  }

  /** The other spawned process is ended with the one that aborts (patch prrte/0008). */
  @Test
  void aWaitForAProcessThatIsEndedWithAnotherFails() {
    RankJob.Outcome outcome = run("abort" + SpawnedJobs.EARLY, "0");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(SpawnedJobs.CODE);
  }

  @Test
  void aWaitForAProcessThatDiesBeforeItSendsFails() {
    RankJob.Outcome outcome = run("kill" + SpawnedJobs.EARLY, "0");
    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
  }

  @Test
  void aDeathOfASpawnedProcessIsReportedToItsParents() {
    RankJob.Outcome outcome = run("kill", "0");
    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
  }
}
