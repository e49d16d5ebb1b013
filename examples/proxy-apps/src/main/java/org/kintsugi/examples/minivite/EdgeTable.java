// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.HashSet;
import java.util.Set;

/** Knows which edges there are, while random ones are added. A vertex has few: those that it had first are looked through. */
final class EdgeTable {
  private final EdgeList edges;
  private final long all;
  /** Where the edges of each vertex begin. */
  private final int[] starts;
  private final Set<Long> added = new HashSet<>();

  /**
   * @param edges of {@code vertices} vertices, by ascending vertex; edges that are added later are
   *     ignored
   * @param all vertices of all ranks
   */
  EdgeTable(EdgeList edges, int vertices, long all) {
    this.edges = edges;
    this.all = all;
    starts = edges.starts(vertices);
  }

  /** False if it was there. */
  boolean add(int vertex, long neighbour) {
    for (int edge = starts[vertex]; edge < starts[vertex + 1]; edge++) {
      if (edges.neighbour(edge) == neighbour) {
        return false;
      }
    }
    return added.add(vertex * all + neighbour);
  }
}
