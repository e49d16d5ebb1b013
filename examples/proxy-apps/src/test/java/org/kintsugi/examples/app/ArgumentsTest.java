// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  /** They are compared in another process than the one that has saved them. */
  @Test
  void arraysAreTheirElements() {
    Arguments arguments = new Arguments(Map.of("proc_grid", new int[] {2, 1, 1}), 0);
    assertThat(arguments).hasToString("{proc_grid=[2, 1, 1]}");
    assertThat(arguments.areTheSame()).isTrue();
    assertThat(arguments.saved()).isEqualTo(arguments.toString());
    assertThat(new Arguments(Map.of("dt", new double[] {0.5}), 0)).hasToString("{dt=[0.5]}");
  }

  @Test
  void theOrderOfNamesDoesNotCount() {
    Map<String, Object> turned = new LinkedHashMap<>();
    turned.put("ny", 2);
    turned.put("nx", 1);
    assertThat(new Arguments(turned, 0)).hasToString("{nx=1, ny=2}");
  }

  @Test
  void contentsOfFilesCount() {
    assertThat(new Arguments(Map.of("nx", 1), 0x2a)).hasToString("{nx=1, files read: 2a}");
  }
}
