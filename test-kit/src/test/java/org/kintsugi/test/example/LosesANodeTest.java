// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.cluster.Cluster;

class LosesANodeTest {
  /** Rank 2 takes its node with it, where rank 3 is, too; two spares on the third node take their places. */
  @Test
  void theLossOfANodeDoesNotChangeTheSum() throws IOException, InterruptedException {
    try (Cluster cluster = Cluster.of(2, 2, 2)) { // three nodes with two slots each
      RankJob.Outcome outcome = cluster.run(RankJob.mpiOrSkip(), 60, // a limit in seconds
          List.of("-n", "4", "--spares", "2", "--kill", "node:2@55"), SumsTest.Sums.class);
      outcome.assertSuccess();
      assertEquals("19800.0", outcome.reports().get("sum"));
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
    }
  }
}
