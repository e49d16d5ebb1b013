// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.internal.calls.CommState;

/** Buffers, layouts and the checks of arguments load nothing of MPI. */
class WithoutMpiTest {
  /** One of each. */
  public static final class BuffersAndLayouts implements Runnable {
    @Override
    public void run() {
      try (Buf own = Buf.allocateDoubles(12); Datatype column = Datatype.vector(4, 1, 3, Datatype.DOUBLE);
          Datatype wide = column.resized(0, Double.BYTES)) {
        own.putDouble(11, 0.5);
        assertThat(own.slice(11, 1).getDouble(0)).isEqualTo(0.5);
        assertThat(own.as(wide, 3).count()).isEqualTo(3);
        assertThat(CollectiveChecks.requireParts(own.as(column, 1), Buf.wrap(new double[8]), 2)).isEqualTo(1);
        assertThat(Op.SUM).hasToString("SUM");
        assertThat(CommState.checkReceiveTag(Comm.ANY_TAG)).isEqualTo(Comm.ANY_TAG);
      }
    }
  }

  /** The counterpart: what needs MPI must fail here, or the test above would prove nothing. */
  public static final class Handle implements Runnable {
    @Override
    public void run() {
      Datatype.INT.handle();
    }
  }

  @Test
  void buffersAndLayoutsNeedNone() throws Exception {
    WithoutMpi.run(BuffersAndLayouts.class);
    assertThatThrownBy(() -> WithoutMpi.run(Handle.class)).isInstanceOf(NoClassDefFoundError.class).hasMessageContaining("MPI");
  }
}
