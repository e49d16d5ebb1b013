// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.checkpoint.internal.CheckpointAccess;

/** The optimum interval against the cost model itself. */
@Isolated("sets properties")
class IntervalTest {
  /** The time that a second of work takes with random failures: Daly's model without the time of a restart. */
  private static double secondsPerSecond(double interval, double save, double mtbf) {
    return mtbf * Math.expm1((interval + save) / mtbf) / interval;
  }

  @ParameterizedTest
  @CsvSource({"1,100", "1,3600", "60,3600", "300,86400", "10,40"})
  void dalysIntervalIsTheModelsMinimum(double save, double mtbf) {
    double daly = Interval.daly(save, mtbf);
    double best = secondsPerSecond(daly, save, mtbf);
    double minimum = best;
    for (double factor = 0.2; factor < 5; factor *= 1.01) {
      minimum = Math.min(minimum, secondsPerSecond(daly * factor, save, mtbf));
    }
    assertThat(best / minimum).isLessThan(1.001);
  }

  @Test
  void youngsIntervalIsItsFormula() {
    assertThat(Interval.young(2, 100)).isEqualTo(20);
    assertThat(Interval.daly(0.001, 86400)).isCloseTo(Interval.young(0.001, 86400), within(0.01));
    assertThat(Interval.daly(300, 100)).isEqualTo(100);
  }

  @Test
  void impossibleTimesAreRefused() {
    assertThatThrownBy(() -> Interval.daly(-1, 10)).hasMessageContaining("-1.0 s");
    assertThatThrownBy(() -> Interval.young(1, 0)).hasMessageContaining("0.0 s");
    assertThatThrownBy(() -> Interval.daly(1, Double.NaN)).hasMessageContaining("NaN");
  }

  @Test
  void theLoopFindsOutWhenASaveIsDue() {
    Advice advice = new Advice(200);
    advice.forget();
    assertThat(advice.isDue()).isTrue();
    advice.saved(1_000_000_000L, 500_000_000L);
    // Daly's 19.7 s with half a second for a turn.
    long every = Math.round(Interval.daly(1, 200) / 0.5);
    for (int turn = 1; turn < every; turn++) {
      assertThat(advice.isDue()).as("turn %d", turn).isFalse();
    }
    assertThat(advice.isDue()).isTrue();
    advice.forget();
    assertThat(advice.isDue()).as("in a new epoch").isTrue();
  }

  @Test
  void theMeanOfTheSavesCounts() {
    Advice advice = new Advice(200);
    advice.forget();
    advice.saved(2_000_000_000L, 500_000_000L);
    advice.saved(0, 500_000_000L);
    int turns = 1;
    while (!advice.isDue()) {
      turns++;
    }
    assertThat(turns).isEqualTo((int) Math.round(Interval.daly(1, 200) / 0.5));
  }

  @Test
  void aMeanTimeOfZeroIsRefusedByItsName() {
    String property = CheckpointConfig.MTBF_SECONDS.property();
    System.setProperty(property, "0");
    try {
      assertThatThrownBy(() -> CheckpointAccess.get().ofJob("node")).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("-D" + property + "=0");
    } finally {
      System.clearProperty(property);
    }
  }
}
