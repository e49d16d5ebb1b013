// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.test.cluster.SlurmCluster;

/** The first job scripts of the manual, under a real Slurm; {@link SlurmSeriesTest} has the others. */
@Tag("flavours")
@Tag("once")
@Execution(ExecutionMode.SAME_THREAD)
class SlurmJobsTest extends SlurmJobs {
  /** Slurm notes the loss of a node after some ten seconds, and the job ends after thirty. */
  @Test
  void aJobOutlivesANode() throws IOException {
    int steps = 300;
    long job = submit(manual("With spares"), steps);
    awaitSave(job);
    cluster.crash(2);
    SlurmCluster.Ended ended = assertCompleted(job, 6, steps);
    assertThat(ended.output()).contains("kintsugi: rank(s) [2, 3] died; recovered");
  }

  /** The signal that Slurm sends before the time limit, twice, as it may come. */
  @Test
  void aJobSavesWhenItsEndIsAnnouncedAndGoesOnWhenItIsRequeued() throws IOException {
    int steps = 120;
    long job = submit(manual("Saved before the time limit"), steps);
    awaitSave(job);
    for (int times = 0; times < 2; times++) {
      cluster.run("scancel", "--signal=USR1", "--batch", String.valueOf(job));
    }
    runRequeued(job);
    SlurmCluster.Ended ended = assertCompleted(job, 6, steps);
    assertThat(ended.restarts()).isEqualTo(1);
    assertThat(ended.output()).containsOnlyOnce("the end of the job's time is announced")
        .containsOnlyOnce("the program ends the job, to be started again (code 75)").containsOnlyOnce("begins with step 0")
        .containsPattern("begins with step [1-9]");
  }
}
