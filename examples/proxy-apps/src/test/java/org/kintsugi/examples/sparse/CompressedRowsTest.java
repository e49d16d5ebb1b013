// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CompressedRowsTest {
  @Test
  void arraysGrowAsFarAsTheyCan() {
    assertThat(CompressedRows.longer(0)).isEqualTo(1);
    assertThat(CompressedRows.longer(128)).isEqualTo(193);
    assertThat(CompressedRows.longer(Integer.MAX_VALUE - 9)).isEqualTo(CompressedRows.MOST_ENTRIES);
    assertThatThrownBy(() -> CompressedRows.longer(CompressedRows.MOST_ENTRIES)).hasMessageContaining("smaller parts");
  }

  /** A sum of counts that is no int any more would make an array of another length. */
  @Test
  void moreThanAnArrayHoldsIsRefusedByName() {
    Ranks ranks = new OneRank() {
      @Override
      public void exchangeCounts(int[] sent, int[] received) {
        received[0] = Integer.MAX_VALUE;
      }
    };
    assertThatThrownBy(() -> ranks.exchange(new long[0], new int[1], new int[1])).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("rank 0 is sent 2147483647 numbers at once");
  }
}
