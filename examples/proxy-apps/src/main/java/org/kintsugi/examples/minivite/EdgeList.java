// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Arrays;
import org.kintsugi.examples.sparse.CompressedRows;

/** Directed edges from a rank's vertices, as they are found; it grows. */
final class EdgeList {
  private int[] vertices = new int[64];
  private long[] neighbours = new long[64];
  private double[] weights = new double[64];
  private int size;

  void add(int vertex, long neighbour, double weight) {
    if (size == vertices.length) {
      // By no more than a half: the list is still there when the graph is made of it, which is when a rank needs most memory.
      int length = CompressedRows.longer(size);
      vertices = Arrays.copyOf(vertices, length);
      neighbours = Arrays.copyOf(neighbours, length);
      weights = Arrays.copyOf(weights, length);
    }
    vertices[size] = vertex;
    neighbours[size] = neighbour;
    weights[size++] = weight;
  }

  int size() {
    return size;
  }

  int vertex(int edge) {
    return vertices[edge];
  }

  long neighbour(int edge) {
    return neighbours[edge];
  }

  double weight(int edge) {
    return weights[edge];
  }

  /**
   * Where each vertex's edges begin if they are sorted by vertex; the last entry is their number.
   */
  int[] starts(int vertexCount) {
    int[] starts = new int[vertexCount + 1];
    for (int edge = 0; edge < size; edge++) {
      starts[vertices[edge] + 1]++;
    }
    for (int vertex = 0; vertex < vertexCount; vertex++) {
      starts[vertex + 1] += starts[vertex];
    }
    return starts;
  }

  /** As a graph, each vertex's edges by ascending neighbour. Equal ones keep the order in which they came. */
  Graph toGraph(int vertexCount, int rank, int ranks) {
    int[] starts = starts(vertexCount);
    int[] next = Arrays.copyOf(starts, vertexCount);
    long[] sorted = new long[size];
    double[] sortedWeights = new double[size];
    for (int edge = 0; edge < size; edge++) {
      int vertex = vertices[edge];
      int at = next[vertex]++;
      for (; at > starts[vertex] && sorted[at - 1] > neighbours[edge]; at--) {
        sorted[at] = sorted[at - 1];
        sortedWeights[at] = sortedWeights[at - 1];
      }
      sorted[at] = neighbours[edge];
      sortedWeights[at] = weights[edge];
    }
    return new Graph(rank, ranks, starts, sorted, sortedWeights);
  }
}
