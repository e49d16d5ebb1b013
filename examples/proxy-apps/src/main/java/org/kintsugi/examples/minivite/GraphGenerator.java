// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import org.kintsugi.examples.sparse.Ranks;

/**
 * Makes a random geometric graph: points that are near each other are linked, and some random pairs beside them.
 *
 * <p>A rank computes the points of the ranks above and below itself, so that only the random edges need messages. It looks for
 * near points in square cells that are a radius wide.
 */
final class GraphGenerator {
  /** As the original has it, with so few digits. */
  private static final double PI = 3.14159;
  /** Of a random edge whose length is not known; the most is 1. */
  private static final double LEAST_WEIGHT = 0.01;
  /** The most random edges that a rank can try, as its edges and the messages about them have to fit into arrays. */
  static final int MOST_TRIES = 1 << 28;

  private final long all;
  private final int percent;
  private final boolean unitWeights;
  private final Ranks ranks;
  private final int count;
  private final double radius;
  /** The strips of the rank below, this one and the one above; null where there is none. */
  private final Points[] strips = new Points[3];
  private final EdgeList edges = new EdgeList();
  private int geometricEdges;
  private int tried;
  private int inserted;

  /** A generator for {@code all} vertices of all ranks, with a share of random edges in percent. */
  GraphGenerator(long all, int percent, boolean unitWeights, Ranks ranks) {
    this.all = all;
    this.percent = percent;
    this.unitWeights = unitWeights;
    this.ranks = ranks;
    count = (int) (all / ranks.size());
    radius = radius(all);
  }

  static double radius(long all) {
    double connected = Math.sqrt(Math.log(all) / (PI * all));
    double giant = Math.sqrt(2.0736 / all);
    return (connected + giant) / 2;
  }

  /**
   * More than as many pairs as will be near each other: those of points that are spread evenly over a plane, and a tenth, as the
   * generator spreads them only nearly so.
   */
  static double mostNearPairs(long all) {
    return 1.1 * (0.5 * all * (all - 1.0) * Math.PI * radius(all) * radius(all)) + 10;
  }

  /** Collective. */
  Generated generate() {
    long start = System.nanoTime();
    for (int i = 0; i < strips.length; i++) {
      int rank = ranks.rank() + i - 1;
      if (rank >= 0 && rank < ranks.size()) {
        strips[i] = new Points(count, rank, ranks.size());
      }
    }
    linkNearPoints();
    geometricEdges = edges.size();
    if (percent > 0) {
      addRandomEdges();
    }
    Graph graph = edges.toGraph(count, ranks.rank(), ranks.size());
    return new Generated(graph, strips[1], geometricEdges, percent > 0, tried, inserted, (System.nanoTime() - start) / 1e9);
  }

  private void linkNearPoints() {
    Cells cells = new Cells(radius, 1.0 / ranks.size(), ranks.rank());
    for (Points strip : strips) {
      cells.add(strip);
    }
    for (int i = 0; i < count; i++) {
      int own = i;
      cells.forEachNear(strips[1].x[i], strips[1].y[i], (strip, j) -> {
        // Points with the same local number on neighbouring ranks are never linked.
        if (own != j && distance(own, strip, j) <= radius) {
          edges.add(own, (ranks.rank() + strip - 1L) * count + j, weight(own, strip, j));
        }
      });
    }
  }

  private double distance(int own, int strip, int other) {
    double dx = strips[1].x[own] - strips[strip].x[other];
    double dy = strips[1].y[own] - strips[strip].y[other];
    return Math.sqrt(dx * dx + dy * dy);
  }

  private double weight(int own, int strip, int other) {
    return unitWeights ? 1.0 : distance(own, strip, other);
  }

  /** Each rank tries its share of pairs; what it takes goes to the owner of the other end, who takes it as it is. */
  private void addRandomEdges() {
    long wanted = (long) (percent * ranks.sum(geometricEdges / 2) / 100);
    long tries = wanted / ranks.size();
    if (ranks.rank() == ranks.size() - 1) {
      tries += wanted % ranks.size();
    }
    if (tries > MOST_TRIES) {
      throw new IllegalArgumentException(percent + " percent of random edges: " + tries + " for a rank to try, and " + MOST_TRIES
          + " is the most; a lower percentage would do");
    }
    tried = (int) tries;
    EdgeTable known = new EdgeTable(edges, count, all);
    MinimalStandard random = new MinimalStandard(ranks.rank());
    EdgeList mirrors = new EdgeList();
    int[] mirrorsTo = new int[ranks.size()];
    for (int i = 0; i < tried; i++) {
      int own = (int) random.below(count);
      long neighbour = random.below(all);
      int owner = (int) (neighbour / count);
      int other = (int) (neighbour % count);
      if (own == other || !known.add(own, neighbour)) {
        continue;
      }
      double weight = randomWeight(own, neighbour, owner, other);
      edges.add(own, neighbour, weight);
      mirrors.add(own, neighbour, weight);
      mirrorsTo[owner]++;
      inserted++;
    }
    exchange(mirrors, mirrorsTo);
  }

  private double randomWeight(int own, long neighbour, int owner, int other) {
    int strip = owner - ranks.rank() + 1;
    if (unitWeights) {
      return 1.0;
    }
    if (strip >= 0 && strip < strips.length) {
      return distance(own, strip, other);
    }
    // The other end's place is on a rank whose points this one does not have.
    long pair = ((long) ranks.rank() * count + own) * all + neighbour;
    return new MinimalStandard(pair & 0xFFFF_FFFFL).between(LEAST_WEIGHT, 1.0);
  }

  private void exchange(EdgeList mirrors, int[] mirrorsTo) {
    int[] sentCounts = new int[ranks.size()];
    int[] receivedCounts = new int[ranks.size()];
    int[] next = new int[ranks.size()];
    for (int rank = 0; rank < ranks.size(); rank++) {
      sentCounts[rank] = 3 * mirrorsTo[rank];
      next[rank] = rank == 0 ? 0 : next[rank - 1] + sentCounts[rank - 1];
    }
    long[] sent = new long[3 * mirrors.size()];
    for (int edge = 0; edge < mirrors.size(); edge++) {
      int owner = (int) (mirrors.neighbour(edge) / count);
      sent[next[owner]] = mirrors.neighbour(edge) % count;
      sent[next[owner] + 1] = (long) ranks.rank() * count + mirrors.vertex(edge);
      sent[next[owner] + 2] = Double.doubleToRawLongBits(mirrors.weight(edge));
      next[owner] += 3;
    }
    long[] received = ranks.exchange(sent, sentCounts, receivedCounts);
    for (int i = 0; i < received.length; i += 3) {
      edges.add((int) received[i], received[i + 1], Double.longBitsToDouble(received[i + 2]));
    }
  }
}
