// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The message of a test that failed on its ranks. */
class RanksExtensionTest {
  private static final String THROWN = "java.lang.AssertionError: 3 is not 4";

  private static String failureOf(String test, Map<String, String> reports) {
    return RanksExtension.failure(new RankJob.Outcome(1, "what it printed", reports), test, 3).orElse("none");
  }

  @Test
  void theRankThatThrewComesFirst() {
    assertThat(failureOf("adds", Map.of("adds-2", THROWN))).startsWith("rank 2 of 3: " + THROWN);
    assertThat(failureOf("adds", Map.of("adds-0", "passed", "adds-2", THROWN))).startsWith("rank 2 of 3: " + THROWN);
  }

  @Test
  void ranksThatDoNotEndAreNamedWithTheOutputOfTheJob() {
    assertThat(failureOf("adds", Map.of("adds-1", "passed"))).startsWith("rank 0, 2 of 3 did not come to the end")
        .contains("exit code 1").endsWith("what it printed");
  }

  @Test
  void aTestThatWasNotReachedSaysWhichOneEndedTheLaunch() {
    assertThat(failureOf("multiplies", Map.of("adds-1", THROWN))).contains("adds-1", THROWN, "rank 0, 1, 2 of 3 did not");
  }

  @Test
  void allPassed() {
    assertThat(failureOf("adds", Map.of("adds-0", "passed", "adds-1", "passed", "adds-2", "passed"))).isEqualTo("none");
  }
}
