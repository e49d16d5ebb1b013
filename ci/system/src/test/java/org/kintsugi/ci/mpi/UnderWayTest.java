// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.test.RanksTest;

/** Closes objects while MPI still works with them. */
@Tag("flavours")
class UnderWayTest {
  private static final int BYTES = 4096;
  private static final int OTHERS = 64;
  private static final byte SENT = 9;
  private static final byte OWN = 7;
  private static final long CLOSING_MILLIS = 100;

  @RanksTest(n = 2)
  void memoryStaysUntilTheMessageIsIn(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      world.barrier();
      try (Buf out = filled(SENT)) {
        world.send(out, 1, 1);
      }
      return;
    }
    Buf in = Buf.allocateBytes(BYTES);
    Request request = world.iRecv(in, 0, 1);
    in.close();
    List<Buf> others = new ArrayList<>();
    for (int i = 0; i < OTHERS; i++) {
      others.add(filled(OWN)); // one of them is where the closed one was, if that is free
    }
    world.barrier();
    request.waitFor();
    for (Buf other : others) {
      for (int i = 0; i < BYTES; i++) {
        assertThat(other.getByte(i)).isEqualTo(OWN);
      }
      other.close();
    }
    assertThatThrownBy(() -> in.getByte(0)).hasMessageContaining("closed");
  }

  /** The program's other threads may not call MPI, but they may close what they like. */
  @RanksTest(n = 2)
  void memoryStaysWhileABlockingCallWorksOnIt(Mpi mpi) throws InterruptedException {
    Comm world = mpi.world();
    world.barrier();
    if (world.rank() == 0) {
      Thread.sleep(20 * CLOSING_MILLIS);
      try (Buf out = filled(SENT)) {
        world.send(out, 1, 1);
      }
      return;
    }
    Buf in = Buf.allocateBytes(BYTES);
    List<Buf> others = new ArrayList<>();
    Thread receiving = Thread.currentThread();
    AtomicBoolean isReceived = new AtomicBoolean();
    Thread closing = new Thread(() -> {
      while (!isInMpi(receiving) && !isReceived.get()) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(CLOSING_MILLIS));
      in.close();
      for (int i = 0; i < OTHERS; i++) {
        others.add(filled(OWN)); // one of them is where the closed one was, if that is free
      }
    });
    closing.start();
    world.recv(in, 0, 1);
    isReceived.set(true);
    closing.join();
    for (Buf other : others) {
      for (int i = 0; i < BYTES; i++) {
        assertThat(other.getByte(i)).isEqualTo(OWN);
      }
      other.close();
    }
    assertThatThrownBy(() -> world.recv(in, 0, 1)).hasMessageContaining("closed");
  }

  private static boolean isInMpi(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0 && stack[0].getMethodName().equals("MPI_Recv");
  }

  private static Buf filled(byte value) {
    Buf buf = Buf.allocateBytes(BYTES);
    for (int i = 0; i < BYTES; i++) {
      buf.putByte(i, value);
    }
    return buf;
  }

  @RanksTest(n = 1)
  void closingAPartFreesNothing(Mpi mpi) {
    try (Buf whole = Buf.allocateInts(2)) {
      whole.slice(0, 1).close();
      whole.as(Datatype.BYTE, 1).close();
      whole.putInt(1, 5);
      assertThat(whole.getInt(1)).isEqualTo(5);
    }
  }

  /** A column of a matrix: its elements overlap, and each reaches to the matrix's end. */
  @RanksTest(n = 2)
  void aPartOfOverlappingElementsHasRoomForThem(Mpi mpi) {
    int n = 8;
    double[] matrix = new double[n * n];
    try (Datatype vector = Datatype.vector(n, 1, n, Datatype.DOUBLE); Datatype column = vector.resized(0, Double.BYTES)) {
      Buf first = Buf.wrap(matrix).as(column, n).slice(0, 1);
      assertThat(first.bytes()).isEqualTo((n * (n - 1) + 1) * (long) Double.BYTES);
      if (mpi.world().rank() == 0) {
        for (int i = 0; i < n; i++) {
          matrix[i * n] = i + 1;
        }
        mpi.world().send(first, 1, 1);
      } else {
        mpi.world().recv(first, 0, 1);
        for (int i = 0; i < n; i++) {
          assertThat(matrix[i * n]).isEqualTo(i + 1);
          assertThat(matrix[i * n + 1]).isZero();
        }
      }
    }
  }

  @RanksTest(n = 2)
  void anOperationStaysUntilItsCollectivesAreDone(Mpi mpi) {
    Comm world = mpi.world();
    long[] result = new long[1];
    Request request;
    try (Op sum = Op.of(Datatype.LONG, true, (in, inOut, n) -> inOut.putLong(0, in.getLong(0) + inOut.getLong(0)))) {
      request = world.iAllReduce(Buf.copyOf(world.rank() + 1L), Buf.wrap(result), sum);
    }
    try (Op other = Op.of(Datatype.LONG, true, (in, inOut, n) -> inOut.putLong(0, -1))) {
      world.allReduce(Buf.copyOf(1L), Buf.wrap(new long[1]), other);
      request.waitFor();
    }
    assertThat(result[0]).isEqualTo(3);
  }

  /** MPI does not tell which of two it combined for when the operation threw: neither may pass for right. */
  @RanksTest(n = 2)
  void whatAnOperationThrowsComesToAllThatAreUnderWay(Mpi mpi) {
    Comm world = mpi.world();
    try (Op bad = Op.of(Datatype.LONG, true, (in, inOut, n) -> {
      if (in.getLong(0) < 0) {
        throw new IllegalStateException("no sum");
      }
      inOut.putLong(0, in.getLong(0) + inOut.getLong(0));
    })) {
      Request first = world.iAllReduce(Buf.copyOf(-1L), Buf.wrap(new long[1]), bad);
      Request second = world.iAllReduce(Buf.copyOf(1L), Buf.wrap(new long[1]), bad);
      boolean isSecondBroken = isBroken(second);
      boolean isFirstBroken = isBroken(first);
      // The second one asks first: its result is not taken from the first one's, whose result is undefined.
      assertThat(isFirstBroken || !isSecondBroken).as("the first one is broken").isTrue();
      assertThat(world.allReduce(isFirstBroken ? 1L : 0L, Op.SUM)).as("MPI may combine on one process only: both fail")
          .isEqualTo(2);
      long[] sum = new long[1];
      world.allReduce(Buf.copyOf(2L), Buf.wrap(sum), bad);
      assertThat(sum).as("what has thrown before is over").containsExactly(4);
    }
  }

  private static boolean isBroken(Request request) {
    try {
      request.waitFor();
      return false;
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("no sum");
      return true;
    } catch (MpiException onTheOtherProcess) {
      assertThat(onTheOtherProcess.errorClass()).isEqualTo(MPI.MPI_ERR_OP);
      return true;
    }
  }

  @RanksTest(n = 2)
  void whatAnOperationThrowsComesToItsOwnCollective(Mpi mpi) {
    Comm world = mpi.world();
    try (Op bad = Op.of(Datatype.LONG, true, (in, inOut, n) -> {
      throw new IllegalStateException("no sum");
    })) {
      int failed = 0;
      Request[] requests = {world.iAllReduce(Buf.copyOf(1L), Buf.wrap(new long[1]), bad)};
      try {
        world.allReduce(1L, Op.SUM); // makes progress, and has nothing to do with it
        Request.waitAny(requests);
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("no sum");
        failed++;
      } catch (MpiException onTheOtherProcess) {
        failed++;
      }
      world.barrier();
      assertThat(world.allReduce((long) failed, Op.SUM)).as("MPI may combine on one process only: all fail").isEqualTo(2);
      assertThatThrownBy(() -> world.allReduce(Buf.copyOf(1), Buf.wrap(new int[1]), bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Long").hasMessageContaining("Int");
      world.barrier();
    }
  }
}
