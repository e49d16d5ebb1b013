// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.kintsugi.launch.Job;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.test.RankJob;

/** The verdicts of a series; a test that every application outlives a death is ProxyAppsTest. */
class RandomKillsTest {
  private static JsonNode result(String energy) throws IOException {
    return new ObjectMapper()
        .readTree("{\"iterations\": 3, \"figures\": {\"energy\": " + energy + "}, \"seconds\": " + energy + "}");
  }

  private static RankJob.Outcome ended(int code, String output) {
    return new RankJob.Outcome(code, output, Map.of());
  }

  @Test
  void oneBitIsEnoughToBeWrong() throws IOException {
    JsonNode expected = result("0.1");
    assertThat(RandomKills.problem(result("0.1"), expected, ended(0, ""), true)).isNull();
    assertThat(RandomKills.problem(result("0.10000000000000002"), expected, ended(0, ""), true)).isEqualTo("WRONG: figures");
  }

  @Test
  void onlyKnownReasonsExcuseAJobThatWasGivenUp() throws IOException {
    JsonNode expected = result("0.1");
    assertThat(RandomKills.problem(null, expected, ended(Job.TIMED_OUT, ""), true)).isEqualTo("HUNG");
    assertThat(RandomKills.problem(null, expected, ended(Mpi.RESTART_CODE, "a rank died before all were through MPI_Init"), true))
        .startsWith("ended for a restart");
    assertThat(RandomKills.problem(null, expected, ended(Mpi.RESTART_CODE, "no spares are left"), true)).startsWith("ENDED");
    assertThat(RandomKills.problem(null, expected, ended(0, "no result"), true)).isEqualTo("ENDED with 0");
    assertThat(
        RandomKills.problem(null, expected, ended(Mpi.RESTART_CODE, "a process died when others had finished already"), true))
        .startsWith("ended for a restart");
    assertThat(RandomKills.problem(null, expected, ended(1, "an exception"), true)).isEqualTo("ENDED with 1");
  }

  @Test
  void theyExcuseAJobThatWasStartedAgainToo() throws IOException {
    JsonNode expected = result("0.1");
    String again = RandomKills.STARTED_AGAIN;
    assertThat(RandomKills.problem(expected, expected, ended(0, "a rank died before all were through MPI_Init" + again), true))
        .isNull();
    assertThat(RandomKills.problem(expected, expected, ended(0, "no spares are left" + again), true)).startsWith("STARTED AGAIN");
    assertThat(RandomKills.problem(result("0.2"), expected, ended(0, "died before all were through MPI_Init" + again), true))
        .startsWith("WRONG");
  }
}
