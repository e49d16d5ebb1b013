// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.ci.cluster.HpccgJob;
import org.kintsugi.ci.cluster.HpccgJob.Loss;
import org.kintsugi.ci.cluster.HpccgJob.Outcome;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.cluster.Cluster;

/** A whole node is lost in the middle of HPCCG, on the simulated cluster; {@code make nodes} runs the long series. */
@Tag("flavours")
@Execution(ExecutionMode.SAME_THREAD)
class NodeLossTest {
  /**
   * A second or a few, and on the fork, where JVMs start in between, up to nine (seen) where other tests take the machine. The
   * limit tells a recovery from a timeout that was waited for; {@code make nodes} measures.
   */
  private static final long LIMIT_MILLIS = 30_000;
  /** A node's silence is detected only after the test's limit: a recovery in time shows that the crash was reported otherwise. */
  private static final String DEAF_SECONDS = "120";

  /** The duration of the first sync of each process: longer than the node is away, which comes back before it is over. */
  private static final long SYNC_MILLIS = 7000;

  private static Outcome undisturbed;

  private static HpccgJob job() {
    HpccgJob job = ClusterRuns.small(RankJob.mpiOrSkip());
    assumeTrue(job.isNodeLossSurvivable(), "only the Open MPI that make setup builds outlives the loss of a node");
    return job;
  }

  private static HpccgJob deafJob() {
    String option = RankJob.flavour() == Flavour.REINIT ? "--mca" : "--prtemca";
    return job().options(option, "oob_tcp_keepalive_time", DEAF_SECONDS, option, "oob_tcp_keepalive_intvl", DEAF_SECONDS);
  }

  /** The result of a run without a failure; made once. */
  private static Outcome undisturbed() {
    if (undisturbed == null) {
      undisturbed = ClusterRuns.runOrSkip(job());
      assertThat(undisturbed.exitCode()).as(undisturbed.output()).isZero();
      assertThat(undisturbed.result().get("recoveries")).isEmpty();
      assertThat(undisturbed.left()).isEmpty();
    }
    return undisturbed;
  }

  /**
   * Asserts that the job lost ranks 2 and 3 and recovered within the limit.
   *
   * <p>Its answer must be the same, and nothing may be left anywhere.
   */
  private static void assertRecovered(HpccgJob job) {
    Outcome outcome = ClusterRuns.runOrSkip(job);
    assertThat(outcome.isFinished()).as("ended with %d: %s", outcome.exitCode(), outcome.output()).isTrue();
    assertThat(outcome.result().get("recoveries")).as(outcome.output()).hasSize(1);
    assertThat(outcome.result().at("/recoveries/0/failedRanks").toString()).isEqualTo("[2,3]");
    assertThat(outcome.isSameAs(undisturbed())).as("the same bits").isTrue();
    assertThat(outcome.result().at("/resumptions/0/firstIteration").asInt()).isBetween(11, ClusterRuns.ITERATIONS - 10);
    assertThat(outcome.result().at("/resumptions/0/gapMillis").asDouble()).as("last good iteration to loop")
        .isLessThan(LIMIT_MILLIS);
    if (outcome.lossMillis() > 0) {
      assertThat(outcome.lossToLoopMillis()).as("loss to loop").isBetween(0L, LIMIT_MILLIS);
    }
    assertThat(outcome.left()).isEmpty();
  }

  @Tag("series")
  @Tag("once") // on the fork in SpareNodeTest
  @Test
  void aRankKillsItsNodeAndCopiesInMemoryServe() {
    assertRecovered(deafJob().killNodeOf(2, 60));
  }

  @Tag("series") // rank 0's below, in make test
  @Test
  void aNodeCrashesAndFilesServe() {
    assertRecovered(deafJob().fileStore().lose(Loss.CRASH, 0));
  }

  @Tag("once")
  @Test
  void aNodeCrashesAndParityServes() {
    assertRecovered(deafJob().store("xor,file:100").lose(Loss.CRASH, 0));
  }

  @Tag("once") // on the fork with make test LONG=1
  @Test
  void aNodeFallsSilentAndCopiesInMemoryServe() {
    assertRecovered(job().lose(Loss.CUT, 0));
  }

