// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two threads look at a deadline at the same time. One calls its condition, one finds out whether that call returns. */
class DeadlineLooksTest {
  private static final int ROUNDS = 1_000_000;
  /** About the time that the other thread takes to see a deadline. */
  private static final int SPINS = 64;
  /** Shorter than the time since the machine started, which a call has taken that is read as begun at time 0. */
  private static final long SECONDS = 5;

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  private static boolean lasts() {
    spin(SPINS);
    return false;
  }

  @Test
  @Timeout(120)
  void aConditionThatIsCalledJustNowIsNotTakenForOneThatHangs() throws InterruptedException {
    AtomicReference<Deadline> next = new AtomicReference<>();
    Thread calls = new Thread(() -> {
      Deadline last = null;
      while (!Thread.currentThread().isInterrupted()) {
        Deadline deadline = next.get();
        if (deadline != last) {
          deadline.isOver();
          last = deadline;
        }
      }
    });
    calls.start();
    int over = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Deadline deadline = Deadline.unwatched(SECONDS, DeadlineLooksTest::lasts);
      next.set(deadline);
      spin(i % SPINS);
      over += deadline.isOverUnasked() ? 1 : 0;
    }
    calls.interrupt();
    calls.join();
    assertThat(over).as("looks that found a deadline over, just after it had begun").isZero();
  }
}
