// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The holders of copies, on all kinds of nodes. */
class PartnersTest {
  private static int onAnotherNode(long... nodes) {
    Partners partners = Partners.of(nodes);
    int away = 0;
    boolean[] holds = new boolean[nodes.length];
    for (int rank = 0; rank < nodes.length; rank++) {
      int holder = partners.holderOf(rank);
      assertThat(holds[holder]).as("rank %d holds one copy only", holder).isFalse();
      holds[holder] = true;
      assertThat(partners.ownerAt(holder)).isEqualTo(rank);
      assertThat(holder == rank).isEqualTo(nodes.length == 1);
      away += nodes[holder] == nodes[rank] ? 0 : 1;
    }
    return away;
  }

  @Test
  void everyCopyLeavesTheNodeIfThatCanBe() {
    assertThat(onAnotherNode(7, 7, 3, 3)).isEqualTo(4);
    assertThat(onAnotherNode(7, 3, 7, 3)).isEqualTo(4);
    assertThat(onAnotherNode(1, 2, 3, 1)).isEqualTo(4);
    assertThat(onAnotherNode(1, 1, 2, 2, 3)).isEqualTo(5);
    assertThat(onAnotherNode(1, 2, 3)).isEqualTo(3);
  }

  @Test
  void asManyAsPossibleLeaveANodeThatHasMoreThanHalf() {
    assertThat(onAnotherNode(1, 1, 1, 2)).isEqualTo(2);
    assertThat(onAnotherNode(1, 1, 1, 1)).isZero();
    assertThat(onAnotherNode(1)).isZero();
  }

  @Test
  void anyLayout() {
    SplittableRandom random = new SplittableRandom(1);
    for (int layout = 0; layout < 500; layout++) {
      long[] nodes = random.longs(1 + random.nextInt(40), 0, 1 + random.nextInt(8)).toArray();
      long fullest = Arrays.stream(nodes)
          .map(node -> Arrays.stream(nodes).filter(other -> other == node).count()).max().orElse(0);
      long possible = Math.min(nodes.length, 2 * (nodes.length - fullest));
      assertThat(onAnotherNode(nodes)).as(Arrays.toString(nodes)).isEqualTo((int) possible);
    }
  }
}