  @Test
  void theNodeOfRankZeroCrashesAndFilesServe() {
    assertRankZeroIsRecovered(Loss.CRASH);
  }

  @Tag("series")
  @Test
  void theNodeOfRankZeroFallsSilentAndFilesServe() {
    assertRankZeroIsRecovered(Loss.CUT);
  }

  /** It had the lock of the folder, and tells of the progress. Only mpirun's own node has to stay. */
  private static void assertRankZeroIsRecovered(Loss loss) {
    HpccgJob job = RankJob.flavour() == Flavour.REINIT ? job().slots(6, 0, 0, 2, 2, 2, 2) : job().slots(4, 2, 0, 2, 2, 2);
    Outcome outcome = ClusterRuns.runOrSkip(job.fileStore().lose(loss, 0));
    assertThat(outcome.isFinished()).as("ended with %d: %s", outcome.exitCode(), outcome.output()).isTrue();
    assertThat(outcome.result().at("/recoveries/0/failedRanks").toString()).as(outcome.output()).isEqualTo("[0,1]");
    assertThat(outcome.isSameAs(undisturbed())).as("the same bits").isTrue();
    assertThat(outcome.left()).isEmpty();
  }

  /**
   * A node comes back in the middle of the work, after its processes were replaced.
   *
   * <p>Its old processes must do no harm, and must end by themselves.
   */
  @Tag("series")
  @Test
  void aNodeThatWasDeclaredFailedComesBack() {
    // A disk that takes long makes the job last: nobody computes meanwhile.
    HpccgJob job = job().fileStore().preload("slowdisk").options("-x", "KINTSUGI_SLOW_SYNC=" + SYNC_MILLIS + ":.1.ckpt");
    Outcome outcome = ClusterRuns.runOrSkip(job.lose(Loss.AWAY, 0));
    assertThat(outcome.isFinished()).as("ended with %d: %s", outcome.exitCode(), outcome.output()).isTrue();
    assertThat(outcome.isBack()).as("it was back before the end").isTrue();
    assertThat(outcome.result().get("recoveries")).as(outcome.output()).hasSize(1);
    assertThat(outcome.isSameAs(undisturbed())).as("the same bits").isTrue();
    assertThat(outcome.left()).isEmpty();
  }

  @Tag("series")
  @Test
  void copiesThatWereLostTogetherAreMissedAloud() {
    // Most ranks are on one node, so that some of them hold copies for each other.
    HpccgJob job = RankJob.flavour() == Flavour.REINIT ? job().slots(6, 1, 2, 4, 4) : job().slots(4, 3, 1, 3, 3);
    Outcome outcome = ClusterRuns.runOrSkip(job.killNodeOf(2, 60));
    assertThat(outcome.output()).contains("version 51 is lost: the memory of rank(s)", "-Dkintsugi.checkpoint.store=memory,file");
    assertThat(outcome.isFinished()).as("ended with %d: %s", outcome.exitCode(), outcome.output()).isTrue();
    assertThat(outcome.result().at("/resumptions/0/firstIteration").asInt()).isEqualTo(1);
    assertThat(outcome.isSameAs(undisturbed())).as("the same bits").isTrue();
    assertThat(outcome.left()).isEmpty();
  }

  /** With a process each on many nodes, most have never spoken to each other when the failure makes them do so. */
  @Tag("series")
  @Test
  void oneNodeOfManyIsLost() {
    Outcome outcome = ClusterRuns.runOrSkip(job().slots(8, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1).lose(Loss.CRASH, 0));
    assertThat(outcome.isFinished()).as("ended with %d: %s", outcome.exitCode(), outcome.output()).isTrue();
    assertThat(outcome.result().at("/recoveries/0/failedRanks").toString()).as(outcome.output()).isEqualTo("[1]");
    assertThat(outcome.left()).isEmpty();
  }

  @Tag("once")
  @Test
  void theNodeOfMpirunIsNotKilled() {
    Outcome outcome = ClusterRuns.runOrSkip(job().options("--kill", "node:1@60"));
    assertThat(outcome.exitCode()).as(outcome.output()).isNotIn(0, Cluster.TIMED_OUT);
    assertThat(outcome.output()).contains("kill node:1@60: rank 1 is on the node on which mpirun runs");
    assertThat(outcome.left()).isEmpty();
  }
}
