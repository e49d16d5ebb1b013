// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.TruncationException;
import org.kintsugi.test.RanksTest;

/** Point-to-point messages, each between every rank and its neighbours in a ring. */
@Tag("flavours")
class MessagesTest {
  private static int next(Comm comm) {
    return (comm.rank() + 1) % comm.size();
  }

  private static int previous(Comm comm) {
    return (comm.rank() + comm.size() - 1) % comm.size();
  }

  /**
   * Two elements of 12 bytes, 16 apart.
   *
   * <p>The int of the second one is beyond the number of bytes that were sent.
   */
  @RanksTest(n = 2)
  void elementsWithGapsArriveWhole(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    ByteBuffer sent = ByteBuffer.allocate(28).order(ByteOrder.nativeOrder());
    sent.putDouble(0, 1.5).putInt(8, 7).putDouble(16, 2.5).putInt(24, 9);
    for (int way = 0; way < 5; way++) {
      byte[] array = new byte[28];
      Arrays.fill(array, (byte) 85);
      Buf room = Buf.wrap(array).as(Datatype.DOUBLE_INT, 2);
      Request request = world.iSend(Buf.wrap(sent.array()).as(Datatype.DOUBLE_INT, 2), other, way);
      switch (way) {
        case 0 -> world.recv(room, other, way);
        case 1 -> world.iRecv(room, other, way).waitFor();
        case 2 -> world.mProbe(other, way).recv(room);
        case 3 -> world.sendRecv(Buf.copyOf(0), other, 99, room, other, way);
        default -> {
          try (PersistentRequest persistent = world.recvInit(room, other, way)) {
            persistent.start();
            persistent.waitFor();
          }
        }
      }
      request.waitFor();
      ByteBuffer back = ByteBuffer.wrap(array).order(ByteOrder.nativeOrder());
      assertThat(back.getDouble(0)).as("way %d", way).isEqualTo(1.5);
      assertThat(back.getInt(8)).isEqualTo(7);
      assertThat(back.getDouble(16)).isEqualTo(2.5);
      assertThat(back.getInt(24)).as("way %d", way).isEqualTo(9);
      assertThat(back.getInt(12)).as("the gap stays as it was").isEqualTo(0x55555555);
    }
    world.recv(Buf.wrap(new int[1]), other, 99);
  }

  @RanksTest
  void arraysOfEveryType(Mpi mpi) {
    Comm world = mpi.world();
    int me = world.rank() + 1;
    int from = previous(world) + 1;
    byte[] bytes = new byte[1];
    short[] shorts = new short[1];
    char[] chars = new char[1];
    int[] ints = new int[1];
    long[] longs = new long[1];
    float[] floats = new float[1];
    double[] doubles = new double[1];
    exchange(world, Buf.copyOf((byte) me), Buf.wrap(bytes));
    exchange(world, Buf.copyOf((short) me), Buf.wrap(shorts));
    exchange(world, Buf.copyOf((char) me), Buf.wrap(chars));
    exchange(world, Buf.copyOf(me), Buf.wrap(ints));
    exchange(world, Buf.copyOf((long) me << 40), Buf.wrap(longs));
    exchange(world, Buf.copyOf(me + 0.5f), Buf.wrap(floats));
    exchange(world, Buf.copyOf(me + 0.25), Buf.wrap(doubles));
    assertThat(bytes[0]).isEqualTo((byte) from);
    assertThat(shorts[0]).isEqualTo((short) from);
    assertThat(chars[0]).isEqualTo((char) from);
    assertThat(ints[0]).isEqualTo(from);
    assertThat(longs[0]).isEqualTo((long) from << 40);
    assertThat(floats[0]).isEqualTo(from + 0.5f);
    assertThat(doubles[0]).isEqualTo(from + 0.25);
  }

  private static void exchange(Comm world, Buf send, Buf receive) {
    world.sendRecv(send, next(world), 7, receive, previous(world), 7);
  }

  @RanksTest
  void sendAndReceiveAtOnce(Mpi mpi) {
    Comm world = mpi.world();
    int[] received = new int[3];
    Status status = world.sendRecv(
        Buf.copyOf(world.rank()), next(world), 7, Buf.wrap(received), previous(world), Comm.ANY_TAG, new Status());
    assertThat(received).containsExactly(previous(world), 0, 0);
    assertThat(status.source()).isEqualTo(previous(world));
    assertThat(status.tag()).isEqualTo(7);
    assertThat(status.count(Datatype.INT)).isEqualTo(1);
    int[] replaced = {world.rank()};
    world.sendRecvReplace(Buf.wrap(replaced), next(world), 8, previous(world), 8, status);
    assertThat(replaced).containsExactly(previous(world));
    assertThat(status.tag()).isEqualTo(8);
  }

