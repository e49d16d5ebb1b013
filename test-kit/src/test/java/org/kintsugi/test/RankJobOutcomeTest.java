// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.kintsugi.launch.Job;

/** What counts as the success of a job; without ranks. */
class RankJobOutcomeTest {
  private static RankJob.Outcome ended(int code, String output) {
    return new RankJob.Outcome(code, output, Map.of());
  }

  private static void assertNoSuccess(RankJob.Outcome outcome, String why) {
    assertThatThrownBy(outcome::assertSuccess).isInstanceOf(AssertionError.class).hasMessageContainingAll(why, outcome.output());
  }

  @Test
  void aJobThatEndedWithZeroIsASuccess() {
    RankJob.Outcome outcome = ended(0, "all is well");
    assertThat(outcome.assertSuccess()).isSameAs(outcome);
  }

  @Test
  void anotherCodeIsNoSuccess() {
    assertNoSuccess(ended(75, "a rank died"), "the job ended with 75");
    assertNoSuccess(ended(Job.TIMED_OUT, "nothing"), "the job hung");
  }

  @Test
  void aJobInWhichAnInjectedKillNeverStruckHasFailed() {
    assertNoSuccess(ended(0, "a\nkintsugi: the injected kill process:1@60 never struck: the run has ended\n"),
        "an injected kill never struck");
  }
}
