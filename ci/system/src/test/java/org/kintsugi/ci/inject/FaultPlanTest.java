// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.kintsugi.inject.FaultPlan;
import org.kintsugi.runtime.Kill;

/** The plan of injected failures; no MPI needed. */
class FaultPlanTest {
  @Test
  void aRanksNthKillFiresInItsNthLife() {
    FaultPlan plan = FaultPlan.parse("process:2@60;process:2@30; node:1@5", 4);
    assertThat(plan.due(2, 0, 60)).isNotNull();
    assertThat(plan.due(2, 0, 30)).isNull();
    assertThat(plan.due(2, 1, 60)).isNull();
    assertThat(plan.due(2, 1, 30)).isNotNull();
    assertThat(plan.due(2, 2, 30)).isNull();
    assertThat(plan.due(1, 0, 5).kind()).isEqualTo(Kill.Kind.NODE);
    assertThat(plan.due(0, 0, 60)).isNull();
  }

  @Test
  void aSeedChoosesTheSameEverywhere() {
    FaultPlan plan = FaultPlan.parse("random:7@50", 4);
    assertThat(plan.kills()).isEqualTo(FaultPlan.parse("random:7@50", 4).kills()).hasSize(1);
    assertThat(plan.kills().get(0).iteration()).isBetween(1L, 49L);
    assertThat(plan.kills().get(0).rank()).isBetween(0, 3);
    // Not 0, which not every program announces.
    assertThat(FaultPlan.parse("random:7@2", 4).kills().get(0).iteration()).isEqualTo(1);
  }

  @Test
  void whatIsMalformedIsRefused() {
    assertThatThrownBy(() -> FaultPlan.parse("process:4@1", 4)).hasMessageContaining("rank 4 is not in 0 to 3");
    assertThatThrownBy(() -> FaultPlan.parse("thread:1@1", 4)).hasMessageContaining("thread:1@1");
    assertThatThrownBy(() -> FaultPlan.parse("random:x", 4)).hasMessageContaining("random:x");
    assertThatThrownBy(() -> FaultPlan.parse("random:7@1", 4)).hasMessageContaining("random:7@1");
    assertThat(FaultPlan.parse("", 4).kills()).isEmpty();
  }
}
