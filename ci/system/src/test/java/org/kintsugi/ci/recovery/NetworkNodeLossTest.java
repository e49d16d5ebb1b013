// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kintsugi.ci.cluster.HpccgJob;
import org.kintsugi.ci.cluster.HpccgJob.Loss;
import org.kintsugi.ci.cluster.HpccgJob.Outcome;
import org.kintsugi.ci.network.SoftwareRoute;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** A whole node is lost while HPCCG's messages between nodes go over libfabric or UCX: see {@link NodeLossTest} for TCP. */
@Execution(ExecutionMode.SAME_THREAD)
class NetworkNodeLossTest {
  private static HpccgJob job(SoftwareRoute route) {
    MpiHome mpi = RankJob.mpiOrSkip(Flavour.ULFM);
    assumeTrue(route.isIn(mpi), route::whyNot);
    return ClusterRuns.small(mpi).options("--network", route.network());
  }

  private static void assertRecovered(SoftwareRoute route, Loss loss) {
    Outcome undisturbed = ClusterRuns.runOrSkip(job(route));
    assertThat(undisturbed.exitCode()).as(undisturbed.output()).isZero();
    Outcome outcome = ClusterRuns.runOrSkip(job(route).lose(loss, 0));
    assertThat(outcome.isFinished()).as("ended with %d: %s", outcome.exitCode(), outcome.output()).isTrue();
    assertThat(outcome.result().at("/recoveries/0/failedRanks").toString()).as(outcome.output()).isEqualTo("[2,3]");
    assertThat(outcome.isSameAs(undisturbed)).as("the same bits").isTrue();
    assertThat(outcome.left()).isEmpty();
  }

  @Test
  void aNodeCrashes() {
    assertRecovered(SoftwareRoute.OFI_NET, Loss.CRASH);
  }

  @Tag("series")
  @Test
  void aNodeCrashesOverUcx() {
    assertRecovered(SoftwareRoute.UCX_TCP, Loss.CRASH);
  }

  @Tag("series")
  @ParameterizedTest
  @EnumSource(value = SoftwareRoute.class, names = {"OFI_NET", "UCX_TCP"})
  void aNodeFallsSilent(SoftwareRoute route) {
    assertRecovered(route, Loss.CUT);
  }
}