  /**
   * A shorter message leaves the rest of the buffer alone.
   *
   * <p>The rest has the values of the moment when the receive started, not when it was set up.
   */
  @RanksTest(n = 2)
  void persistentReceiveLeavesTheRestAlone(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    int[] received = {1, 2};
    try (PersistentRequest receive = world.recvInit(Buf.wrap(received), other, 4)) {
      received[1] = 5;
      receive.start();
      world.send(Buf.copyOf(9), other, 4);
      receive.waitFor();
      assertThat(received).containsExactly(9, 5);
    }
  }

  /**
   * A receive does not copy the array into its staging block first.
   *
   * <p>What the block held before must not get into the array.
   */
  @RanksTest(n = 2)
  void receivesLeaveTheRestOfAnArrayAlone(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    int[] received = {1, 2, 3, 4, 5};
    if (world.rank() == 0) {
      world.send(Buf.wrap(new int[] {90, 91, 92, 93, 94}), other, 4);
      world.send(Buf.wrap(new int[] {7, 8}), other, 4);
      world.send(Buf.wrap(new int[] {}), other, 4);
    } else {
      world.recv(Buf.wrap(new int[5]), other, 4);
      world.recv(Buf.wrap(received, 1, 4), other, 4);
      assertThat(received).containsExactly(1, 7, 8, 4, 5);
      world.recv(Buf.wrap(received), other, 4);
      world.recv(Buf.wrap(received), Comm.PROC_NULL, 4);
      assertThat(received).containsExactly(1, 7, 8, 4, 5);
    }
  }

  /** All other ways to receive one message must do so, too. */
  @RanksTest(n = 2)
  void requestsLeaveTheRestOfAnArrayAlone(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    List<BiConsumer<Buf, Buf>> ways = List.of(
        (out, in) -> exchange(world, out, in),
        (out, in) -> started(world, out, in).waitFor(),
        (out, in) -> Request.waitAll(started(world, out, in)),
        (out, in) -> Request.waitAny(started(world, out, in)),
        (out, in) -> Request.waitSome(started(world, out, in)),
        (out, in) -> {
          Request request = started(world, out, in);
          while (!request.test()) {
            Thread.onSpinWait();
          }
        },
        (out, in) -> {
          world.iSend(out, other, 7);
          world.mProbe(other, 7).recv(in);
        },
        (out, in) -> {
          world.iSend(out, other, 7);
          world.mProbe(other, 7).iRecv(in).waitFor();
        });
    for (BiConsumer<Buf, Buf> way : ways) {
      int[] received = {1, 2, 3, 4, 5};
      exchange(world, Buf.copyOf(90, 91, 92, 93, 94), Buf.wrap(new int[5])); // what a staging block holds from now on
      way.accept(Buf.copyOf(7, 8), Buf.wrap(received, 1, 4));
      assertThat(received).containsExactly(1, 7, 8, 4, 5);
    }
    int[] cancelled = {1, 2};
    Request never = world.iRecv(Buf.wrap(cancelled), other, 9);
    never.cancel();
    never.waitFor();
    assertThat(cancelled).containsExactly(1, 2);
  }

  private static Request started(Comm world, Buf out, Buf in) {
    world.iSend(out, next(world), 7);
    return world.iRecv(in, previous(world), 7);
  }

  @RanksTest(n = 2)
  void aRequestThatIsOverStandsForTheNextMessage(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    int[] in = new int[3];
    Request first = world.iRecv(Buf.wrap(in), other, 4);
    assertThatThrownBy(() -> world.iRecv(Buf.wrap(in), other, 5, first)).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("in flight");
    Request second = world.iSend(Buf.copyOf(1, 2), other, 4);
    Request.waitAll(first, second);
    assertThat(in).containsExactly(1, 2, 0);
    try (Buf off = Buf.allocateInts(1)) {
      off.putInt(0, 9);
      assertThat(world.iSend(off, other, 5, first)).isSameAs(first);
      assertThat(world.iRecv(Buf.wrap(in, 1, 2), other, 5, second)).isSameAs(second);
      assertThat(first.isActive()).isTrue();
      assertThat(second.waitFor(new Status()).count(Datatype.INT)).isEqualTo(1);
      first.waitFor();
    }
    assertThat(in).containsExactly(1, 9, 0);
    try (PersistentRequest persistent = world.sendInit(Buf.copyOf(3), other, 6)) {
      Request new1 = world.iSend(Buf.copyOf(4), other, 7, persistent);
      Request new2 = world.iRecv(Buf.wrap(in), other, 7, null);
      assertThat(new1).isNotSameAs(persistent);
      Request.waitAll(new1, new2);
    }
    assertThat(in[0]).isEqualTo(4);
  }

