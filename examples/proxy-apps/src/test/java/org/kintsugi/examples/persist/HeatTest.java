// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

/** The arguments of heat. */
class HeatTest {
  @Test
  void aPlateThatNoArrayHoldsIsRefused() {
    assertThatThrownBy(() -> Heat.of("50000", "50000", "4")).isInstanceOf(ParameterException.class)
        .hasMessageStartingWith("COLUMNS 50000 and ROWS 50000: a process would have 2500100000 points");
  }

  /** From an average everything is made again, and the plate goes on being heated from the left. */
  @Test
  void fixedEdgesStayWhenThePlateIsFilled() {
    HeatGrid grid = new HeatGrid(4, 2);
    grid.fill(10);
    assertThat(grid.average()).isEqualTo((100 + 10 + 10 + 0) / 4.0);
  }

  @Test
  void aStoreThatThereIsNotIsRefused() {
    assertThat(Heat.of("8", "8", "4", "--store", "file")).isNotNull();
    assertThatThrownBy(() -> Heat.of("8", "8", "4", "--store", "files")).isInstanceOf(ParameterException.class)
        .hasMessage("--store files: expected one of memory, file, jdbc, scr");
  }
}
