// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

/** The arguments of heat. */
class HeatTest {
  @Test
  void aStoreThatThereIsNotIsRefused() {
    assertThat(Heat.of("8", "8", "4", "--store", "file")).isNotNull();
    assertThatThrownBy(() -> Heat.of("8", "8", "4", "--store", "files")).isInstanceOf(ParameterException.class)
        .hasMessage("--store files: expected one of memory, file, jdbc, scr");
  }
}
