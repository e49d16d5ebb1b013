// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinePlotTest {
  @Test
  void drawsALineFromCornerToCorner() {
    String svg = new LinePlot("a < b", "x", "y", new double[] {1, 100}, new double[] {0.1, 10})
        .line("line", new double[] {1, 100}, new double[] {0.1, 10}, 0, true)
        .points("points", new double[] {10}, new double[] {1}, 1).svg();
    assertThat(svg).contains("a &lt; b", "points=\"80.0,370.0 640.0,44.0\"", "cx=\"360.0\" cy=\"207.0\"", "stroke-dasharray");
  }
}
