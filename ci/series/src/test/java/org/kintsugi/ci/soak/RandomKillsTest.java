// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.kintsugi.launch.Job;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.Flavour;
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
  void aJobWithoutAResultHasNoExcuse() throws IOException {
    JsonNode expected = result("0.1");
    assertThat(RandomKills.problem(null, expected, ended(Job.TIMED_OUT, ""), true)).isEqualTo("HUNG");
    assertThat(RandomKills.problem(null, expected, ended(0, "no result"), true)).isEqualTo("ENDED with 0");
    assertThat(RandomKills.problem(null, expected, ended(1, "an exception"), true)).isEqualTo("ENDED with 1");
    // Nobody dies in a job that is started again: what ended the first one does not excuse the second.
    String again = "a rank died before all were through MPI_Init" + RandomKills.STARTED_AGAIN;
    assertThat(RandomKills.problem(null, expected, ended(Mpi.RESTART_CODE, again), true)).isEqualTo("ENDED with 75");
  }

  @Test
  void onlyKnownReasonsExcuseAJobThatWasStartedAgain() throws IOException {
    JsonNode expected = result("0.1");
    String again = RandomKills.STARTED_AGAIN;
    for (String known : List.of("a rank died before all were through MPI_Init",
        "a process died when others had finished already")) {
      assertThat(RandomKills.problem(expected, expected, ended(0, known + again), false)).isNull();
      assertThat(RandomKills.problem(result("0.2"), expected, ended(0, known + again), false)).startsWith("WRONG");
    }
    for (String other : List.of("no spares are left", SaveJob.RECOVERY_TIMED_OUT + ", as when two failures overlap")) {
      assertThat(RandomKills.problem(expected, expected, ended(0, other + again), false)).startsWith("STARTED AGAIN");
    }
  }

  @Test
  void aRecoveryOnTheForkMayTimeOutOnlyWhereKillsOverlap() throws IOException {
    JsonNode expected = result("0.1");
    RankJob.Outcome outcome = ended(0, SaveJob.RECOVERY_TIMED_OUT + RandomKills.STARTED_AGAIN);
    assertThat(RandomKills.problem(expected, expected, outcome, false)).startsWith("STARTED AGAIN");
    if (RankJob.flavour() == Flavour.REINIT) {
      assertThat(RandomKills.problem(expected, expected, outcome, true)).isNull();
    } else {
      assertThat(RandomKills.problem(expected, expected, outcome, true)).startsWith("STARTED AGAIN");
    }
  }

  @Test
  void killsOfTwoRanksOverlapWhereTheyAreNear() {
    assertThat(RandomKills.mayOverlap(List.of("process:1@20", "process:2@21"), 4)).isTrue();
    assertThat(RandomKills.mayOverlap(List.of("process:1@20", "process:2@30"), 4)).isFalse();
    // The second kill of a rank hits its replacement, which begins after the first recovery.
    assertThat(RandomKills.mayOverlap(List.of("process:1@20", "process:1@21"), 4)).isFalse();
    assertThat(RandomKills.mayOverlap(List.of("process:1@20"), 4)).isFalse();
  }
}