  /** They may go straight into the array, from the second one of a rank on. */
  @RanksTest(n = 2)
  void largeArraysArriveAsSmallOnesDo(Mpi mpi) {
    Comm world = mpi.world();
    int n = 200_000;
    double[] in = new double[n + 2];
    for (int turn = 1; turn <= 4; turn++) {
      largeArray(world, turn, n - turn, in);
    }
    if (world.rank() == 0) {
      world.send(Buf.wrap(new double[n]), 1, 4);
    } else {
      assertThatThrownBy(() -> world.recv(Buf.wrap(in, 0, n - 1), 0, 4)).isInstanceOf(TruncationException.class);
    }
    largeArray(world, 5, n, in);
    try (Datatype gaps = Datatype.vector(n, 1, 2, Datatype.DOUBLE); Buf out = Buf.allocateDoubles(2 * n)) {
      out.putDouble(2 * n - 2, 6);
      if (world.rank() == 0) {
        world.send(out.as(gaps, 1), 1, 4);
      } else {
        world.recv(Buf.wrap(in, 2, n), 0, 4);
        assertThat(in).endsWith(0, 6).startsWith(-1, 5, 0);
      }
    }
    largeArray(world, 7, n - 1, in);
    try (Op last = Op.of(Datatype.DOUBLE, true, (a, b, count) -> b.putDouble(0, a.getDouble(0)))) {
      Request reduced = world.iAllReduce(Buf.wrap(new double[1]), Buf.wrap(new double[1]), last);
      largeArray(world, 8, n, in);
      reduced.waitFor();
    }
  }

  /** Rank 0 sends an array, and rank 1 receives it after the first element. */
  private static void largeArray(Comm world, int value, int length, double... in) {
    double[] out = new double[length];
    Arrays.fill(out, value);
    if (world.rank() == 0) {
      world.send(Buf.wrap(out), 1, 3);
      return;
    }
    Arrays.fill(in, -1);
    Status status = world.recv(Buf.wrap(in, 1, in.length - 2), 0, 3, new Status());
    assertThat(status.count(Datatype.DOUBLE)).isEqualTo(length);
    assertThat(status.source()).isZero();
    assertThat(in[0]).isEqualTo(-1);
    assertThat(Arrays.copyOfRange(in, 1, length + 1)).isEqualTo(out);
    assertThat(in[length + 1]).isEqualTo(-1);
  }

  /** In a steady loop, as a garbage collection in one rank is a pause in all. */
  @RanksTest(n = 2, check = false)
  void aWindowOfMessagesTakesNoHeap(Mpi mpi) {
    Comm world = mpi.world();
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    Request[] window = new Request[16];
    try (Buf buf = Buf.allocateInts(window.length); Buf sum = Buf.allocateInts(window.length)) {
      long before = 0;
      for (int round = 0; round < 300; round++) {
        if (round == 100) {
          before = threads.getCurrentThreadAllocatedBytes();
        }
        for (int i = 0; i < window.length; i++) {
          window[i] = world.rank() == 0 ? world.iSend(buf, 1, 0, window[i]) : world.iRecv(buf, 0, 0, window[i]);
        }
        Request.waitAll(window);
        world.allReduce(buf, sum, Op.SUM);
      }
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(3000); // less than one object in each round
    }
  }

