// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.junit.jupiter.api.Assumptions.abort;

import org.kintsugi.ci.cluster.HpccgJob;
import org.kintsugi.ci.cluster.HpccgJob.Outcome;
import org.kintsugi.test.cluster.Cluster;

/** HPCCG on the simulated cluster, in tests. */
final class ClusterRuns {
  private ClusterRuns() {}

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
