// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Arrays;
import org.kintsugi.examples.sparse.Ranks;

/** The communities of a graph's ghosts, as the ranks that own these vertices give them. */
final class GhostCommunities {
  private final Graph graph;
  private final Ranks ranks;
  /** Owned vertices that are ghosts of others, rank by rank, and how many of each rank. */
  private final int[] wanted;
  private final int[] wantedBy;
  private final long[] given;
  private final long[] communities;

  /** Collective: ranks learn which of their vertices others refer to. */
  GhostCommunities(Graph graph, Ranks ranks) {
    this.graph = graph;
    this.ranks = ranks;
    communities = new long[graph.ghosts.length];
    wantedBy = new int[ranks.size()];
    long[] numbers = ranks.exchange(graph.ghosts, graph.ghostsOf, wantedBy);
    wanted = Arrays.stream(numbers).mapToInt(number -> (int) (number - graph.first())).toArray();
    given = new long[wanted.length];
  }

  /**
   * Brings all ghosts up to date. Collective.
   *
   * @param owned the community of each owned vertex
   * @return that of each ghost; overwritten by the next call
   */
  long[] update(long[] owned) {
    for (int i = 0; i < wanted.length; i++) {
      given[i] = owned[wanted[i]];
    }
    ranks.exchange(given, wantedBy, communities, graph.ghostsOf);
    return communities;
  }
}
