// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/** What the ranks of a world have told each other: equally many whole numbers each. */
final class Told {
  private final int fields;
  private final long[] all;

  private Told(int fields, long... all) {
    this.fields = fields;
    this.all = all;
  }

  /** Before anybody has told anything. */
  static Told nothing() {
    return new Told(0);
  }

  /** All tell theirs, equally many. Collective. */
  static Told byAll(Comm world, long... mine) {
    long[] all = new long[mine.length * world.size()];
    world.allGather(Buf.of(mine), Buf.of(all));
    return new Told(mine.length, all);
  }

  /** One of the numbers that a rank has told. */
  long of(int rank, int field) {
    return all[fields * rank + field];
  }

  /** The same number of every rank. */
  long[] ofAll(int field) {
    long[] column = new long[all.length / fields];
    for (int rank = 0; rank < column.length; rank++) {
      column[rank] = of(rank, field);
    }
    return column;
  }

  /** Whether a rank has told a number in one of so many fields. */
  boolean has(int rank, int first, int count, long number) {
    for (int field = first; field < first + count; field++) {
      if (of(rank, field) == number) {
        return true;
      }
    }
    return false;
  }
}
