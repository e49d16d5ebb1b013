// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.HashSet;
import java.util.Set;

/** Knows which edges there are: for the few random ones, while a graph is made. */
final class EdgeTable {
  private final long all;
  private final Set<Long> keys;

  EdgeTable(EdgeList edges, long all) {
    this.all = all;
    keys = new HashSet<>(2 * edges.size());
    for (int edge = 0; edge < edges.size(); edge++) {
      add(edges.vertex(edge), edges.neighbour(edge));
    }
  }

  /** False if it was there. */
  boolean add(int vertex, long neighbour) {
    return keys.add(vertex * all + neighbour);
  }
}
