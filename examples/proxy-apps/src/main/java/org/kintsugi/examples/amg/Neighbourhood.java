// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.amg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.kintsugi.examples.sparse.GhostLayout;
import org.kintsugi.examples.sparse.Ghosts;
import org.kintsugi.examples.sparse.Ranks;

/** The columns of a rank's rows that others own, and how data of them are had: values for vectors, rows for set-ups. */
final class Neighbourhood {
  final Ranges ranges;
  final GhostLayout layout;
  final Ghosts ghosts;
  private final Ranks ranks;
  private final int[] outside;
  private final int[] outsideOf;
  private final int[] wantedBy;
  /** Own numbers that others want, rank by rank. */
  private final int[] wanted;

  /** Collective. */
  Neighbourhood(Rows rows, Ranges ranges, Ranks ranks) {
    this.ranges = ranges;
    this.ranks = ranks;
    outside = IntStream.range(0, rows.entries()).map(rows::column).filter(column -> !ranges.owns(column)).sorted().distinct()
        .toArray();
    outsideOf = new int[ranks.size()];
    for (int column : outside) {
      outsideOf[ranges.owner(column)]++;
    }
    wantedBy = new int[ranks.size()];
    long[] numbers = ranks.exchange(Arrays.stream(outside).asLongStream().toArray(), outsideOf, wantedBy);
    wanted = Arrays.stream(numbers).mapToInt(number -> (int) number - ranges.first()).toArray();
    layout = layout();
    ghosts = ranks.ghosts(layout);
  }

  private GhostLayout layout() {
    List<int[]> sends = new ArrayList<>();
    int[] neighbours = IntStream.range(0, outsideOf.length).filter(rank -> outsideOf[rank] + wantedBy[rank] > 0).toArray();
    for (int rank = 0, at = 0; rank < wantedBy.length; at += wantedBy[rank++]) {
      if (outsideOf[rank] + wantedBy[rank] > 0) {
        sends.add(Arrays.copyOfRange(wanted, at, at + wantedBy[rank]));
      }
    }
    int[] ghostCounts = Arrays.stream(neighbours).map(rank -> outsideOf[rank]).toArray();
    return new GhostLayout(ranges.count(), neighbours, sends.toArray(new int[0][]), ghostCounts);
  }

  /** The local number of a column: owned ones first, then those of others, ascending. */
  int local(int column) {
    return ranges.owns(column) ? column - ranges.first() : ranges.count() + Arrays.binarySearch(outside, column);
  }

  /** The number of a column that is local here: the inverse of {@link #local}. */
  int number(int local) {
    return local < ranges.count() ? ranges.first() + local : outside[local - ranges.count()];
  }

  /** A vector with room for ghosts. */
  double[] vector() {
    return new double[layout.lengthWithGhosts()];
  }

  /** The values that a rank sends for a row. */
  @FunctionalInterface
  interface Telling {
    /** Appends numbers. */
    void tell(int row, LongList to);
  }

  /** Fetches what the owners tell of the rows outside. Collective. @return one list for each, ascending */
  long[][] fetch(Telling telling) {
    LongList lengths = new LongList();
    LongList data = new LongList();
    int[] sent = new int[ranks.size()];
    for (int rank = 0, at = 0; rank < wantedBy.length; rank++) {
      int before = data.size();
      for (int end = at + wantedBy[rank]; at < end; at++) {
        int start = data.size();
        telling.tell(wanted[at], data);
        lengths.add(data.size() - start);
      }
      sent[rank] = data.size() - before;
    }
    long[] rowLengths = new long[outside.length];
    ranks.exchange(lengths.array(), wantedBy, rowLengths, outsideOf);
    long[] all = ranks.exchange(data.array(), sent, new int[ranks.size()]);
    long[][] rows = new long[outside.length][];
    int at = 0;
    for (int i = 0; i < rows.length; i++) {
      rows[i] = Arrays.copyOfRange(all, at, at + (int) rowLengths[i]);
      at += (int) rowLengths[i];
    }
    return rows;
  }
}
