// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/** Whole numbers that all ranks of a world have gathered: equally many from each. */
public final class GatheredNumbers {
  private final int fields;
  private final long[] all;

  private GatheredNumbers(int fields, long... all) {
    this.fields = fields;
    this.all = all;
  }

  /** Before anybody has told anything. */
  public static GatheredNumbers nothing() {
    return new GatheredNumbers(0);
  }

  /** All tell theirs, equally many. Collective. */
  public static GatheredNumbers byAll(Comm world, long... mine) {
    long[] all = new long[mine.length * world.size()];
    world.allGather(Buf.wrap(mine), Buf.wrap(all));
    return new GatheredNumbers(mine.length, all);
  }

  /** One of the numbers that a rank has told. */
  public long of(int rank, int field) {
    return all[fields * rank + field];
  }

  /** The same number of every rank. */
  public long[] ofAll(int field) {
    long[] column = new long[all.length / fields];
    for (int rank = 0; rank < column.length; rank++) {
      column[rank] = of(rank, field);
    }
    return column;
  }

  /** The version that a rank has told, which begins at that field. */
  public Version version(int rank, int field) {
    return Version.of(all, fields * rank + field);
  }

  /** Whether a rank has told a version, as one of so many, of which the first begins at that field. */
  public boolean has(int rank, int first, int count, Version version) {
    for (int i = 0; i < count; i++) {
      if (version(rank, first + Version.WORDS * i).equals(version)) {
        return true;
      }
    }
    return false;
  }

  /** Writes a version into the numbers that are about to be gathered, from that field on. */
  public static void put(long[] mine, int field, Version version) {
    System.arraycopy(version.words(), 0, mine, field, Version.WORDS);
  }
}
