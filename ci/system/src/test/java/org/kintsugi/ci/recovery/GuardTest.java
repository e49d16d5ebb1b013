// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.ci.soak.RandomKills;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/**
 * The signal to roll back, at every important moment (native/reinit/rollback.c).
 *
 * <p>Each case goes through several rollbacks of the same processes; after them the world must be
 * whole.
 */
@Tag("flavours")
class GuardTest {
  private static final int RANKS = 3;

  @BeforeEach
  void onTheForkOnly() {
    RankJob.assumeFlavour(Flavour.REINIT, "only the Reinit++ fork rolls back by a signal");
  }

  private static RankJob.Outcome run(String moment, String... jvm) {
    return RankJob.of(RANKS, 0).timeoutSeconds(90).jvm(jvm).jvm("-Dkintsugi.recovery.timeout.seconds=20").run(Signals.class,
        moment);
  }

  /** The checksum that each rank reports. */
  private static int expected() {
    int sum = 0;
    for (int i = 0; i < 50; i++) {
      sum += i * RANKS * (RANKS + 1) / 2;
    }
    return sum;
  }

  private static void assertWhole(RankJob.Outcome outcome, int epochs) {
    outcome.assertSuccess();
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(outcome.reports()).as(outcome.output()).containsEntry(String.valueOf(rank), epochs + " " + expected())
          .containsEntry("own-" + rank, "1");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"computing", "polling", "receiving", "waiting", "testing", "testing-some", "reducing", "local", "storm"})
  void rollsBackWhile(String moment) {
    assertWhole(run(moment), Signals.EPOCHS);
  }

  @Test
  void jniIsUsedAsItShouldBe() {
    RankJob.Outcome outcome = run("reducing", "-Xcheck:jni");
    assertWhole(outcome, Signals.EPOCHS);
    assertThat(outcome.output()).doesNotContain("WARNING in native method").doesNotContain("FATAL ERROR in native");
  }

  @Test
  void aSignalBeforeTheRunIsHandledWhenTheRunBegins() {
    assertWhole(run("before-run"), 0);
  }

  @Test
  void aSignalAfterTheRunEndsTheJobForARestart() {
    RankJob.Outcome outcome = run("close");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(Mpi.RESTART_CODE);
    assertThat(outcome.output()).contains("no Reinit run could recover it");
  }

  /**
   * The job must not hang when rollbacks overlap.
   *
   * <p>The runtime may lose count of its fences then, and has to end the job.
   */
  @Test
  void signalsThatFollowEachOtherAreOneOrEndTheJob() {
    RankJob.Outcome outcome = run("twice");
    boolean isAbandoned = outcome.exitCode() == Mpi.RESTART_CODE;
    System.out.println("GuardTest, signals that follow each other: " + (isAbandoned ? "abandoned" : "recovered"));
    if (isAbandoned) {
      assertThat(outcome.output()).containsAnyOf(RandomKills.OVERLAP_MESSAGES.toArray(new String[0]));
      return;
    }
    outcome.assertSuccess();
    for (int rank = 0; rank < RANKS; rank++) {
      String[] epochAndSum = outcome.reports().get(String.valueOf(rank)).split(" ");
      assertThat(Integer.parseInt(epochAndSum[0])).as(outcome.output()).isGreaterThanOrEqualTo(Signals.EPOCHS);
      assertThat(epochAndSum[1]).as(outcome.output()).isEqualTo(String.valueOf(expected()));
    }
  }
}
