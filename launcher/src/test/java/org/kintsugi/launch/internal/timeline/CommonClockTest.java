// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.kintsugi.launch.internal.timeline.CommonClock.Correction;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/** The clocks of processes, from steps that none leaves before all have entered them. */
class CommonClockTest {
  /** A process on a host, whose clock is ahead by some milliseconds, with the steps that lead to epochs 0 and 1. */
  private static ProcessRecord process(String host, long id, long ahead, long enters, long leaves) {
    return Records.of(host, id, 0).step(ahead + 100 + enters, ahead + 100 + leaves, "agree", 0)
        .step(ahead + 900 + enters, ahead + 900 + leaves, "agree", 1).record();
  }

  @Test
  void aPossibleClockStays() {
    // One process enters late, and leaves late: that is no contradiction.
    List<ProcessRecord> processes = List.of(process("a", 1, 0, 0, 5), process("b", 2, 0, 4, 9));
    assertThat(CommonClock.corrections(processes).values()).extracting(Correction::micros).containsOnly(0L);
  }

  @Test
  void aClockThatIsAheadIsMovedBack() {
    ProcessRecord first = process("a", 1, 0, 0, 5);
    ProcessRecord ahead = process("b", 2, 2000, 1, 6);
    ProcessRecord late = process("c", 3, -700, 0, 5);
    Map<ProcessRecord, Correction> corrections = CommonClock.applyTo(List.of(first, ahead, late));
    // Both leave at the same time, as nearly as is possible.
    assertThat(corrections.get(ahead).micros()).isEqualTo(-2_001_000);
    assertThat(corrections.get(late).micros()).isEqualTo(700_000);
    assertThat(ahead.steps.get(0).end()).isEqualTo(first.steps.get(0).end());
    assertThat(late.last).isEqualTo(first.last);
    for (ProcessRecord one : List.of(first, ahead, late)) {
      for (ProcessRecord other : List.of(first, ahead, late)) {
        for (int i = 0; i < 2; i++) {
          assertThat(one.steps.get(i).end()).isGreaterThanOrEqualTo(other.steps.get(i).begin());
        }
      }
    }
  }

  @Test
  void aProcessHasTheClockOfItsHost() {
    ProcessRecord first = process("a", 1, 0, 0, 5);
    ProcessRecord ahead = process("b", 2, 2000, 0, 5);
    ProcessRecord alone = Records.of("b", 3, 0).phase(2300, Phase.STARTS, 0).record();
    ProcessRecord unknown = Records.of("c", 4, 0).phase(77, Phase.STARTS, 0).record();
    Map<ProcessRecord, Correction> corrections = CommonClock.applyTo(List.of(first, ahead, alone, unknown));
    assertThat(alone.first).isEqualTo(300_000);
    assertThat(unknown.first).isEqualTo(77_000);
    assertThat(corrections.get(unknown).isKnown()).isFalse();
  }

  @Test
  void processesWithoutACommonStepAreReachedByOthers() {
    // The first one failed before the last one came; the second one has steps with both.
    ProcessRecord failed = Records.of("a", 1, 0).step(0, 10, "agree", 0).record();
    ProcessRecord both = Records.of("b", 2, 1).step(5000, 5010, "agree", 0).step(5100, 5110, "agree", 1).record();
    ProcessRecord replacement = Records.of("c", 3, 2).step(9100, 9110, "agree", 1).record();
    CommonClock.applyTo(List.of(failed, replacement, both));
    assertThat(failed.first).isEqualTo(5_000_000);
    assertThat(replacement.first).isEqualTo(5_100_000);
  }

  @Test
  void aClockThatDriftsIsMovedToTheMiddle() {
    ProcessRecord first = process("a", 1, 0, 0, 1);
    ProcessRecord drifts = Records.of("b", 2, 0).step(200, 201, "agree", 0).step(1010, 1011, "agree", 1).record();
    assertThat(CommonClock.corrections(List.of(first, drifts)).get(drifts).micros()).isEqualTo(-105_000);
  }

  @Test
  void noProcessHasNoClock() {
    assertThat(CommonClock.corrections(List.of())).isEmpty();
  }
}
