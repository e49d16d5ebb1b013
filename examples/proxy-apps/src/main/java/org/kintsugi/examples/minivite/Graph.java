// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Arrays;

/**
 * One rank's vertices and their edges: those of vertex v are from {@code starts[v]} to {@code starts[v + 1]}, by ascending
 * neighbour. Ranks own equally many vertices; the number of a vertex among all is the rank times that plus its local number.
 *
 * <p>Neighbours have local numbers, too: owned ones first, then the ghosts, which are the neighbours that others own, ascending.
 */
final class Graph {
  final int rank;
  final int vertices;
  final int[] starts;
  /** The other end of each edge, by its number among all. */
  final long[] neighbours;
  /** The same by its local number. */
  final int[] localNeighbours;
  final double[] weights;
  /** Neighbours that other ranks own. */
  final long[] ghosts;
  /** How many of them each rank owns. */
  final int[] ghostsOf;

  Graph(int rank, int ranks, int[] starts, long[] neighbours, double[] weights) {
    this.rank = rank;
    this.starts = starts;
    this.neighbours = neighbours;
    this.weights = weights;
    vertices = starts.length - 1;
    long first = first();
    ghosts = Arrays.stream(neighbours).filter(n -> n < first || n >= first + vertices).sorted().distinct().toArray();
    ghostsOf = new int[ranks];
    for (long ghost : ghosts) {
      ghostsOf[(int) (ghost / vertices)]++;
    }
    localNeighbours = new int[neighbours.length];
    for (int edge = 0; edge < neighbours.length; edge++) {
      long neighbour = neighbours[edge];
      boolean owned = neighbour >= first && neighbour < first + vertices;
      localNeighbours[edge] = owned ? (int) (neighbour - first) : vertices + Arrays.binarySearch(ghosts, neighbour);
    }
  }

  /** The number of local vertex 0 among all. */
  long first() {
    return (long) rank * vertices;
  }

  int edges() {
    return neighbours.length;
  }

  int degree(int vertex) {
    return starts[vertex + 1] - starts[vertex];
  }

  boolean isOf(int someRank, int ranks) {
    return rank == someRank && ghostsOf.length == ranks;
  }
}
