// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The level of each save. */
class ScheduleTest {
  @Test
  void theHighestLevelThatIsDueCounts() {
    Schedule schedule = Schedule.parse("p", "memory, xor:2, file:6");
    assertThat(schedule.names()).containsExactly("memory", "xor", "file");
    int[] levels = new int[12];
    for (int save = 1; save <= 12; save++) {
      levels[save - 1] = schedule.levelOf(save);
    }
    assertThat(levels).containsExactly(0, 1, 0, 1, 0, 2, 0, 1, 0, 1, 0, 2);
  }

  @Test
  void oneLevelServesAll() {
    assertThat(Schedule.parse("p", "file").levelOf(17)).isZero();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "memory,|is not of the form", "memory:1:2|is not of the form", "memory,file:0|'0' is not a whole number",
      "memory,file:x|'x' is not a whole number", "memory,file|less frequent", "memory,memory:2|there twice",
      "memory:2,file:4|first level", "memory,xor:4,file:4|less frequent",
  })
  void whatIsWrongIsNamed(String text, String message) {
    assertThatThrownBy(() -> Schedule.parse("kintsugi.x", text)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("-Dkintsugi.x=" + text).hasMessageContaining(message);
  }
}
