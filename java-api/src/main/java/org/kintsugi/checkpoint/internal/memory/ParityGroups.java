// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.memory;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Divides the ranks into groups that share a parity: of about the wished size, and without two ranks of one node in a group
 * where that is possible.
 *
 * <p>The ranks are sorted by node and dealt to the groups like cards. With at least as many groups as the fullest node has
 * ranks, no group gets two ranks of one node; there are fewer groups only if groups of two would not be possible otherwise.
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
