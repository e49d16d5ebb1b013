// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.TypedParts;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RanksTest;

/**
 * Operations that receive into parts of a Java array change these parts alone.
 *
 * <p>They do so at the moment of their completion: other parts may be computed or received
 * meanwhile, and must stay.
 */
@Tag("flavours")
class PartsOfArraysTest {
  private static final int ROWS = 3;
  private static final int COLUMNS = 5;
  private static final double[] LEFT = {1, 2, 3};
  private static final double[] RIGHT = {7, 8, 9};

  private static double[] withColumns() {
    double[] grid = new double[ROWS * COLUMNS];
    for (int i = 0; i < ROWS; i++) {
      grid[i * COLUMNS] = LEFT[i];
      grid[i * COLUMNS + COLUMNS - 1] = RIGHT[i];
    }
    grid[COLUMNS + 2] = 42;
    return grid;
  }

  private static Buf column(double[] grid, int j, Datatype column) {
    return Buf.wrap(grid, j, grid.length - j).as(column, 1);
  }

  private static void sendColumns(Comm world) {
    int other = 1 - world.rank();
    world.send(Buf.wrap(LEFT), other, 1);
    world.send(Buf.wrap(RIGHT), other, 2);
  }

  /** Two columns are received, and the interior is computed meanwhile. */
  private static void receiveColumns(Comm world, BiFunction<Buf, Integer, Request> receive) {
    double[] grid = new double[ROWS * COLUMNS];
    try (Datatype column = Datatype.vector(ROWS, 1, COLUMNS, Datatype.DOUBLE)) {
      Request left = receive.apply(column(grid, 0, column), 1);
      Request right = receive.apply(column(grid, COLUMNS - 1, column), 2);
      sendColumns(world);
      grid[COLUMNS + 2] = 42;
      Request.waitAll(left, right);
    }
    assertThat(grid).containsExactly(withColumns());
    world.barrier();
  }

  @RanksTest(n = 2)
  void columnsArriveAsTheInteriorIsComputed(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    receiveColumns(world, (buf, tag) -> world.iRecv(buf, other, tag));
    receiveColumns(world, (buf, tag) -> {
      PersistentRequest receive = world.recvInit(buf, other, tag);
      receive.start();
      return receive;
    });
  }

  @RanksTest(n = 2)
  void aShorterMessageChangesWhatItHas(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    try (Datatype column = Datatype.vector(ROWS, 1, COLUMNS, Datatype.DOUBLE)) {
      double[] grid = new double[ROWS * COLUMNS];
      Request receive = world.iRecv(column(grid, 1, column), other, 1);
      world.send(Buf.copyOf(5.0, 6.0), other, 1);
      grid[2 * COLUMNS + 1] = 42; // the third element of the column
      receive.waitFor();
      assertThat(grid[1]).isEqualTo(5);
      assertThat(grid[COLUMNS + 1]).isEqualTo(6);
      assertThat(grid[2 * COLUMNS + 1]).as("nothing came for it").isEqualTo(42);

      // The same by the other ways to receive: blocking, with a probe, in exchange.
      double[] expected = new double[ROWS * COLUMNS];
      expected[0] = 5;
      expected[COLUMNS] = 6;
      world.iSend(Buf.copyOf(5.0, 6.0), other, 2).waitFor();
      Arrays.fill(grid, 0);
      world.recv(column(grid, 0, column), other, 2);
      assertThat(grid).containsExactly(expected);
      world.iSend(Buf.copyOf(5.0, 6.0), other, 3).waitFor();
      Arrays.fill(grid, 0);
      Message probed = world.mProbe(other, 3);
      probed.recv(column(grid, 0, column));
      assertThat(grid).containsExactly(expected);
      Arrays.fill(grid, 0);
      world.sendRecv(Buf.copyOf(5.0, 6.0), other, 4, column(grid, 0, column), other, 4);
      assertThat(grid).containsExactly(expected);
      Arrays.fill(grid, 1);
      Status status = world.sendRecvReplace(column(grid, 0, column), other, 5, other, 5, new Status());
      assertThat(status.bytes()).isEqualTo(24);
      assertThat(grid).containsOnly(1);
    }
  }

