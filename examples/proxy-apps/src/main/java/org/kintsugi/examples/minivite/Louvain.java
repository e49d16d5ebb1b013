// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.sparse.Ranks;

/**
 * The method's state and its iterations: each vertex goes to the neighbouring community that makes modularity greatest, all
 * at the same time. {@link #begin} or a restored version first, then {@link #iterate} until {@link #isDone}.
 */
final class Louvain {
  private final Graph graph;
  private final Ranks ranks;
  private final double threshold;
  private final double[] vertexDegree;
  private final double inverse;
  private final GhostCommunities ghosts;
  private final Communities communities;

  /** The community of each owned vertex, and the one to which it goes in this iteration. */
  private final long[] community;
  private final long[] target;
  private final History history = new History();
  private double modularity;
  private long done;

  /** Of the vertex at hand: by slot the weight of its edges to that community, and the slots that are not 0. */
  private double[] linked = new double[0];
  private final int[] touched;
  private final double[] two = new double[2];

  /** Collective: ranks learn which vertices others refer to. */
  Louvain(Graph graph, Ranks ranks, double threshold) {
    this.graph = graph;
    this.ranks = ranks;
    this.threshold = threshold;
    community = new long[graph.vertices];
    target = new long[graph.vertices];
    vertexDegree = new double[graph.vertices];
    int most = 0;
    double own = 0;
    for (int vertex = 0; vertex < graph.vertices; vertex++) {
      double sum = 0;
      for (int edge = graph.starts[vertex]; edge < graph.starts[vertex + 1]; edge++) {
        sum += graph.weights[edge];
      }
      vertexDegree[vertex] = sum;
      own += sum;
      most = Math.max(most, graph.degree(vertex));
    }
    touched = new int[most];
    inverse = 1.0 / ranks.sum(own);
    ghosts = new GhostCommunities(graph, ranks);
    communities = new Communities(graph, ranks);
  }

  /**
   * Protects all that an iteration needs of the one before, and what is reported of those made; the iteration is the version's
   * number. The graph, degrees of vertices and lists of requests are made anew.
   */
  void protect(Checkpoint checkpoint) {
    checkpoint.protect("community", community);
    communities.protect(checkpoint);
    checkpoint.protect("modularity", () -> modularity, value -> modularity = value);
    checkpoint.protect("done", () -> done, value -> done = value);
    history.protect(checkpoint);
  }

  /** Every vertex is a community. */
  void begin() {
    for (int vertex = 0; vertex < graph.vertices; vertex++) {
      community[vertex] = graph.first() + vertex;
    }
    communities.begin(vertexDegree);
    modularity = -1;
    done = 0;
    history.clear();
  }

  /** Makes an iteration. Collective. */
  void iterate() {
    communities.meet(community, ghosts.update(community));
    two[0] = chooseTargets();
    communities.settle();
    two[1] = communities.sumOfSquaredDegrees();
    ranks.sum(two);
    double next = Math.abs(two[0] * inverse - two[1] * inverse * inverse);
    history.add(next, community, target, communities.ownedSize());
    if (!(next - modularity >= threshold)) { // also where there are no edges, and so no modularity
      done = 1;
    } else {
      modularity = next;
      System.arraycopy(target, 0, community, 0, community.length);
    }
  }

  /** Decides where vertices go, and returns the weight that they have inside of their communities before. */
  private double chooseTargets() {
    if (linked.length < communities.size().length) {
      linked = new double[communities.size().length];
    }
    int[] slotOf = communities.slotOf();
    double inner = 0;
    for (int vertex = 0; vertex < graph.vertices; vertex++) {
      int from = slotOf[vertex];
      if (graph.degree(vertex) == 0) {
        target[vertex] = community[vertex];
        continue;
      }
      int count = linkToCommunities(vertex, slotOf);
      inner += linked[from];
      int to = best(vertex, from, count);
      target[vertex] = communities.number()[to];
      if (to != from) {
        communities.move(vertexDegree[vertex], from, to);
      }
      for (int i = 0; i < count; i++) {
        linked[touched[i]] = 0;
      }
      linked[from] = 0;
    }
    return inner;
  }

  /** Sums the weights of edges by community into {@code linked}; returns how many others than the own were {@code touched}. */
  private int linkToCommunities(int vertex, int[] slotOf) {
    int from = slotOf[vertex];
    int count = 0;
    int[] localNeighbours = graph.localNeighbours;
    double[] weights = graph.weights;
    int end = graph.starts[vertex + 1];
    for (int edge = graph.starts[vertex]; edge < end; edge++) {
      int neighbour = localNeighbours[edge];
      int slot = slotOf[neighbour];
      if (neighbour == vertex) {
        // A loop stays inside wherever the vertex goes.
        continue;
      }
      if (slot != from && linked[slot] == 0) {
        touched[count++] = slot;
      }
      linked[slot] += weights[edge];
    }
    return count;
  }

  /** The greatest gain decides, then the smallest community; without a gain the vertex stays. */
  private int best(int vertex, int from, int count) {
    long[] number = communities.number();
    long[] size = communities.size();
    double[] degree = communities.degree();
    double k = vertexDegree[vertex];
    double own = linked[from];
    double without = degree[from] - k;
    int best = from;
    double bestGain = 0;
    for (int i = 0; i < count; i++) {
      int slot = touched[i];
      double gain = 2.0 * (linked[slot] - own) - 2.0 * k * (degree[slot] - without) * inverse;
      boolean tie = gain == bestGain && gain != 0 && number[slot] < number[best];
      if (gain > bestGain || tie) {
        best = slot;
        bestGain = gain;
      }
    }
    // Of two single vertices only one moves to the other.
    boolean swaps = size[best] == 1 && size[from] == 1 && number[best] > number[from];
    return swaps ? from : best;
  }

  /** Whether the last iteration has gained too little. */
  boolean isDone() {
    return done != 0;
  }

  /** The modularity before the last iteration. */
  double modularity() {
    return modularity;
  }

  /** 1 / (sum of all degrees). */
  double inverse() {
    return inverse;
  }

  /** The community of each owned vertex. */
  long[] communities() {
    return community;
  }

  History history() {
    return history;
  }
}
