// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

class OptionalNativesTest {
  /** This test needs none. */
  @AfterEach
  void forget() {
    OptionalNatives.forget();
  }

  @Test
  void whatAnotherThreadOfATestLooksForCountsAsTheTests() throws InterruptedException {
    RankJob.assumeFlavour(Flavour.ULFM, "of the other flavour's execution all tests count");
    assertThat(OptionalNatives.wereWanted()).isFalse();
    Thread other = new Thread(OptionalNatives::want);
    other.start();
    other.join();
    assertThat(OptionalNatives.wereWanted()).isTrue();
    OptionalNatives.forget();
    assertThat(OptionalNatives.wereWanted()).isFalse();
  }
}
