// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Launcher and ranks accept the same kills: there is one grammar. */
class KillSpecTest {
  private static final int RANKS = 4;

  @Test
  void namesWhatDiesWhen() {
    assertThat(KillSpec.parse("process:2@60").in(RANKS)).isEqualTo(new Kill(Kill.Kind.PROCESS, 2, 60));
    assertThat(KillSpec.parse("node:1@5").in(RANKS)).isEqualTo(new Kill(Kill.Kind.NODE, 1, 5)).hasToString("node:1@5");
    assertThat(KillSpec.parseAll("process:2@60; ;node:1@5;").toString()).isEqualTo("[process:2@60, node:1@5]");
    assertThat(KillSpec.parseAll("")).isEmpty();
    assertThat(KillSpec.parse("node:1@5").isOfNode()).isTrue();
    assertThat(KillSpec.parse("random:-7@9").isOfNode()).isFalse();
    assertThat(KillSpec.parse("process:2@60").start()).isEqualTo(1);
    assertThat(KillSpec.parse("random:7").start()).isEqualTo(1);
    assertThat(KillSpec.parse("node:2@60/3").start()).isEqualTo(3);
    assertThat(KillSpec.parse("node:2@60/3").in(RANKS)).isEqualTo(new Kill(Kill.Kind.NODE, 2, 60));
  }

  @Test
  void aSeedGivesOneKill() {
    Kill kill = KillSpec.parse("random:7@50").in(RANKS);
    assertThat(kill).isEqualTo(KillSpec.parse("random:7@50").in(RANKS));
    assertThat(kill.rank()).isBetween(0, RANKS - 1);
    assertThat(kill.iteration()).isBetween(1L, 49L);
  }

  @Test
  void refusesWhatIsMalformed() {
    for (String wrong : new String[] {"", "process:2", "thread:1@1", "process:-1@1", "process:1@-1", "random:x", " random:1"}) {
      assertThatThrownBy(() -> KillSpec.parse(wrong)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(wrong + ": expected process:RANK@ITERATION");
    }
    assertThatThrownBy(() -> KillSpec.parse("random:7@1")).hasMessageStartingWith("random:7@1: an iteration is chosen");
    assertThatThrownBy(() -> KillSpec.parse("process:1@1/0")).hasMessage("process:1@1/0: starts of a job are counted from 1");
    assertThatThrownBy(() -> KillSpec.parse("process:4@1").in(RANKS)).hasMessage("process:4@1: rank 4 is not in 0 to 3");
  }
}
