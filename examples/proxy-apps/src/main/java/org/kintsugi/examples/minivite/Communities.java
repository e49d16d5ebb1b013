// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Arrays;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.examples.sparse.Ranks;

/**
 * The sizes and degrees of communities: a community has the number of a vertex, and who owns that vertex keeps the number of
 * the community's vertices and the sum of their degrees.
 *
 * <p>Within an iteration the communities that this rank meets have slots: owned ones first, by their vertex, then those of
 * other ranks, in the order in which they are met. {@link #meet} gives the slots, {@link #move} notes that a vertex goes from
 * one to another, and {@link #settle} lets the owners know.
 */
final class Communities {
  private final long first;
  private final int vertices;
  private final Owners owners;
  private final long[] ownedSize;
  private final double[] ownedDegree;
  private final CommunityTable foreign = new CommunityTable();
  /** By vertex; ghosts follow the owned ones. */
  private final int[] slotOf;
  /** By slot. The arrays are longer than there are slots. */
  private long[] number = new long[0];
  private long[] size = new long[0];
  private double[] degree = new double[0];
  private long[] sizeChange = new long[0];
  private double[] degreeChange = new double[0];

  Communities(Graph graph, Ranks ranks) {
    first = graph.first();
    vertices = graph.vertices;
    owners = new Owners(graph, ranks);
    ownedSize = new long[vertices];
    ownedDegree = new double[vertices];
    slotOf = new int[vertices + graph.ghosts.length];
  }

  void protect(Checkpoint checkpoint) {
    checkpoint.protect("size", ownedSize);
    checkpoint.protect("degree", ownedDegree);
  }

  /** Every vertex is a community, of its own degree. */
  void begin(double[] vertexDegree) {
    Arrays.fill(ownedSize, 1);
    System.arraycopy(vertexDegree, 0, ownedDegree, 0, vertices);
  }

  /** Gives slots to the communities of vertices and of ghosts, and learns sizes and degrees. Collective. */
  void meet(long[] owned, long[] ghosts) {
    foreign.clear();
    for (int vertex = 0; vertex < vertices; vertex++) {
      slotOf[vertex] = slot(owned[vertex]);
    }
    for (int ghost = 0; ghost < ghosts.length; ghost++) {
      slotOf[vertices + ghost] = slot(ghosts[ghost]);
    }
    int slots = vertices + foreign.size();
    makeRoom(slots);
    for (int slot = 0; slot < slots; slot++) {
      number[slot] = slot < vertices ? first + slot : foreign.community(slot - vertices);
    }
    Arrays.fill(sizeChange, 0, slots, 0);
    Arrays.fill(degreeChange, 0, slots, 0);
    System.arraycopy(ownedSize, 0, size, 0, vertices);
    System.arraycopy(ownedDegree, 0, degree, 0, vertices);
    owners.ask(foreign);
    owners.fetch(size, degree);
  }

  private int slot(long community) {
    long local = community - first;
    return local >= 0 && local < vertices ? (int) local : vertices + foreign.numberOf(community);
  }

  private void makeRoom(int slots) {
    if (size.length < slots) {
      int length = slots + foreign.size() / 4 + 16;
      number = new long[length];
      size = new long[length];
      degree = new double[length];
      sizeChange = new long[length];
      degreeChange = new double[length];
    }
  }

  /** Notes that a vertex leaves a slot's community for another's. Sizes and degrees stay until {@link #settle}. */
  void move(double vertexDegree, int from, int to) {
    sizeChange[to]++;
    degreeChange[to] += vertexDegree;
    sizeChange[from]--;
    degreeChange[from] -= vertexDegree;
  }

  /** Brings all moves to the owners. Collective. */
  void settle() {
    for (int slot = 0; slot < vertices; slot++) {
      ownedSize[slot] += sizeChange[slot];
      ownedDegree[slot] += degreeChange[slot];
    }
    owners.add(sizeChange, degreeChange, ownedSize, ownedDegree);
  }

  /**
   * The slot of the community of each vertex, filled anew by {@link #meet}. Ghosts follow the owned
   * vertices.
   */
  int[] slotOf() {
    return slotOf;
  }

  /**
   * The number of the community in each slot. The array may be longer; {@link #meet} replaces it if
   * it is too short.
   */
  long[] number() {
    return number;
  }

  /** The size of the community in each slot; as {@link #number}. */
  long[] size() {
    return size;
  }

  /** The degree of the community in each slot; as {@link #number}. */
  double[] degree() {
    return degree;
  }

  /** The sizes of the owned communities. */
  long[] ownedSize() {
    return ownedSize;
  }

  /** The sum of the squares of the owned communities' degrees. */
  double sumOfSquaredDegrees() {
    double sum = 0;
    for (double each : ownedDegree) {
      sum += each * each;
    }
    return sum;
  }
}
