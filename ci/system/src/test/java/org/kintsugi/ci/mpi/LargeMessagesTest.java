// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Status;
import org.kintsugi.test.RanksTest;

/** Messages of more than 2 GiB, of more elements than an int counts. Takes twice that memory, and a minute. */
@Tag("flavours")
@Tag("series")
class LargeMessagesTest {
  private static final long COUNT = (1L << 31) + 5;

  /** First and last bytes, and those at the limits of the datatype's blocks and of an int. */
  private static final long[] PLACES =
      {0, 1, (1L << 28) - 1, 1L << 28, (1L << 30) + 7, (1L << 31) - 2, (1L << 31) - 1, 1L << 31, COUNT - 2, COUNT - 1};

  private static void fill(Buf buf, int salt) {
    for (long place : PLACES) {
      buf.putByte(place, value(place, salt));
    }
  }

  private static byte value(long place, int salt) {
    return (byte) (place * 31 + (place >>> 20) + salt);
  }

  private static void check(Buf buf, int salt) {
    for (long place : PLACES) {
      assertThat(buf.getByte(place)).as("byte %d", place).isEqualTo(value(place, salt));
      buf.putByte(place, (byte) 0);
    }
  }

  @RanksTest(n = 2)
  void allBytesArrive(Mpi mpi) {
    Comm world = mpi.world();
    int me = world.rank();
    try (Buf buf = Buf.allocateBytes(COUNT + 100)) {
      Buf exact = buf.slice(0, COUNT);
      Status status = new Status();
      for (int way = 0; way < 6; way++) {
        if (me == 0) {
          fill(buf, way);
          send(world, exact, way);
        } else {
          receive(world, way == 0 ? buf : exact, way, status);
          assertThat(status.count(Datatype.BYTE)).as("way %d", way).isEqualTo(COUNT);
          check(buf, way);
          assertThat(buf.getByte(COUNT)).isZero();
        }
      }
      // a short message in long room
      if (me == 0) {
        world.send(Buf.copyOf((byte) 1, (byte) 2, (byte) 3), 1, 9);
      } else {
        assertThat(world.recv(buf, 0, 9, status).count(Datatype.BYTE)).isEqualTo(3);
        assertThat(buf.getByte(2)).isEqualTo((byte) 3);
        assertThat(buf.getByte(3)).isZero();
        buf.putByte(0, (byte) 0);
        buf.putByte(1, (byte) 0);
        buf.putByte(2, (byte) 0);
      }
      collectives(world, exact);
    }
  }

  private static void send(Comm world, Buf buf, int way) {
    switch (way) {
      case 1 -> world.iSend(buf, 1, way).waitFor();
      case 2 -> world.sSend(buf, 1, way);
      case 3 -> world.sendRecv(buf, 1, way, Buf.allocateBytes(1), 1, 99);
      case 4 -> {
        try (PersistentRequest request = world.sendInit(buf, 1, way)) {
          request.start();
          request.waitFor();
        }
      }
      default -> world.send(buf, 1, way);
    }
  }

  private static void receive(Comm world, Buf buf, int way, Status status) {
    switch (way) {
      case 1 -> world.iRecv(buf, 0, way).waitFor(status);
      case 2 -> {
        Message message = world.mProbe(0, way);
        assertThat(message.status().bytes()).isEqualTo(COUNT);
        message.recv(buf); // the status remains that of the way before
      }
      case 3 -> world.sendRecv(Buf.allocateBytes(1), 0, 99, buf, 0, way, status);
      case 4 -> {
        try (PersistentRequest request = world.recvInit(buf, 0, way)) {
          request.start();
          request.waitFor(status);
        }
      }
      default -> world.recv(buf, Comm.ANY_SOURCE, way, status);
    }
  }

  private static void collectives(Comm world, Buf buf) {
    int me = world.rank();
    if (me == 1) {
      fill(buf, 20);
    }
    world.bcast(buf, 1);
    check(buf, 20);
    if (me == 0) {
      fill(buf, 21);
    }
    world.iBcast(buf, 0).waitFor();
    check(buf, 21);
    // a place that both have set, and one that one of them has set
    buf.putByte(COUNT - 1, (byte) (1 << me));
    buf.putByte(me == 0 ? 1L << 31 : 1L << 28, (byte) 9);
    world.allReduce(buf, Op.BOR);
    assertThat(buf.getByte(COUNT - 1)).isEqualTo((byte) 3);
    assertThat(buf.getByte(1L << 31)).isEqualTo((byte) 9);
    assertThat(buf.getByte(1L << 28)).isEqualTo((byte) 9);
    assertThat(buf.getByte(1)).isZero();
    buf.putByte(COUNT - 2, (byte) (1 << me));
    world.reduce(buf, Op.BOR, 1);
    if (me == 1) {
      assertThat(buf.getByte(COUNT - 2)).isEqualTo((byte) 3);
    }
  }
}
