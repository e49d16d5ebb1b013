// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.test.RanksTest;

/**
 * Ranks that name unlike datatypes for the same data. Open MPI's own packing of these types is
 * wrong, or hangs, in each of these tests (5.0.7).
 */
@Tag("flavours")
class UnlikeDatatypesTest {
  private static final int LENGTH = 4;

  /** A datatype of {@value #LENGTH} ints, another one on each rank. */
  private static Datatype ofRank(int rank) {
    return switch (rank) {
      case 0 -> Datatype.contiguous(LENGTH, Datatype.INT);
      case 1 -> Datatype.vector(LENGTH, 1, 0, Datatype.INT); // the same int again and again
      case 2 -> Datatype.vector(LENGTH, 1, 2, Datatype.INT);
      default -> Datatype.indexed(new int[] {1, 3}, new int[] {5, 0}, Datatype.INT);
    };
  }

  /** The ints that a rank sends. */
  private static int[] sentBy(int rank) {
    int first = 100 * rank;
    return switch (rank) {
      case 0 -> new int[] {0, 1, 2, 3};
      case 1 -> new int[] {first, first, first, first};
      case 2 -> new int[] {first, first + 2, first + 4, first + 6};
      default -> new int[] {first + 5, first, first + 1, first + 2};
    };
  }

  private static int[] sentByAll(int ranks) {
    int[] all = new int[0];
    for (int rank = 0; rank < ranks; rank++) {
      all = Arrays.copyOf(all, all.length + LENGTH);
      System.arraycopy(sentBy(rank), 0, all, all.length - LENGTH, LENGTH);
    }
    return all;
  }

  private static Buf part(int rank, Datatype type) {
    Buf memory = Buf.allocateInts(8);
    for (int i = 0; i < 8; i++) {
      memory.putInt(i, 100 * rank + i);
    }
    return memory.as(type, 1);
  }

  @RanksTest(n = 4)
  void collectivesGetTheDataOfEachRank(Mpi mpi) {
    Comm world = mpi.world();
    int me = world.rank();
    int[] expected = sentByAll(4);
    int[] lengths = {LENGTH, LENGTH, LENGTH, LENGTH};
    int[] places = {0, LENGTH, 2 * LENGTH, 3 * LENGTH};
    try (Datatype type = ofRank(me)) {
      Buf part = part(me, type);
      for (int root = 0; root < 4; root++) {
        int[] all = new int[4 * LENGTH];
        world.gather(part, Buf.wrap(all), root);
        assertThat(all).as("gather").isEqualTo(me == root ? expected : new int[4 * LENGTH]);
      }
      int[] all = new int[4 * LENGTH];
      world.allGather(part, Buf.wrap(all));
      assertThat(all).as("allGather").isEqualTo(expected);
      // One rank receives in elements of four ints.
      int[] ofV = new int[4 * LENGTH];
      if (me == 0) {
        world.allGatherV(part, Buf.wrap(ofV).as(type, 4), new int[] {1, 1, 1, 1}, new int[] {0, 1, 2, 3});
      } else {
        world.allGatherV(part, Buf.wrap(ofV), lengths, places);
      }
      assertThat(ofV).as("allGatherV").isEqualTo(expected);
    }
  }

  /** The first rank of a group has nothing, and names bytes for it. */
  @RanksTest(n = 4)
  void aRankWithoutDataNamesAnyDatatypeBetweenGroups(Mpi mpi) {
    int side = mpi.world().rank() / 2;
    try (Comm group = mpi.world().split(side, mpi.world().rank());
        Intercomm across = group.intercomm(0, mpi.world(), 2 - 2 * side, 7)) {
      boolean isFirst = group.rank() == 0;
      double[] ofSide = {10 + side, 20 + side};
      double[] ofOther = {11 - side, 21 - side};
      int[] counts = {0, 2};
      int[] places = {0, 1};
      Buf part = isFirst ? Buf.allocateBytes(0) : Buf.wrap(ofSide);
      double[] all = new double[3];
      across.allGatherV(part, Buf.wrap(all), counts, places);
      assertThat(all).as("allGatherV").containsExactly(0, ofOther[0], ofOther[1]);

      int root = side == 0 ? isFirst ? Intercomm.ROOT : Comm.PROC_NULL : 0;
      double[] gathered = new double[3];
      across.gatherV(side == 0 ? null : part, Buf.wrap(gathered), counts, places, root);
      assertThat(gathered).as("gatherV").containsExactly(side == 0 && isFirst ? new double[] {0, 11, 21} : new double[3]);

      double[] scattered = new double[isFirst ? 0 : 2];
      Buf received = isFirst ? Buf.allocateBytes(0) : Buf.wrap(scattered);
      across.scatterV(Buf.wrap(new double[] {1, 2, 3}), counts, places, side == 0 ? null : received, root);
      assertThat(scattered).as("scatterV").isEqualTo(side == 0 ? new double[scattered.length]
          : isFirst ? new double[0] : new double[] {2, 3});
    }
  }

  /** Each start sends what the memory has then, also after the program has closed it. */
  @RanksTest(n = 2)
  void longMessagesOfElementsAtOddDistances(Mpi mpi) {
    Comm world = mpi.world();
    int count = 24_000;
    try (Datatype sent = Datatype.SHORT.resized(0, 3); Datatype received = Datatype.SHORT.resized(0, 6);
        Buf memory = Buf.allocateBytes(6L * count)) {
      Buf buf = memory.as(world.rank() == 0 ? sent : received, count);
      for (int round = 0; round < 3; round++) {
        if (world.rank() == 1) {
          world.iRecv(buf, 0, round).waitFor();
        } else if (round == 0) {
          Buf closed = Buf.allocateBytes(6L * count);
          fill(closed, count, round);
          PersistentRequest request = world.sendInit(closed.as(sent, count), 1, round);
          closed.close();
          request.start();
          request.waitFor();
          request.close();
        } else {
          fill(memory, count, round);
          world.send(buf, 1, round);
        }
        for (int i = 0; i < count && world.rank() == 1; i++) {
          assertThat(memory.getByte(6L * i) & 0xff).as("round %d, element %d", round, i).isEqualTo(i + round & 0xff);
        }
      }
    }
  }

  private static void fill(Buf memory, int count, int round) {
    for (int i = 0; i < count; i++) {
      memory.putByte(3L * i, (byte) (i + round));
    }
  }

  /** The buffers have bytes in common, from different addresses on; what is sent was there before. */
  @RanksTest(n = 1)
  void buffersInEachOthersGaps(Mpi mpi) {
    try (Datatype column = Datatype.vector(LENGTH, 1, LENGTH, Datatype.INT); Buf memory = Buf.allocateInts(LENGTH * LENGTH + 1)) {
      for (int i = 0; i <= LENGTH * LENGTH; i++) {
        memory.putInt(i, i);
      }
      Request exchange = mpi.world().iAllToAll(memory.as(column, 1), memory.slice(1, LENGTH));
      exchange.waitFor();
      for (int i = 0; i < LENGTH; i++) {
        assertThat(memory.getInt(1 + i)).isEqualTo(i * LENGTH);
      }
      assertThat(memory.getInt(0)).isZero();
      assertThat(memory.getInt(LENGTH + 1)).isEqualTo(LENGTH + 1);
    }
  }
}
