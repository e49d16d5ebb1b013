// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The memory of a buffer: shared with an array or another buffer, or its own. */
class BufTest {
  @Test
  void wrapSharesAndCopyOfCopies() {
    int[] array = {1, 2, 3};
    Buf shared = Buf.wrap(array);
    Buf part = Buf.wrap(array, 1, 2);
    Buf copy = Buf.copyOf(array);
    shared.putInt(1, 20);
    assertThat(array).containsExactly(1, 20, 3);
    assertThat(part.getInt(0)).isEqualTo(20);
    assertThat(copy.getInt(1)).isEqualTo(2);
    copy.putInt(2, 30);
    assertThat(array[2]).isEqualTo(3);
    assertThat(copy.count()).isEqualTo(3);
  }

  /** {@code bcast(Buf.wrap(n), 0)} of an {@code int n} would lose what it receives. */
  @Test
  void onlyCopyOfTakesSingleValues() {
    assertThat(Arrays.stream(Buf.class.getMethods()).filter(Method::isVarArgs).map(Method::getName).distinct())
        .containsExactly("copyOf");
  }

  @Test
  void everyElementTypeHasItsDatatype() {
    assertThat(Buf.copyOf((byte) 1).datatype()).isSameAs(Datatype.BYTE);
    assertThat(Buf.copyOf((short) 1).datatype()).isSameAs(Datatype.SHORT);
    assertThat(Buf.copyOf('a').datatype()).isSameAs(Datatype.CHAR);
    assertThat(Buf.copyOf(1).datatype()).isSameAs(Datatype.INT);
    assertThat(Buf.copyOf(1L).datatype()).isSameAs(Datatype.LONG);
    assertThat(Buf.copyOf(1f).datatype()).isSameAs(Datatype.FLOAT);
    assertThat(Buf.copyOf(1.0, 2.0).datatype()).isSameAs(Datatype.DOUBLE);
    assertThat(Buf.copyOf(1.0, 2.0).bytes()).isEqualTo(16);
  }

  @Test
  void directBuffersAreSharedFromPositionToLimit() {
    IntBuffer ints = ByteBuffer.allocateDirect(40).order(ByteOrder.nativeOrder()).asIntBuffer();
    ints.position(2).limit(6);
    Buf shared = Buf.wrap(ints);
    assertThat(shared.count()).isEqualTo(4);
    shared.putInt(0, 7);
    assertThat(ints.get(2)).isEqualTo(7);
    assertThat(shared.isArray()).isFalse();
    assertThatThrownBy(() -> Buf.wrap(IntBuffer.allocate(3))).hasMessageContaining("not direct");
    assertThatThrownBy(() -> Buf.wrap(ByteBuffer.allocateDirect(4).asReadOnlyBuffer())).hasMessageContaining("read-only");
    ByteOrder other = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    assertThatThrownBy(() -> Buf.wrap(ByteBuffer.allocateDirect(8).order(other).asLongBuffer()))
        .hasMessageContaining("byte order");
  }

  @Test
  void whatDoesNotFitIsRefusedByName() {
    assertThatThrownBy(() -> Buf.wrap(new long[3], 2, 2)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("offset 2").hasMessageContaining("3 elements");
    assertThatThrownBy(() -> Buf.allocateInts(-1)).hasMessageContaining("count -1");
    try (Buf own = Buf.allocateInts(4); Datatype every = Datatype.vector(2, 1, 2, Datatype.INT)) {
      assertThatThrownBy(() -> own.slice(3, 2)).hasMessageContaining("offset 3").hasMessageContaining("4 elements");
      assertThatThrownBy(() -> own.getInt(4)).isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining("index 4");
      assertThat(own.as(every, 1).slice(0, 1).bytes()).isEqualTo(16);
      assertThatThrownBy(() -> own.as(every, 2)).hasMessageContaining("vector of 2").hasMessageContaining("need 24");
      assertThatThrownBy(() -> Buf.wrap(new int[1]).address()).hasMessageContaining("Buf.allocateInts");
    }
    Buf closed = Buf.allocateLongs(1);
    closed.close();
    assertThatThrownBy(() -> closed.getLong(0)).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
  }

  @Test
  void sameMemoryIsFoundOutWhateverTheObject() {
    double[] matrix = new double[12];
    try (Datatype column = Datatype.vector(4, 1, 3, Datatype.DOUBLE);
        Datatype again = Datatype.vector(4, 1, 3, Datatype.DOUBLE)) {
      Buf all = Buf.wrap(matrix);
      Buf first = all.as(column, 1);
      Buf second = Buf.wrap(matrix, 1, 11).as(column, 1);
      assertThat(Buf.areSame(first, Buf.wrap(matrix).as(again, 1))).isTrue();
      assertThat(Buf.areSame(first, second)).isFalse();
      assertThat(first.overlaps(1, second, 1)).as("in each other's gaps").isFalse();
      assertThat(all.overlaps(2, Buf.wrap(matrix, 1, 1), 1)).isTrue();
      assertThat(all.overlaps(1, Buf.wrap(matrix, 1, 1), 1)).isFalse();
    }
  }
}
