// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.internal.calls.CommState;

/** Arguments of collectives that are refused before MPI is called. */
class CollectiveChecksTest {
  private static final Datatype COLUMN = Datatype.vector(4, 1, 3, Datatype.DOUBLE);

  @Test
  void partsOfUnlikeTypesFitByTheirSignature() {
    Buf column = Buf.wrap(new double[12]).as(COLUMN, 1);
    assertThat(CollectiveChecks.requireParts(column, Buf.wrap(new double[8]), 2)).isEqualTo(1);
    assertThatThrownBy(() -> CollectiveChecks.requireParts(column, Buf.wrap(new double[7]), 2))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("has 7 elements").hasMessageContaining("needs 8");
    assertThatThrownBy(() -> CollectiveChecks.requireParts(column, Buf.wrap(new long[8]), 2))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("type signatures differ");
    assertThat(CollectiveChecks.countIn(Buf.wrap(new double[12]).as(COLUMN, 1), Buf.wrap(new double[8]), 8)).isEqualTo(2);
  }

  @Test
  void aReductionNeedsOneLayout() {
    Buf column = Buf.wrap(new double[12]).as(COLUMN, 1);
    assertThatThrownBy(() -> CollectiveChecks.requireReduction(column, Buf.wrap(new double[4])))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("datatypes differ");
    Datatype again = Datatype.vector(4, 1, 3, Datatype.DOUBLE);
    assertThat(CollectiveChecks.requireReduction(column, Buf.wrap(new double[12]).as(again, 1))).isEqualTo(1);
  }

  @Test
  void buffersThatOverlapAreRefused() {
    double[] array = new double[8];
    Buf whole = Buf.wrap(array);
    assertThat(CollectiveChecks.requireParts(whole, Buf.wrap(array), 2)).as("in place").isEqualTo(4);
    assertThatThrownBy(() -> CollectiveChecks.requireParts(Buf.wrap(array, 2, 2), whole, 2)).hasMessageContaining("overlap");
    assertThatThrownBy(() -> CollectiveChecks.requireParts(Buf.wrap(array, 0, 3), Buf.wrap(array, 0, 3), 2))
        .hasMessageContaining("3 elements cannot be divided into 2");
    assertThatThrownBy(() -> CollectiveChecks.requireParts(null, whole, 2)).isInstanceOf(NullPointerException.class)
        .hasMessageContaining("send");
  }

  @Test
  void tagsAndCountsAreLookedAt() {
    assertThatThrownBy(() -> CommState.checkSendTag(-1)).hasMessageContaining("tag -1");
    assertThatThrownBy(() -> CommState.checkReceiveTag(-7)).hasMessageContaining("ANY_TAG");
    assertThat(CommState.checkReceiveTag(Comm.ANY_TAG)).isEqualTo(Comm.ANY_TAG);
    assertThat(LargeCounts.count(Datatype.BYTE, Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
    assertThat(LargeCounts.count(Datatype.BYTE, 1L << 31)).as("one element of a datatype that has them all").isEqualTo(1);
  }

  @Test
  void partsForEachRankMustBeInsideTheBuffer() {
    TypedParts parts = TypedParts.of(new int[] {1, 1}, new int[] {0, 8}, new Datatype[] {COLUMN, COLUMN});
    parts.requireInside(Buf.wrap(new double[11]), "send");
    assertThatThrownBy(() -> parts.requireInside(Buf.wrap(new double[10]), "send")).hasMessageContaining("part 1")
        .hasMessageContaining("ends at byte 88").hasMessageContaining("80");
    assertThatThrownBy(() -> TypedParts.of(new int[] {-1}, new int[1], new Datatype[] {COLUMN}))
        .hasMessageContaining("part 0: count -1");
  }
}
