// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.util.Arrays;
import org.kintsugi.examples.sparse.Ranks;

/**
 * What ranks ask of the owners of communities, in three steps of each iteration: {@link #ask} names the communities that were
 * met, {@link #fetch} brings their sizes and degrees, {@link #add} takes the changes of both back. A size and a degree go as a
 * pair of longs, the degree by its bits.
 */
final class Owners {
  private final Ranks ranks;
  private final long first;
  private final int vertices;
  /** How many communities are asked of each rank, and by each. */
  private final int[] askedOf;
  private final int[] askedBy;
  /** The same for the pairs, in longs. */
  private final int[] longsOf;
  private final int[] longsBy;
  private final int[] next;
  /** Where the community with a number stands among all that are asked, which are sorted by their owners. */
  private int[] place = new int[0];
  private int met;
  /** What others ask of this rank; kept for the changes, which come in the same order. */
  private long[] questions = new long[0];
  private int asked;
  /** Of communities that others own, and of owned ones. */
  private long[] theirs = new long[0];
  private long[] own = new long[0];

  Owners(Graph graph, Ranks ranks) {
    this.ranks = ranks;
    first = graph.first();
    vertices = graph.vertices;
    askedOf = new int[ranks.size()];
    askedBy = new int[ranks.size()];
    longsOf = new int[ranks.size()];
    longsBy = new int[ranks.size()];
    next = new int[ranks.size()];
  }

  /** Names the communities to their owners. Collective. */
  void ask(CommunityTable table) {
    met = table.size();
    sortByOwner(table);
    ranks.exchangeCounts(askedOf, askedBy);
    asked = 0;
    for (int each : askedBy) {
      asked = Math.addExact(asked, each);
    }
    questions = atLeast(questions, asked);
    ranks.exchange(theirs, askedOf, questions, askedBy);
    for (int rank = 0; rank < askedOf.length; rank++) {
      longsOf[rank] = 2 * askedOf[rank];
      longsBy[rank] = 2 * askedBy[rank];
    }
    own = atLeast(own, Math.multiplyExact(2, asked));
  }

  private void sortByOwner(CommunityTable table) {
    Arrays.fill(askedOf, 0);
    for (int number = 0; number < met; number++) {
      askedOf[owner(table, number)]++;
    }
    int start = 0;
    for (int rank = 0; rank < askedOf.length; rank++) {
      next[rank] = start;
      start += askedOf[rank];
    }
    if (place.length < met) {
      place = new int[met + met / 4];
    }
    theirs = atLeast(theirs, 2 * met);
    for (int number = 0; number < met; number++) {
      int at = next[owner(table, number)]++;
      place[number] = at;
      theirs[at] = table.community(number);
    }
  }

  private int owner(CommunityTable table, int number) {
    return (int) (table.community(number) / vertices);
  }

  /**
   * Brings sizes and degrees of the communities that were asked for. Collective.
   *
   * @param size by slot: those of owned communities are given, and those that follow are filled in
   * @param degree the same
   */
  void fetch(long[] size, double[] degree) {
    for (int i = 0; i < asked; i++) {
      int slot = ownedSlot(i);
      own[2 * i] = size[slot];
      own[2 * i + 1] = Double.doubleToRawLongBits(degree[slot]);
    }
    ranks.exchange(own, longsBy, theirs, longsOf);
    for (int number = 0; number < met; number++) {
      size[vertices + number] = theirs[2 * place[number]];
      degree[vertices + number] = Double.longBitsToDouble(theirs[2 * place[number] + 1]);
    }
  }

  /**
   * Adds the changes that others have made to owned communities. Collective.
   *
   * @param sizeChange by slot; those of communities of others are sent
   * @param degreeChange the same
   * @param ownedSize by slot; changed
   * @param ownedDegree the same
   */
  void add(long[] sizeChange, double[] degreeChange, long[] ownedSize, double[] ownedDegree) {
    for (int number = 0; number < met; number++) {
      theirs[2 * place[number]] = sizeChange[vertices + number];
      theirs[2 * place[number] + 1] = Double.doubleToRawLongBits(degreeChange[vertices + number]);
    }
    ranks.exchange(theirs, longsOf, own, longsBy);
    for (int i = 0; i < asked; i++) {
      int slot = ownedSlot(i);
      ownedSize[slot] += own[2 * i];
      ownedDegree[slot] += Double.longBitsToDouble(own[2 * i + 1]);
    }
  }

  private int ownedSlot(int question) {
    return (int) (questions[question] - first);
  }

  private static long[] atLeast(long[] array, int length) {
    return array.length >= length ? array : new long[length + length / 4];
  }
}
