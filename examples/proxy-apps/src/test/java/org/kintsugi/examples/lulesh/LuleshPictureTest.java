// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.kintsugi.examples.app.Sample;

class LuleshPictureTest {
  private static final int EDGE = 3;

  @Test
  void theLowestLayerHasItsElementsInTheirPlaces() {
    Domain domain = new Domain(new Block(EDGE, 2, 0));
    Sample layer = LuleshPicture.lowestLayer(domain);
    assertThat(layer.size()).isEqualTo(EDGE * EDGE);
    assertThat(layer.value()[0]).isEqualTo(domain.energy[0]).isPositive();
    double width = 1.125 / (2 * EDGE);
    assertThat(layer.x()[0]).isCloseTo(width / 2, within(1e-15));
    assertThat(layer.x()[1]).isCloseTo(1.5 * width, within(1e-15));
    assertThat(layer.y()[1]).isCloseTo(width / 2, within(1e-15));
    assertThat(layer.y()[EDGE]).isCloseTo(1.5 * width, within(1e-15));
  }

  @Test
  void ranksAboveHaveNoneOfIt() {
    assertThat(LuleshPicture.lowestLayer(new Domain(new Block(EDGE, 2, 3))).size()).isEqualTo(EDGE * EDGE);
    assertThat(LuleshPicture.lowestLayer(new Domain(new Block(EDGE, 2, 4))).size()).isZero();
  }
}