  @RanksTest(n = 2)
  void gapsOfPairsStay(Mpi mpi) {
    Comm world = mpi.world();
    int[] pairs = new int[8]; // two pairs of a double and an int; elements 3 and 7 are gaps
    Request receive =
        world.iAllReduce(Buf.allocateBytes(32).as(Datatype.DOUBLE_INT, 2), Buf.wrap(pairs).as(Datatype.DOUBLE_INT, 2),
            Op.MAXLOC);
    pairs[3] = 42;
    pairs[7] = 43;
    receive.waitFor();
    assertThat(pairs).containsExactly(0, 0, 0, 42, 0, 0, 0, 43);
  }

  @RanksTest(n = 3)
  void collectivesChangeTheirPartsAlone(Mpi mpi) {
    Comm world = mpi.world();
    int me = world.rank();
    int size = world.size();
    int[] counts = {1, 1, 1};
    int[] both = new int[2 * size + 2];
    Request even = world.iAllGatherV(Buf.copyOf(10 + me), Buf.wrap(both), counts, new int[] {0, 2, 4});
    Request odd = world.iAllToAllV(Buf.copyOf(me, 10 + me, 20 + me), counts, new int[] {0, 1, 2}, Buf.wrap(both), counts,
        new int[] {1, 3, 5});
    both[6] = 42;
    Request.waitAll(even, odd);
    assertThat(both).containsExactly(10, 10 * me, 11, 10 * me + 1, 12, 10 * me + 2, 42, 0);

    // Buffers that are longer than what is received.
    long[] all = new long[2 * size];
    Request gathered = world.iAllGather(Buf.copyOf(1L + me), Buf.wrap(all));
    all[size] = 42;
    gathered.waitFor();
    assertThat(all).containsExactly(1, 2, 3, 42, 0, 0);
    long[] sum = new long[3];
    Request reduced = world.iAllReduce(Buf.copyOf(1L), Buf.wrap(sum), Op.SUM);
    sum[1] = 42;
    reduced.waitFor();
    assertThat(sum).containsExactly(size, 42, 0);
    Request scattered = world.iReduceScatter(Buf.copyOf(1L, 2L, 3L), Buf.wrap(sum), counts, Op.SUM);
    sum[2] = 44;
    scattered.waitFor();
    assertThat(sum).containsExactly(size * (me + 1L), 42, 44);
    int[] atRoot = new int[size + 1];
    Request toRoot = world.iGather(Buf.copyOf(me), Buf.wrap(atRoot), 0);
    atRoot[size] = 42;
    toRoot.waitFor();
    assertThat(atRoot).containsExactly(me == 0 ? new int[] {0, 1, 2, 42} : new int[] {0, 0, 0, 42});
  }

  @RanksTest(n = {1, 3})
  void partsOfMissingNeighboursStay(Mpi mpi) {
    int last = mpi.world().size() - 1;
    int me = mpi.world().rank();
    try (CartComm line = mpi.world().cart(new int[] {last + 1, 1}, new boolean[] {false, true}, false)) {
      int[] parts = new int[8];
      int[] expected = {me == 0 ? 42 : me - 1, me == 0 ? 42 : me - 1, me == last ? 43 : me + 1, me == last ? 43 : me + 1, me, me,
          me, me};
      for (boolean isGather : new boolean[] {true, false}) {
        Arrays.fill(parts, 0);
        Request request = isGather ? line.iNeighbourAllGather(Buf.copyOf(me, me), Buf.wrap(parts))
            : line.iNeighbourAllToAll(Buf.copyOf(me, me, me, me, me, me, me, me), Buf.wrap(parts));
        if (me == 0) {
          Arrays.fill(parts, 0, 2, 42);
        }
        if (me == last) {
          Arrays.fill(parts, 2, 4, 43);
        }
        request.waitFor();
        assertThat(parts).containsExactly(expected);
      }
    }
  }