  @RanksTest
  void allThreeKindsOfBuffers(Mpi mpi) {
    Comm world = mpi.world();
    double[] array = {0, world.rank(), 0};
    DoubleBuffer direct = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder()).asDoubleBuffer();
    try (Buf own = Buf.allocateDoubles(3)) {
      exchange(world, Buf.wrap(array, 1, 1), own.slice(2, 1));
      assertThat(own.getDouble(2)).isEqualTo(previous(world));
      direct.position(1).limit(2);
      exchange(world, own.slice(2, 1), Buf.wrap(direct));
      assertThat(direct.get(1)).isEqualTo((world.rank() + 2.0 * world.size() - 2) % world.size());
      assertThat(direct.get(0)).isZero();
    }
  }

  @RanksTest(n = 2)
  void everySendMode(Mpi mpi) {
    Comm world = mpi.world();
    int[] value = new int[1];
    mpi.attachBuffer(4096);
    if (world.rank() == 0) {
      world.send(Buf.copyOf(1), 1, 1);
      world.sSend(Buf.copyOf(2), 1, 2);
      world.bSend(Buf.copyOf(3), 1, 3);
      world.recv(Buf.wrap(value), 1, 4);
      world.rSend(Buf.copyOf(4), 1, 4);
      Request.waitAll(world.iSend(Buf.copyOf(5), 1, 5), world.iSSend(Buf.copyOf(6), 1, 6), world.iBSend(Buf.copyOf(7), 1, 7));
    } else {
      for (int i = 1; i <= 3; i++) {
        world.recv(Buf.wrap(value), 0, i);
        assertThat(value[0]).isEqualTo(i);
      }
      Request ready = world.iRecv(Buf.wrap(value), 0, 4);
      world.send(Buf.copyOf(0), 0, 4);
      ready.waitFor();
      assertThat(value[0]).isEqualTo(4);
      for (int i = 5; i <= 7; i++) {
        world.recv(Buf.wrap(value), 0, i);
        assertThat(value[0]).isEqualTo(i);
      }
    }
    mpi.detachBuffer();
  }

  @RanksTest(n = 2)
  void statusProbeAndMatchedProbe(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      world.send(Buf.copyOf(1.0, 2.0, 3.0), 1, 11);
      world.send(Buf.copyOf(4.0), 1, 12);
      world.send(Buf.copyOf(5.0), 1, 13);
    } else {
      Status probed = world.probe(Comm.ANY_SOURCE, 11);
      assertThat(probed.source()).isZero();
      assertThat(probed.count(Datatype.DOUBLE)).isEqualTo(3);
      double[] values = new double[5];
      Status status = world.recv(Buf.wrap(values), 0, Comm.ANY_TAG, new Status());
      assertThat(status.tag()).isEqualTo(11);
      assertThat(status.count(Datatype.DOUBLE)).isEqualTo(3);
      assertThat(values).containsExactly(1, 2, 3, 0, 0);
      Message message = world.mProbe(0, 12);
      message.recv(Buf.wrap(values));
      assertThat(values[0]).isEqualTo(4);
      assertThatThrownBy(() -> message.recv(Buf.wrap(values))).isInstanceOf(IllegalStateException.class);
      while (!world.iProbe(0, 13, null)) {
        Thread.onSpinWait();
      }
      world.imProbe(0, 13).iRecv(Buf.wrap(values)).waitFor();
      assertThat(values[0]).isEqualTo(5);
    }
  }

  @RanksTest
  void persistentRequestsReadTheArrayAtEveryStart(Mpi mpi) {
    Comm world = mpi.world();
    int[] out = new int[1];
    int[] in = new int[1];
    try (PersistentRequest send = world.sendInit(Buf.wrap(out), next(world), 3);
        PersistentRequest receive = world.recvInit(Buf.wrap(in), previous(world), 3)) {
      for (int i = 0; i < 20; i++) {
        out[0] = 100 * world.rank() + i;
        PersistentRequest.startAll(receive, send);
        Request.waitAll(receive, send);
        assertThat(in[0]).isEqualTo(100 * previous(world) + i);
      }
      receive.start();
      assertThatThrownBy(receive::start).isInstanceOf(IllegalStateException.class).hasMessageContaining("in flight");
      out[0] = -1;
      send.start();
      Request.waitAll(receive, send);
    }
  }

  @RanksTest
  void waitAndTestForOneAnyAndSome(Mpi mpi) {
    Comm world = mpi.world();
    int[][] in = new int[3][1];
    Request[] receives = new Request[3];
    for (int i = 0; i < 3; i++) {
      receives[i] = world.iRecv(Buf.wrap(in[i]), previous(world), 20 + i);
    }
    assertThat(Request.testAny(receives)).isEqualTo(-1);
    assertThat(Request.testAll(receives)).isFalse();
    world.barrier();
    world.send(Buf.copyOf(1), next(world), 21);
    assertThat(Request.waitAny(receives)).isEqualTo(1);
    world.barrier();
    world.send(Buf.copyOf(0), next(world), 20);
    world.send(Buf.copyOf(2), next(world), 22);
    int done = 0;
    while (done < 2) {
      done += Request.waitSome(receives).length;
    }
    assertThat(Request.testAll(receives)).isTrue();
    assertThat(in).isDeepEqualTo(new int[][] {{0}, {1}, {2}});
    Request never = world.iRecv(Buf.wrap(in[0]), previous(world), 99);
    never.cancel();
    Status status = never.waitFor(new Status());
    assertThat(status.isCancelled()).isTrue();
  }

  @RanksTest(n = 2)
  void derivedDatatypes(Mpi mpi) {
    Comm world = mpi.world();
    int n = 4;
    try (Datatype column = Datatype.vector(n, 1, n, Datatype.DOUBLE);
        Datatype corner = Datatype.indexed(new int[] {2, 1}, new int[] {0, n}, Datatype.DOUBLE);
        Datatype pair = Datatype.struct(new int[] {1, 1}, new long[] {0, 8}, new Datatype[] {Datatype.LONG, Datatype.DOUBLE});
        Datatype three = Datatype.contiguous(3, Datatype.DOUBLE);
        Datatype spaced = Datatype.DOUBLE.resized(0, 16)) {
      assertThat(pair.extent()).isEqualTo(16);
      assertThat(three.size()).isEqualTo(24);
      if (world.rank() == 0) {
        double[] matrix = new double[n * n];
        for (int i = 0; i < matrix.length; i++) {
          matrix[i] = i;
        }
        world.send(Buf.wrap(matrix, 1, n * n - 1).as(column, 1), 1, 1);
        world.send(Buf.wrap(matrix).as(corner, 1), 1, 2);
        world.send(Buf.wrap(matrix).as(spaced, 3), 1, 3);
        world.send(Buf.wrap(matrix).as(three, 2), 1, 4);
      } else {
        double[] got = new double[6];
        world.recv(Buf.wrap(got), 0, 1);
        assertThat(got).startsWith(1, 5, 9, 13);
        world.recv(Buf.wrap(got), 0, 2);
        assertThat(got).startsWith(0, 1, 4);
        world.recv(Buf.wrap(got), 0, 3);
        assertThat(got).startsWith(0, 2, 4);
        world.recv(Buf.wrap(got), 0, 4);
        assertThat(got).containsExactly(0, 1, 2, 3, 4, 5);
      }
      assertThatThrownBy(() -> Buf.wrap(new double[n]).as(column, 1))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("need");
    }
  }

  @RanksTest(n = 2)
  void aLongerMessageThanTheBufferIsAnErrorAndTheJobGoesOn(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      world.send(Buf.copyOf(1, 2, 3, 4), 1, 1);
      world.send(Buf.copyOf(5), 1, 2);
    } else {
      int[] one = new int[1];
      assertThatThrownBy(() -> world.recv(Buf.wrap(one), 0, 1)).isInstanceOf(TruncationException.class)
          .hasMessageContaining("MPI_Recv");
      world.recv(Buf.wrap(one), 0, 2);
      assertThat(one[0]).isEqualTo(5);
    }
  }

  @RanksTest(n = 2)
  void requestsKeepTheirBuffersThroughGarbageCollections(Mpi mpi) {
    Comm world = mpi.world();
    int n = 50;
    if (world.rank() == 1) {
      for (int i = 0; i < n; i++) {
        world.iRecv(Buf.allocateBytes(1 << 16), 0, 5); // dropped at once: only MPI knows it now
      }
      for (int i = 0; i < 5; i++) {
        System.gc();
        Buf.allocateBytes(1 << 16); // would reuse memory that was freed too early
      }
      world.barrier();
      world.barrier();
      long[] sum = new long[1];
      world.recv(Buf.wrap(sum), 0, 6);
      assertThat(sum[0]).isEqualTo(n);
    } else {
      world.barrier();
      try (Buf data = Buf.allocateBytes(1 << 16)) {
        for (int i = 0; i < n; i++) {
          world.send(data, 1, 5);
        }
      }
      world.barrier();
      world.send(Buf.copyOf((long) n), 1, 6);
    }
  }
}
