// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a proof refuses; without ranks. */
class RankJobProofTest {
  @Test
  void aProofWithoutAFailureIsRefused() {
    assertThatThrownBy(() -> RankJob.of(2, 1).prove(0, RankJobProofTest.class)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("prove(0, ...): expected one failure or more");
  }

  @Test
  void faultsAndRecordingsAreRefused() {
    assertThatThrownBy(() -> RankJob.of(2, 1).kill("process:1@5").prove(1, RankJobProofTest.class))
        .isInstanceOf(IllegalStateException.class).hasMessageContaining("kill(process:1@5) with prove");
    assertThatThrownBy(() -> RankJob.of(2, 1).record(Path.of("recording")).prove(1, RankJobProofTest.class))
        .isInstanceOf(IllegalStateException.class).hasMessageContaining("record(recording) with prove");
  }
}