  /** Open MPI's nonblocking forms compare addresses, where the others look for MPI_IN_PLACE. */
  @RanksTest(n = 1)
  void buffersThatBeginAtOneAddressNeedNotBeTheSame(Mpi mpi) {
    try (Buf memory = Buf.allocateDoubles(2); Datatype first = Datatype.indexed(new int[] {1}, new int[] {0}, Datatype.DOUBLE);
        Datatype second = Datatype.indexed(new int[] {1}, new int[] {1}, Datatype.DOUBLE)) {
      memory.putDouble(1, 5);
      mpi.world().iAllGather(memory.as(second, 1), memory.as(first, 1)).waitFor();
      assertThat(memory.getDouble(0)).isEqualTo(5);
      if (Flavour.current() == Flavour.REINIT) {
        return; // it has no persistent collectives
      }
      PersistentRequest again = mpi.world().allGatherInit(memory.as(first, 1), memory.as(second, 1));
      memory.putDouble(0, 7);
      again.start();
      again.waitFor();
      assertThat(memory.getDouble(1)).isEqualTo(7);
      again.close();
    }
  }

  /** Parts of one buffer that have no element in common: the exchange is not in place. */
  @RanksTest(n = 3)
  void partsOfOneBufferAreExchanged(Mpi mpi) {
    try (Buf offHeap = Buf.allocateInts(6)) {
      exchangePartsOf(mpi.world(), offHeap);
    }
    exchangePartsOf(mpi.world(), Buf.wrap(new int[6]));
  }

  private static void exchangePartsOf(Comm world, Buf one) {
    Buf asBytes = one.as(Datatype.BYTE, one.bytes());
    int[] counts = {1, 1, 1};
    int[] from = {0, 2, 4};
    int[] to = {1, 3, 5};
    Datatype[] types = {Datatype.INT, Datatype.INT, Datatype.INT};
    TypedParts sent = TypedParts.of(counts, new int[] {0, 8, 16}, types);
    TypedParts received = TypedParts.of(counts, new int[] {4, 12, 20}, types);
    exchanges(world, one, () -> world.allToAllV(one, counts, from, one, counts, to));
    exchanges(world, one, () -> world.iAllToAllV(one, counts, from, one, counts, to).waitFor());
    exchanges(world, one, () -> world.allToAllW(one, sent, asBytes, received));
    exchanges(world, one, () -> world.iAllToAllW(one, sent, asBytes, received).waitFor());
    if (Flavour.current() == Flavour.REINIT) {
      return; // it has no persistent collectives
    }
    try (PersistentRequest parts = world.allToAllVInit(one, counts, from, one, counts, to);
        PersistentRequest ofTypes = world.allToAllWInit(one, sent, asBytes, received)) {
      for (PersistentRequest again : new PersistentRequest[] {parts, ofTypes, parts, ofTypes}) {
        exchanges(world, one, () -> {
          again.start();
          again.waitFor();
        });
      }
    }
  }

  private static void exchanges(Comm world, Buf one, Runnable exchange) {
    for (int i = 0; i < 3; i++) {
      one.putInt(2 * i, 10 * world.rank() + i);
      one.putInt(2 * i + 1, -1);
    }
    exchange.run();
    for (int i = 0; i < 3; i++) {
      assertThat(one.getInt(2 * i)).isEqualTo(10 * world.rank() + i);
      assertThat(one.getInt(2 * i + 1)).isEqualTo(10 * i + world.rank());
    }
  }

  @RanksTest(n = 2)
  void partsOfTheirOwnTypesMayLieBeyondTheElements(Mpi mpi) {
    Comm world = mpi.world();
    int[] array = new int[12];
    try (Datatype everyOther = Datatype.vector(2, 1, 2, Datatype.INT)) {
      Datatype[] types = {everyOther, everyOther};
      int[] one = {1, 1};
      // The view has one element, and memory for twelve.
      Buf view = Buf.wrap(array).as(Datatype.INT, 1);
      Request exchange = world.iAllToAllW(Buf.copyOf(1, 2, 3, 4, 5, 6, 7), TypedParts.of(one, new int[] {0, 16}, types), view,
          TypedParts.of(one, new int[] {4, 24}, types));
      array[2] = 42;
      exchange.waitFor();
    }
    int[] expected = new int[12];
    int base = 4 * world.rank();
    expected[1] = base + 1;
    expected[3] = base + 3;
    expected[6] = base + 1;
    expected[8] = base + 3;
    expected[2] = 42;
    assertThat(array).containsExactly(expected);
  }
}
