// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Each difference is printed once. */
class ShownTest {
  private final Shown shown = new Shown();

  @Test
  void whatIsKnownIsCounted() {
    assertThat(shown.lines(List.of("x differs", "sum is missing", "took is missing"))).hasSize(3);
    assertThat(shown.lines(List.of("x differs", "sum is missing")))
        .containsExactly("the same differences as after a failure above");
    assertThat(shown.lines(List.of("y differs", "sum is missing"))).containsExactly("y differs",
        "and one of the differences above");
    assertThat(shown.lines(List.of("z differs", "x differs", "y differs"))).containsExactly("z differs",
        "and 2 of the differences above");
    assertThat(shown.lines(List.of())).isEmpty();
  }
}
