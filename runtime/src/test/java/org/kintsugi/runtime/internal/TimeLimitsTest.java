// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.JobConfig;

/** The relations of time limits. Who changes one sees here which others depend on it. */
class TimeLimitsTest {
  private static final long RECOVERY_MILLIS = TimeUnit.SECONDS.toMillis(JobConfig.RECOVERY_TIMEOUT_SECONDS.longValue());
  private static final long INIT_MILLIS = TimeUnit.SECONDS.toMillis(JobConfig.INIT_TIMEOUT_SECONDS.longValue());

  private static void increase(String why, long... limits) {
    for (int i = 1; i < limits.length; i++) {
      assertThat(limits[i]).as(why).isGreaterThan(limits[i - 1]);
    }
  }

  @Test
  void aProcessThatAnswersIsNotSilent() {
    increase("an answer that comes in time is in the report", TimeLimits.ANSWER_MILLIS, TimeLimits.SILENT_IN_REPORT_MILLIS);
    increase("who is passed over, is reported; who is ended, was passed over", TimeLimits.SILENT_IN_REPORT_MILLIS,
        TimeLimits.SILENT_STARTER_MILLIS,
        TimeLimits.SILENT_SPARE_MILLIS);
    increase("a process that was asked in time is lively", TimeLimits.QUESTION_LEAST_MILLIS, TimeLimits.QUESTION_MOST_MILLIS,
        TimeLimits.LIVELY_MILLIS);
    increase("if all processes were stopped and go on, none is ended", TimeLimits.LIVELY_MILLIS, TimeLimits.SILENT_SPARE_MILLIS);
    increase("a late look of a busy launcher is no gap", 2 * TimeLimits.STOPPED_LOOK_MILLIS, TimeLimits.STOPPED_GAP_MILLIS);
    increase("a JVM that ends has been asked once more", TimeLimits.QUESTION_MOST_MILLIS, TimeLimits.LINGERS_MILLIS);
  }

  @Test
  void whoAsksForAReportWaitsUntilItIsPrinted() {
    increase("the launcher waits for answers, and prints", 2 * TimeLimits.ANSWER_MILLIS, TimeLimits.REPORT_MILLIS,
        TimeLimits.STACKS_MILLIS);
  }

  @Test
  void eachRoundThroughTheAddressesIsMorePatient() {
    increase("a bridge's address costs little in the first round", TimeLimits.CONNECT_QUICK_MILLIS, TimeLimits.CONNECT_MILLIS);
    increase("the launcher may be busy, then stopped", TimeLimits.CONNECT_ANSWER_FIRST_MILLIS,
        TimeLimits.CONNECT_ANSWER_SECOND_MILLIS,
        TimeLimits.CONNECT_ANSWER_LAST_MILLIS);
    increase("a slow client of the job proves itself in time", TimeLimits.CONNECT_MILLIS, TimeLimits.HELLO_MILLIS);
  }

  @Test
  void anOrderIsAbandonedWhenItsProcessCannotComeAnyMore() {
    increase("a recovery is over, then a host is known to be lost, then starts count", TimeLimits.GOING_ON_MILLIS,
        TimeLimits.RECOVERY_DELAY_MILLIS,
        TimeLimits.SETTLE_MILLIS, TimeLimits.START_MILLIS);
    increase("a process is looked for several times", 4 * TimeLimits.SEEN_LOOK_MILLIS, TimeLimits.SEEN_MILLIS,
        TimeLimits.START_MILLIS, TimeLimits.SLOW_MILLIS);
    increase("mpirun starts a daemon before the process", TimeLimits.START_MILLIS + TimeLimits.DAEMON_MILLIS,
        TimeLimits.RETURN_MILLIS);
    increase("a late process that is needed is replaced before it is abandoned", TimeLimits.WANTED_MILLIS,
        TimeLimits.READY_MILLIS);
    increase("a new process does not end itself before it is abandoned", TimeLimits.SLOW_MILLIS, INIT_MILLIS);
    increase("a lost host is asked for several times before others make up for it", 2 * TimeLimits.FAILED_HOST_MILLIS,
        TimeLimits.FAILED_HOST_PATIENCE_MILLIS);
    assertThat(TimeLimits.FAILED_HOST_LONGEST_MILLIS).isLessThanOrEqualTo(TimeLimits.FAILED_HOST_PATIENCE_MILLIS);
  }

  @Test
  void theCalledOutlastsItsCaller() {
    increase("the caller goes on when it has failed to connect; the called can wait", TimeLimits.CALLER_MILLIS,
        TimeLimits.CALLED_MILLIS);
    increase("both have ended their attempt when the launcher counts the called as a member", TimeLimits.CALLED_MILLIS,
        TimeLimits.CALL_MILLIS);
    assertThat(TimeLimits.CROSSING_MILLIS).as("a request is repeated at least once before it counts as new")
        .isGreaterThanOrEqualTo(2 * TimeLimits.ROUND_MILLIS);
    increase("a request that is repeated is not dropped", 2 * TimeLimits.CROSSING_MILLIS, TimeLimits.WANT_MILLIS);
    increase("an answer that comes between two requests is taken", TimeLimits.ROUND_MILLIS, TimeLimits.FRESH_MILLIS);
    increase("a fresh answer's meeting is still open", TimeLimits.FRESH_MILLIS, TimeLimits.CALLER_MILLIS);
    increase("the failure of the caller is known while the called still waits", TimeLimits.GONE_MILLIS,
        TimeLimits.CALLED_MILLIS - TimeLimits.CALLER_MILLIS);
  }

  @Test
  void aRecoveryWithANewProcessEndsInTime() {
    increase("a first process is late, a second one is started, and meets the caller",
        TimeLimits.WANTED_MILLIS + TimeLimits.START_MILLIS + TimeLimits.CALLED_MILLIS, RECOVERY_MILLIS);
    increase("a body that threw fails the job before the others have it restarted", TimeLimits.BEFORE_OTHERS_MILLIS,
        RECOVERY_MILLIS);
  }

  @Test
  void waitingProcessesAreDismissedBeforeTheyAreEnded() {
    increase("they have time to end themselves", TimeLimits.OVER_MILLIS, TimeLimits.UNNEEDED_MILLIS, TimeLimits.ALONE_MILLIS);
  }

  @Test
  void aDifferenceOfCallsIsReportedWhenItsCauseIsKnown() {
    increase("missing ranks get more time", TimeLimits.CHECK_GRACE_MILLIS, TimeLimits.CHECK_LAST_WORDS_MILLIS,
        TimeLimits.CHECK_MISSING_MILLIS);
  }
}
