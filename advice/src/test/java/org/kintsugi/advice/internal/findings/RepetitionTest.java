// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.findings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In which iterations processes fail, so that others make iterations again. */
class RepetitionTest {
  private static final int LAST = 29;

  @BeforeEach
  void makeIterations() {
    Repetition.reset();
  }

  private static void iterate(long... saves) {
    for (long save : saves) {
      Repetition.saves(save);
    }
    for (long iteration = 0; iteration <= LAST; iteration++) {
      Repetition.endTurn(iteration);
    }
  }

  @Test
  void theFirstFailureComesAfterAllReads() {
    iterate(4, 9, 14, 19, 24);
    assertThat(Repetition.tellingIterations(List.of(2L, 3L))).containsExactly(9L);
    assertThat(Repetition.tellingIterations(List.of(2L, 9L))).containsExactly(14L);
  }

  @Test
  void iterationsThatReadSomethingAreMadeAgain() {
    iterate(4, 9, 14, 19, 24);
    assertThat(Repetition.tellingIterations(List.of(12L))).containsExactly(19L, 14L);
    assertThat(Repetition.tellingIterations(List.of(12L, 6L, 7L, 22L))).as("most reads first").containsExactly(29L, 9L, 14L, 24L);
    assertThat(Repetition.tellingIterations(List.of(5L, 10L, 15L, 20L, 24L))).as("each is a job").hasSize(5);
  }

  @Test
  void withoutAReadTheLongestTimeBetweenSavesCounts() {
    iterate(2, 5, 15, 20);
    assertThat(Repetition.tellingIterations(List.of())).containsExactly(15L);
    assertThat(Repetition.tellingIterations(List.of(1L))).as("before the first save").containsExactly(15L);
  }

  @Test
  void whereNothingIsMadeAgainNoFailureTells() {
    iterate();
    assertThat(Repetition.tellingIterations(List.of(3L))).isEmpty();
  }
}
