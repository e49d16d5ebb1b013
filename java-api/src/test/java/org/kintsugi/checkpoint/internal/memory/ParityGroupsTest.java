// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Parity groups, on all kinds of nodes. */
class ParityGroupsTest {
  private static boolean crossesNodes(int[] groups, long... nodes) {
    Set<String> seen = new HashSet<>();
    for (int rank = 0; rank < nodes.length; rank++) {
      if (!seen.add(groups[rank] + " on " + nodes[rank])) {
        return false;
      }
    }
    return true;
  }

  private static void assertNobodyIsAlone(int... groups) {
    for (int rank = 0; rank < groups.length; rank++) {
      int size = 0;
      for (int other : groups) {
        size += other == groups[rank] ? 1 : 0;
      }
      assertThat(size).as("group of rank %d", rank).isGreaterThan(1);
    }
  }

  @Test
  void noGroupHasTwoRanksOfOneNode() {
    long[] nodes = {5, 5, 8, 8, 2, 2};
    assertThat(crossesNodes(ParityGroups.of(nodes, 8), nodes)).isTrue();
    long[] scattered = {1, 2, 3, 1, 2, 3, 1, 2};
    assertThat(crossesNodes(ParityGroups.of(scattered, 8), scattered)).isTrue();
  }

  @Test
  void groupsOnOneNodeHaveTheWishedSize() {
    int[] groups = ParityGroups.of(new long[16], 8);
    assertThat(groups).containsOnly(0, 1);
    assertNobodyIsAlone(groups);
  }

  @Test
  void aRankIsNeverAloneInItsGroup() {
    SplittableRandom random = new SplittableRandom(4);
    for (int trial = 0; trial < 2000; trial++) {
      long[] nodes = new long[2 + random.nextInt(30)];
      for (int rank = 0; rank < nodes.length; rank++) {
        nodes[rank] = random.nextInt(1 + random.nextInt(8));
      }
      assertNobodyIsAlone(ParityGroups.of(nodes, 2 + random.nextInt(9)));
    }
  }

  @Test
  void aSingleRankIsItsOwnGroup() {
    assertThat(ParityGroups.of(new long[1], 8)).containsExactly(0);
  }
}
