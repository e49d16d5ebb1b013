// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which ranks share a parity: groups of about the wished size, and no two ranks of a group on one node wherever that can be.
 *
 * <p>The ranks are laid out node by node and dealt like cards to the groups. With at least as many groups as the fullest node
 * has ranks that never gives a group two ranks of one node; there are fewer only if groups of two would not come out otherwise.
 */
final class ParityGroups {
  private ParityGroups() {}

  /**
   * A pure function, so that every rank gets the same.
   *
   * @param nodes on which node each rank is, by any number
   * @param groupSize how many ranks a group has, if the nodes allow it; at least 2
   * @return the number of each rank's group, from 0
   */
  static int[] of(long[] nodes, long groupSize) {
    int size = nodes.length;
    Map<Long, Integer> ranksOnNode = new HashMap<>();
    int fullest = 0;
    for (long node : nodes) {
      fullest = Math.max(fullest, ranksOnNode.merge(node, 1, Integer::sum));
    }
    boolean isOneNode = fullest == size;
    long wished = (size + groupSize - 1) / groupSize;
    int groups = (int) Math.max(1, Math.min(isOneNode ? wished : Math.max(wished, fullest), size / 2));
    int[] byNode = IntStream.range(0, size).boxed().sorted(Comparator.comparingLong((Integer rank) -> nodes[rank]))
        .mapToInt(Integer::intValue).toArray();
    int[] groupOf = new int[size];
    for (int i = 0; i < size; i++) {
      groupOf[byNode[i]] = i % groups;
    }
    return groupOf;
  }
}
