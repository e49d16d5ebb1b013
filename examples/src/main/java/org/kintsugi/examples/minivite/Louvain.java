// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Arrays;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.sparse.Ranks;

/**
 * The method's state and its iterations: each vertex goes to the neighbouring community that makes modularity greatest, all
 * at the same time. {@link #begin} or a restored version first, then {@link #iterate} until {@link #isDone}.
 *
 * <p>A community has the number of a vertex; who owns that vertex keeps the community's size and degree. Inside of an
 * iteration communities have slots: owned ones first, by their vertex, then those of other ranks that are met.
 */
final class Louvain {
  private final Graph graph;
  private final Ranks ranks;
  private final double threshold;
  private final int vertices;
  private final double[] vertexDegree;
  private final double inverse;

  /** The community of each owned vertex. */
  private final long[] community;
  /** The number of vertices of each owned community. */
  private final long[] ownedSize;
  /** The sum of the degrees of each owned community's vertices. */
  private final double[] ownedDegree;
  private final History history = new History();
  private double modularity;
  private long done;

  private final long[] target;
  private final CommunityTable table = new CommunityTable();
  /** Owned vertices whose community others ask for, rank by rank. */
  private final int[] wanted;
  private final int[] wantedBy;
  /** The slot of the community of each vertex, ghosts included. */
  private final int[] slotOf;
  private final long[] ghostCommunity;
  /** By slot. */
  private long[] slotCommunity = new long[0];
  private long[] size = new long[0];
  private double[] degree = new double[0];
  private long[] sizeChange = new long[0];
  private double[] degreeChange = new double[0];
  private double[] linked = new double[0];
  private final int[] touched;
  /** Of the communities of other ranks, in the order of their owners: how many, and where each stands. */
  private final int[] askedOf;
  private final int[] askedBy;
  private final int[] pairsSent;
  private final int[] pairsReceived;
  private int[] place = new int[0];
  private int asked;
  private long[] out = new long[64];
  private long[] in = new long[64];
  private long[] answers = new long[64];
  private final double[] two = new double[2];

  /** Collective: ranks learn which vertices others refer to. */
  Louvain(Graph graph, Ranks ranks, double threshold) {
    this.graph = graph;
    this.ranks = ranks;
    this.threshold = threshold;
    vertices = graph.vertices;
    community = new long[vertices];
    ownedSize = new long[vertices];
    ownedDegree = new double[vertices];
    target = new long[vertices];
    vertexDegree = new double[vertices];
    slotOf = new int[vertices + graph.ghosts.length];
    ghostCommunity = new long[graph.ghosts.length];
    askedOf = new int[ranks.size()];
    askedBy = new int[ranks.size()];
    pairsSent = new int[ranks.size()];
    pairsReceived = new int[ranks.size()];
    wantedBy = new int[ranks.size()];
    int most = 0;
    two[0] = 0;
    for (int vertex = 0; vertex < vertices; vertex++) {
      double sum = 0;
      for (int edge = graph.starts[vertex]; edge < graph.starts[vertex + 1]; edge++) {
        sum += graph.weights[edge];
      }
      vertexDegree[vertex] = sum;
      two[0] += sum;
      most = Math.max(most, graph.degree(vertex));
    }
    touched = new int[most];
    ranks.sum(two);
    inverse = 1.0 / two[0];
    wanted = askForGhosts();
  }

  private int[] askForGhosts() {
    ranks.exchangeCounts(graph.ghostsOf, wantedBy);
    long[] vertexNumbers = new long[sum(wantedBy)];
    ranks.exchange(graph.ghosts, graph.ghostsOf, vertexNumbers, wantedBy);
    return Arrays.stream(vertexNumbers).mapToInt(number -> (int) (number - graph.first())).toArray();
  }

  /**
   * Protects all that an iteration needs of the one before, and what is reported of those made; the iteration is the version's
   * number. The graph, degrees of vertices and lists of requests are made anew.
   */
  void protect(Checkpoint checkpoint) {
    checkpoint.protect("community", community);
    checkpoint.protect("size", ownedSize);
    checkpoint.protect("degree", ownedDegree);
    checkpoint.protect("modularity", () -> modularity, value -> modularity = value);
    checkpoint.protect("done", () -> done, value -> done = value);
    history.protect(checkpoint);
  }

  /** Every vertex is a community. */
  void begin() {
    for (int vertex = 0; vertex < vertices; vertex++) {
      community[vertex] = graph.first() + vertex;
      ownedSize[vertex] = 1;
      ownedDegree[vertex] = vertexDegree[vertex];
    }
    modularity = -1;
    done = 0;
    history.clear();
  }

  /** Makes an iteration. Collective. */
  void iterate() {
    giveCommunities();
    giveSlots();
    askForCommunities();
    double inner = chooseTargets();
    applyMoves();
    two[0] = inner;
    two[1] = 0;
    for (double each : ownedDegree) {
      two[1] += each * each;
    }
    ranks.sum(two);
    double next = Math.abs(two[0] * inverse - two[1] * inverse * inverse);
    history.add(next, community, target, ownedSize);
    if (!(next - modularity >= threshold)) { // also where there are no edges, and so no modularity
      done = 1;
    } else {
      modularity = next;
      System.arraycopy(target, 0, community, 0, vertices);
    }
  }

  /** Ghosts get the communities of their vertices. */
  private void giveCommunities() {
    out = atLeast(out, wanted.length);
    for (int i = 0; i < wanted.length; i++) {
      out[i] = community[wanted[i]];
    }
    ranks.exchange(out, wantedBy, ghostCommunity, graph.ghostsOf);
  }

