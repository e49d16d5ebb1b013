// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class FitTest {
  private static Fit of(IntToDoubleFunction time) {
    List<Fit.Point> points = new ArrayList<>();
    for (int processes : new int[] {2, 4, 8, 16, 32, 48, 64}) {
      points.add(new Fit.Point(processes, time.applyAsDouble(processes)));
    }
    return Fit.of(points);
  }

  @Test
  void findsTheCoefficients() {
    Fit fit = of(p -> 0.5 + 0.25 * Math.log(p) / Math.log(2) + 0.01 * p);
    assertThat(fit.constant()).isCloseTo(0.5, within(1e-6));
    assertThat(fit.perLevel()).isCloseTo(0.25, within(1e-6));
    assertThat(fit.perProcess()).isCloseTo(0.01, within(1e-6));
  }

  @Test
  void aTermThatIsNotThereIsLeftOut() {
    Fit fit = of(p -> 3 * Math.log(p) / Math.log(2));
    assertThat(fit.constant()).isZero();
    assertThat(fit.perProcess()).isZero();
    assertThat(fit.perLevel()).isCloseTo(3, within(1e-9));
  }

  @Test
  void noPartShrinks() {
    Fit fit = of(p -> 10 - 0.01 * p);
    assertThat(fit.perLevel()).isZero();
    assertThat(fit.perProcess()).isZero();
    assertThat(fit.constant()).isCloseTo(9.8, within(0.2));
  }
}
