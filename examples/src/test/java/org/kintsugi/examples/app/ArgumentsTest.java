// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  /** They are compared in another process than the one that has saved them. */
  @Test
  void arraysAreTheirElements() {
    Arguments arguments = new Arguments(Map.of("proc_grid", new int[] {2, 1, 1}));
    assertThat(arguments).hasToString("{proc_grid=[2, 1, 1]}");
    assertThat(arguments.areTheSame()).isTrue();
    assertThat(arguments.saved()).isEqualTo(arguments.toString());
  }
}
