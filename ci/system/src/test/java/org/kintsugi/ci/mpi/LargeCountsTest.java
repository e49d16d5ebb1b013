// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.test.RanksTest;

/** More elements than the C functions' int counts. */
@Tag("flavours")
class LargeCountsTest {
  private static final long COUNT = (1L << 31) + 5;

  /** Cheap: memory that nothing writes to takes no pages, elements without data take no time. */
  @RanksTest(n = 2)
  void theCountIsTakenByEveryCall(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    try (Datatype pair = Datatype.contiguous(2, Datatype.BYTE);
        Datatype empty = Datatype.contiguous(0, Datatype.INT)) {
      for (long count : new long[] {1L << 31, COUNT, 1L << 32, 5_000_000_007L}) {
        // Kintsugi compares the extent and size that MPI has for the datatype with its own.
        try (Buf buf = Access.bufs().uncleared(count)) {
          take(mpi, buf);
          take(mpi, buf.as(pair, count / 2));
        }
      }
      Buf nothing = Buf.allocateBytes(8).as(empty, COUNT);
      Buf nothingOfAll = Buf.allocateBytes(8).as(empty, 2 * COUNT);
      Request sent = world.iSend(nothing, other, 2);
      assertThat(world.recv(nothing, other, 2, new Status()).bytes()).isZero();
      sent.waitFor();
      world.bcast(nothing, 0);
      world.gather(nothing, nothingOfAll, 0);
      world.scatter(nothingOfAll, nothing, 1);
      world.allGather(nothing, nothingOfAll);
      world.allToAll(nothingOfAll, Buf.allocateBytes(8).as(empty, 2 * COUNT));
    }
  }

  private static void take(Mpi mpi, Buf buf) {
    Comm world = mpi.world();
    world.send(buf, Comm.PROC_NULL, 1);
    world.iRecv(buf, Comm.PROC_NULL, 1).waitFor();
    world.sendRecv(buf, Comm.PROC_NULL, 1, buf, Comm.PROC_NULL, 1);
    try (PersistentRequest send = world.sendInit(buf, Comm.PROC_NULL, 1)) {
      send.start();
      send.waitFor();
    }
    mpi.self().bcast(buf, 0);
  }

  /** Another thread may be in a blocking call with any of the datatypes that were made for large counts. */
  @RanksTest(n = 1)
  void aDatatypeThatAnotherThreadMayUseIsNotFreed(Mpi mpi) throws ReflectiveOperationException {
    Method type = Class.forName("org.kintsugi.mpi.LargeCounts").getDeclaredMethod("type", Datatype.class, long.class);
    type.setAccessible(true);
    assertThat(handles(type)).isEqualTo(handles(type));
  }

  private static List<Object> handles(Method type) throws ReflectiveOperationException {
    List<Object> handles = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      handles.add(type.invoke(null, Datatype.BYTE, COUNT + i));
    }
    return handles;
  }

  /** One request cannot stand for several pieces: the error says what to do. */
  @RanksTest(n = 1)
  void reductionsThatCannotBeSplitAreRefused(Mpi mpi) {
    try (Datatype atOnePlace = Datatype.INT.resized(0, 0)) {
      Buf buf = Buf.allocateInts(1).as(atOnePlace, COUNT);
      assertThatThrownBy(() -> mpi.world().iAllReduce(buf, Op.SUM)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("MPI_Iallreduce of 2147483653 elements").hasMessageContaining("one for each of several slices");
      assertThatThrownBy(() -> mpi.world().reduceScatterBlock(buf, buf, Op.SUM)).hasMessageContaining("use reduce with each");
      assertThatThrownBy(() -> mpi.world().iReduce(buf, buf, Op.SUM, 0)).hasMessageContaining("MPI_Ireduce of");
    }
  }
}
