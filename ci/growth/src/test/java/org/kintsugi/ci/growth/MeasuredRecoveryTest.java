// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.growth.StepFile.Call;
import org.kintsugi.ci.growth.StepFile.Calls;
import org.kintsugi.ci.growth.StepFile.Moment;

/** The calls of a rank and a spare, by hand. */
class MeasuredRecoveryTest {
  private static final long MILLI = 1_000_000;

  private static Call call(int kind, long code, long entered, long left) {
    return new Call(kind, code, moment(entered), moment(left));
  }

  /** The thread has worked half of the time, the process all of it. */
  private static Moment moment(long millis) {
    return new Moment(millis * MILLI, millis * MILLI / 2, millis * MILLI, millis);
  }

  private static List<Call> begin() {
    return new ArrayList<>(List.of(call(StepFile.SHRINK, 0, 0, 1), call(StepFile.GATHER, 0, 1, 2),
        call(StepFile.SPLIT, 0, 2, 3), call(StepFile.AGREE, 0, 3, 4)));
  }

  @Test
  void readsTheStepsOfASurvivorAndOfASpare() {
    List<Call> rank = begin();
    rank.addAll(List.of(call(StepFile.BARRIER, 0, 5, 10), call(StepFile.BARRIER, 75, 12, 20), call(StepFile.REVOKE, 0, 20, 21),
        call(StepFile.IAGREE, 0, 23, 24), call(StepFile.SHRINK, 0, 30, 40), call(StepFile.GATHER, 0, 41, 45),
        call(StepFile.SPLIT, 0, 46, 60), call(StepFile.AGREE, 0, 60, 65), call(StepFile.BARRIER, 0, 66, 70)));
    List<Call> spare = begin();
    spare.addAll(List.of(call(StepFile.IAGREE, 0, 4, 5), call(StepFile.SHRINK, 0, 31, 39), call(StepFile.GATHER, 0, 41, 44),
        call(StepFile.SPLIT, 0, 46, 62), call(StepFile.AGREE, 0, 62, 66), call(StepFile.BARRIER, 0, 67, 71)));

    List<MeasuredRecovery> recoveries = MeasuredRecovery.of(List.of(new Calls(0, rank), new Calls(2, spare)), 1);

    assertThat(recoveries).hasSize(1);
    MeasuredRecovery one = recoveries.get(0);
    assertThat(one.processes()).isEqualTo(2);
    // Notice, revoke, unwind, meet, shrink, gather, split, agree, enter.
    assertThat(one.wall()).containsExactly(10, 0, 3, 8, 9, 5, 17, 4, 5);
    assertThat(one.total()).isCloseTo(61, within(1e-9));
    assertThat(one.processor()[Step.SHRINK.ordinal()]).isCloseTo((10 + 8) / 2.0, within(1e-9));
    assertThat(one.other()[Step.SHRINK.ordinal()]).isCloseTo((5 + 4) / 2.0, within(1e-9));
    assertThat(one.between()[Step.GATHER.ordinal()]).isCloseTo((0.5 + 1) / 2, within(1e-9));
  }

  @Test
  void aVictimHasNoLaterRecoveries() {
    List<Call> victim = begin();
    victim.add(call(StepFile.BARRIER, 0, 5, 10));
    assertThat(MeasuredRecovery.of(List.of(new Calls(0, victim)), 1)).isEmpty();
  }
}
