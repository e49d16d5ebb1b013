// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.internal.lifetime.Deadline;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.test.RankJob;

/** A condition that blocks delays neither the end of other deadlines nor its own. */
@Tag("once")
class DeadlineTest {
  private static final int LIMIT_SECONDS = 60;
  private static final int LONG_SECONDS = 3600;

  /** Runs in the ranks. Arguments: folder, which deadline is short. */
  static final class Blocks {
    public static void main(String[] args) throws InterruptedException {
      Mpi mpi = Mpi.init(args);
      CountDownLatch called = new CountDownLatch(1);
      boolean ownIsShort = args[1].equals("its-own");
      Deadline blocked = Deadline.begin(ownIsShort ? 1 : LONG_SECONDS, () -> blocks(called), "a condition did not return");
      called.await();
      for (int i = 0; i < 10; i++) {
        Deadline.begin(LONG_SECONDS, null, "closed at once").close();
      }
      RankJob.report(args[0], "closed", "yes");
      if (!ownIsShort) {
        Deadline.begin(1, null, "the time is over");
      }
      new CountDownLatch(1).await();
      blocked.close();
      mpi.close();
    }

    private static boolean blocks(CountDownLatch called) {
      called.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"another", "its-own"})
  void theTimeOfADeadlineEndsAlthoughAConditionBlocks(String which) {
    RankJob.Outcome outcome = RankJob.of(1, 0).timeoutSeconds(LIMIT_SECONDS).run(Blocks.class, which);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(ExitCodes.RESTART);
    assertThat(outcome.reports()).containsEntry("closed", "yes");
    assertThat(outcome.output()).contains(which.equals("another") ? "the time is over" : "a condition did not return");
  }
}
