// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.internal.protocol.RankPlace.Doing;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/** A place survives the way over the line, in one line of text. */
class RankPlaceTest {
  @Test
  void aPlaceIsOneLine() {
    RankPlace place =
        new RankPlace(3, Phase.BODY, Doing.WAITS, 61_000, "MPI_Recv", "Comm.recv on \"a\tb\n\"", "", "Main.java:31 f()");
    assertThat(place.toLine()).doesNotContain("\n");
    assertThat(RankPlace.ofLine(place.toLine()))
        .isEqualTo(
            new RankPlace(3, Phase.BODY, Doing.WAITS, 61_000, "MPI_Recv", "Comm.recv on \"a b \"", "", "Main.java:31 f()"));
  }

  @Test
  void whatIsNoneIsRefused() {
    for (String line : new String[] {"", "3\tBODY", "x\tBODY\tWAITS\t0\t\t\t\t", "3\tBODIES\tWAITS\t0\t\t\t\t"}) {
      assertThatThrownBy(() -> RankPlace.ofLine(line)).as(line).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
