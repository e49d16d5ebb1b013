// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.ci.cluster.HpccgJob;
import org.kintsugi.ci.cluster.HpccgJob.Loss;
import org.kintsugi.ci.cluster.HpccgJob.Outcome;
import org.kintsugi.ci.ranks.OptionalNatives;
import org.kintsugi.runtime.ExitCodes;

/** The Reinit++ fork on several nodes: warm JVMs, and the loss of nodes until no spare one is left. */
@Execution(ExecutionMode.SAME_THREAD)
class SpareNodeTest {
  private static final int ITERATIONS = 80;

  private static Outcome undisturbed;

  private static HpccgJob job() {
    return ClusterRuns.small(OptionalNatives.forkOrSkip()).iterations(ITERATIONS);
  }

  /** The result of a run without a failure; made once. */
  private static Outcome undisturbed() {
    if (undisturbed == null) {
      undisturbed = ClusterRuns.runOrSkip(job());
      assertThat(undisturbed.isFinished()).as("ended with %d: %s", undisturbed.exitCode(), undisturbed.output()).isTrue();
    }
    return undisturbed;
  }

  private static void assertFinished(Outcome outcome, int recoveries) {
    assertThat(outcome.isFinished()).as("ended with %d: %s", outcome.exitCode(), outcome.output()).isTrue();
    assertThat(outcome.result().get("recoveries")).as(outcome.output()).hasSize(recoveries);
    assertThat(outcome.isSameAs(undisturbed())).as("the same bits").isTrue();
    assertThat(outcome.left()).isEmpty();
  }

  @Tag("series")
  @Test
  void nothingIsLeftOfALostNodeThatHadAReplacement() {
    // Rank 2 goes on in a JVM that is no descendant of the daemon; then rank 3 takes the node of both down.
    Outcome outcome = ClusterRuns.runOrSkip(job().options("--kill", "process:2@30").killNodeOf(3, 60));
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
    assertThat(outcome.output()).contains("a node was lost on which a dead process had been started anew before");
    assertThat(outcome.left()).isEmpty();
  }

  @Tag("series")
  @Test
  void aProcessDiesOnTheSpareNode() {
    assertFinished(ClusterRuns.runOrSkip(job().killNodeOf(2, 15).options("--kill", "process:2@50")), 2);
  }

  @Tag("series")
  @Test
  void withoutASpareNodeTheJobEndsAndGoesOnFromFilesWhenStartedAgain() {
    Outcome outcome =
        ClusterRuns.runOrSkip(job().options("--restart", "1").fileStore().killNodeOf(4, 15).lose(Loss.CRASH, 0).after(40));
    assertThat(outcome.output()).contains("spare nodes left: 0, another loss ends the job",
        "no spare node is left (1 of 1 in use)", "jmpirun: the job ended with 75, starting it again (1 of at most 1)");
    assertFinished(outcome, 0);
    assertThat(outcome.result().at("/iterationSeconds/20").asDouble()).as("iteration 20 is not made again").isZero();
  }
}
