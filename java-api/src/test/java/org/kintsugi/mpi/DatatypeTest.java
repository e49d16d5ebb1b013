// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Layouts and signatures, reckoned in Java; that MPI lays out the same is {@code DatatypesTest}'s, with ranks. */
class DatatypeTest {
  private static void expect(Datatype type, long extent, long size, long spanOfTwo) {
    assertThat(type.extent()).as("extent of %s", type).isEqualTo(extent);
    assertThat(type.size()).as("size of %s", type).isEqualTo(size);
    assertThat(type.span(2)).as("span of %s", type).isEqualTo(spanOfTwo);
  }

  @Test
  void layouts() {
    expect(Datatype.DOUBLE_INT, 16, 12, 28);
    expect(Datatype.contiguous(3, Datatype.DOUBLE_INT), 48, 36, 92);
    expect(Datatype.vector(4, 1, 3, Datatype.DOUBLE), 80, 32, 160);
    expect(Datatype.vector(4, 1, 3, Datatype.DOUBLE).resized(0, 8), 8, 32, 88);
    expect(Datatype.indexed(new int[] {2, 1}, new int[] {0, 4}, Datatype.INT), 20, 12, 40);
    // As a C struct, the extent is rounded up to the strictest alignment, unless it was set.
    Datatype pair = Datatype.struct(new int[] {1, 1}, new long[] {0, 8}, new Datatype[] {Datatype.LONG, Datatype.BYTE});
    expect(pair, 16, 9, 25);
    expect(pair.resized(0, 9), 9, 9, 18);
    expect(Datatype.contiguous(2, pair.resized(0, 9)), 18, 18, 36);
    expect(Datatype.contiguous(0, Datatype.LONG), 0, 0, 0);
  }

  @Test
  void whatReachesBeforeTheBufferIsRefused() {
    Datatype backwards = Datatype.vector(2, 1, -2, Datatype.INT);
    assertThatThrownBy(() -> backwards.span(1)).hasMessageContaining("reaches before");
    assertThat(backwards.span(0)).isZero();
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> Datatype.contiguous(-1, Datatype.INT)).hasMessageContaining("count -1");
    assertThatThrownBy(() -> Datatype.vector(1, -2, 1, Datatype.INT)).hasMessageContaining("blockLength -2");
    assertThatThrownBy(() -> Datatype.indexed(new int[] {1, -3}, new int[2], Datatype.INT))
        .hasMessageContaining("blockLengths[1] -3");
    assertThatThrownBy(() -> Datatype.struct(new int[1], new long[2], new Datatype[1])).hasMessageContaining("1 and 2");
    assertThatThrownBy(() -> Datatype.struct(new int[1], new long[1], new Datatype[1])).hasMessageContaining("types[0]");
  }

  @Test
  void signaturesAreOfBasicElementsInTheirOrder() {
    Datatype column = Datatype.vector(4, 1, 3, Datatype.DOUBLE);
    assertThat(Datatype.DOUBLE.countFor(2, column)).isEqualTo(8);
    assertThat(column.countFor(8, Datatype.DOUBLE)).isEqualTo(2);
    assertThat(column.countFor(6, Datatype.DOUBLE)).as("no whole column").isEqualTo(-1);
    assertThat(Datatype.LONG.countFor(2, column)).isEqualTo(-1);
    assertThat(Datatype.BYTE.countFor(4, Datatype.INT)).as("bytes are a type of their own").isEqualTo(-1);
    Datatype pairs = Datatype.struct(new int[] {1, 1}, new long[] {0, 8}, new Datatype[] {Datatype.DOUBLE, Datatype.INT});
    Datatype swapped = Datatype.struct(new int[] {1, 1}, new long[] {8, 0}, new Datatype[] {Datatype.INT, Datatype.DOUBLE});
    Datatype apart = Datatype.struct(new int[] {3, 3}, new long[] {0, 24}, new Datatype[] {Datatype.DOUBLE, Datatype.INT});
    assertThat(Datatype.DOUBLE_INT.countFor(5, pairs)).isEqualTo(5);
    assertThat(pairs.countFor(1, swapped)).as("the order is that of construction").isEqualTo(-1);
    assertThat(pairs.countFor(1, apart)).isEqualTo(-1);
    assertThat(pairs.countFor(2_000_000_000L, Datatype.contiguous(2, Datatype.DOUBLE_INT))).isEqualTo(4_000_000_000L);
    assertThat(Datatype.INT.countFor(3, Datatype.contiguous(0, Datatype.DOUBLE))).as("no data at all").isZero();
  }

  @Test
  void whatIsConstructedAlikeIsLaidOutAlike() {
    Datatype column = Datatype.vector(4, 1, 3, Datatype.DOUBLE);
    assertThat(column.isLaidOutAs(Datatype.vector(4, 1, 3, Datatype.DOUBLE))).isTrue();
    assertThat(column.isLaidOutAs(Datatype.vector(4, 1, 2, Datatype.DOUBLE))).isFalse();
    assertThat(column.isLaidOutAs(Datatype.vector(4, 1, 3, Datatype.LONG))).isFalse();
    assertThat(Datatype.INT.isLaidOutAs(Datatype.FLOAT)).isFalse();
  }

  @Test
  void aClosedTypeMakesNoOthers() {
    Datatype three = Datatype.contiguous(3, Datatype.INT);
    Datatype six = Datatype.contiguous(2, three);
    three.close();
    three.close();
    assertThat(six.size()).isEqualTo(24);
    assertThatThrownBy(() -> Datatype.contiguous(2, three)).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("3 x Int");
    assertThatThrownBy(() -> three.resized(0, 1)).isInstanceOf(IllegalStateException.class);
    Datatype.INT.close();
    assertThat(Datatype.contiguous(1, Datatype.INT).size()).as("predefined types stay open").isEqualTo(4);
  }
}
