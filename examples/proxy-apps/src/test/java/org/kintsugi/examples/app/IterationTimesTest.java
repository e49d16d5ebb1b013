// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IterationTimesTest {
  private static final int MANY = 5000;

  @Test
  void aProcessThatBeginsAfterTheLastIterationHasNone() {
    assertThat(new IterationTimes().from(MANY, MANY)).isEmpty();
    assertThat(new IterationTimes().from(MANY + 1, MANY)).isEmpty();
  }

  @Test
  void thoseOfAReplacementBeginWithItsFirst() {
    IterationTimes times = new IterationTimes();
    for (int iteration = MANY - 2; iteration < MANY; iteration++) {
      times.begin();
      times.note(iteration);
    }
    assertThat(times.from(MANY - 2, MANY)).hasSize(2).doesNotContain(0.0);
  }
}