  private void giveSlots() {
    table.clear();
    for (int vertex = 0; vertex < slotOf.length; vertex++) {
      long one = vertex < vertices ? community[vertex] : ghostCommunity[vertex - vertices];
      long local = one - graph.first();
      slotOf[vertex] = local >= 0 && local < vertices ? (int) local : vertices + table.numberOf(one);
    }
    int slots = vertices + table.size();
    if (size.length < slots) {
      int length = slots + table.size() / 4 + 16;
      slotCommunity = new long[length];
      size = new long[length];
      degree = new double[length];
      sizeChange = new long[length];
      degreeChange = new double[length];
      linked = new double[length];
    }
    for (int slot = 0; slot < slots; slot++) {
      slotCommunity[slot] = slot < vertices ? graph.first() + slot : table.community(slot - vertices);
    }
    Arrays.fill(sizeChange, 0, slots, 0);
    Arrays.fill(degreeChange, 0, slots, 0);
    System.arraycopy(ownedSize, 0, size, 0, vertices);
    System.arraycopy(ownedDegree, 0, degree, 0, vertices);
  }

  /** Learns size and degree of the communities that other ranks own. */
  private void askForCommunities() {
    sortByOwner();
    ranks.exchangeCounts(askedOf, askedBy);
    asked = sum(askedBy);
    in = atLeast(in, asked);
    ranks.exchange(out, askedOf, in, askedBy);
    // The questions to this rank stay in "in" until the moves are known: those come in the same order.
    out = atLeast(out, 2 * asked);
    for (int i = 0; i < asked; i++) {
      int local = (int) (in[i] - graph.first());
      out[2 * i] = ownedSize[local];
      out[2 * i + 1] = Double.doubleToRawLongBits(ownedDegree[local]);
    }
    for (int rank = 0; rank < askedOf.length; rank++) {
      pairsSent[rank] = 2 * askedBy[rank];
      pairsReceived[rank] = 2 * askedOf[rank];
    }
    answers = atLeast(answers, 2 * table.size());
    ranks.exchange(out, pairsSent, answers, pairsReceived);
    for (int number = 0; number < table.size(); number++) {
      size[vertices + number] = answers[2 * place[number]];
      degree[vertices + number] = Double.longBitsToDouble(answers[2 * place[number] + 1]);
    }
  }

  /** Fills {@code out} with the communities that others own, rank by rank, and {@code place} with where each stands. */
  private void sortByOwner() {
    Arrays.fill(askedOf, 0);
    for (int number = 0; number < table.size(); number++) {
      askedOf[(int) (table.community(number) / vertices)]++;
    }
    int[] next = pairsSent;
    int start = 0;
    for (int rank = 0; rank < askedOf.length; rank++) {
      next[rank] = start;
      start += askedOf[rank];
    }
    if (place.length < table.size()) {
      place = new int[table.size() + table.size() / 4];
    }
    out = atLeast(out, table.size());
    for (int number = 0; number < table.size(); number++) {
      int at = next[(int) (table.community(number) / vertices)]++;
      place[number] = at;
      out[at] = table.community(number);
    }
  }

  /** Decides where vertices go, and returns the weight that they have inside of their communities before. */
  private double chooseTargets() {
    double inner = 0;
    for (int vertex = 0; vertex < vertices; vertex++) {
      int from = slotOf[vertex];
      if (graph.degree(vertex) == 0) {
        target[vertex] = community[vertex];
        continue;
      }
      int count = linkToCommunities(vertex, from);
      inner += linked[from];
      int to = best(vertex, from, count);
      target[vertex] = slotCommunity[to];
      if (to != from) {
        double k = vertexDegree[vertex];
        sizeChange[to]++;
        degreeChange[to] += k;
        sizeChange[from]--;
        degreeChange[from] -= k;
      }
      for (int i = 0; i < count; i++) {
        linked[touched[i]] = 0;
      }
      linked[from] = 0;
    }
    return inner;
  }

  /** Sums the weights of edges by community into {@code linked}; returns how many others than the own were {@code touched}. */
  private int linkToCommunities(int vertex, int from) {
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
    double k = vertexDegree[vertex];
    double own = linked[from];
    double without = degree[from] - k;
    int best = from;
    double bestGain = 0;
    for (int i = 0; i < count; i++) {
      int slot = touched[i];
      double gain = 2.0 * (linked[slot] - own) - 2.0 * k * (degree[slot] - without) * inverse;
      boolean tie = gain == bestGain && gain != 0 && slotCommunity[slot] < slotCommunity[best];
      if (gain > bestGain || tie) {
        best = slot;
        bestGain = gain;
      }
    }
    // Of two single vertices only one moves to the other.
    boolean swaps = size[best] == 1 && size[from] == 1 && slotCommunity[best] > slotCommunity[from];
    return swaps ? from : best;
  }

  private void applyMoves() {
    for (int slot = 0; slot < vertices; slot++) {
      ownedSize[slot] += sizeChange[slot];
      ownedDegree[slot] += degreeChange[slot];
    }
    for (int number = 0; number < table.size(); number++) {
      answers[2 * place[number]] = sizeChange[vertices + number];
      answers[2 * place[number] + 1] = Double.doubleToRawLongBits(degreeChange[vertices + number]);
    }
    out = atLeast(out, 2 * asked);
    ranks.exchange(answers, pairsReceived, out, pairsSent);
    for (int i = 0; i < asked; i++) {
      int local = (int) (in[i] - graph.first());
      ownedSize[local] += out[2 * i];
      ownedDegree[local] += Double.longBitsToDouble(out[2 * i + 1]);
    }
  }

  private static long[] atLeast(long[] array, int length) {
    return array.length >= length ? array : new long[length + length / 4];
  }

  private static int sum(int[] counts) {
    int sum = 0;
    for (int each : counts) {
      sum += each;
    }
    return sum;
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
