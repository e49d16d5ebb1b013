// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.junit.jupiter.api.Assumptions.abort;

import org.kintsugi.ci.cluster.HpccgJob;
import org.kintsugi.ci.cluster.HpccgJob.Outcome;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.cluster.Cluster;

/** HPCCG on the simulated cluster, in tests. */
final class ClusterRuns {
  private static final int EDGE = 8;
  /** Of the solver. */
  static final int ITERATIONS = 160;
  /** Of each sum: the loop lasts some seconds, so that a node that is lost in it is lost before its end. */
  private static final int PACE_MILLIS = 5;

  private ClusterRuns() {}

  /** A small problem. */
  static HpccgJob small(MpiHome mpi) {
    return new HpccgJob(mpi).edge(EDGE).iterations(ITERATIONS).paced(PACE_MILLIS).isShort();
  }

  /** Runs it; skips the test where there can be no simulated cluster. */
  static Outcome runOrSkip(HpccgJob job) {
    try {
      return job.run();
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
      throw e;
    }
  }
}
