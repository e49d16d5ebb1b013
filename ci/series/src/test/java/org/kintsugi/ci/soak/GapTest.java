// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** What {@code make long-job} takes as GAP. */
class GapTest {
  @Test
  void isARange() throws Exception {
    assertThat(new Gap.Converter().convert("2000-4000")).isEqualTo(new Gap(2000, 4000));
    assertThat(new Gap.Converter().convert("5-5")).isEqualTo(new Gap(5, 5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "9-3", "-3", "5-", "1-2-3", "a-b", "1-9999999999"})
  void whatIsNoneIsRefused(String value) {
    assertThatThrownBy(() -> new Gap.Converter().convert(value)).isInstanceOf(TypeConversionException.class)
        .hasMessageStartingWith("'" + value + "' is not SHORTEST-LONGEST");
  }
}
