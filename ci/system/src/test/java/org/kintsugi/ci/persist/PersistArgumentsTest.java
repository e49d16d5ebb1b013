// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.persist.PersistException;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.RanksTest;

/** Buffers with holes, and wrong arguments: a refused message is not stored. */
@Tag("flavours")
@Tag("once")
class PersistArgumentsTest {
  private static PersistentComm make(Comm comm, String... pairs) {
    Map<String, String> all = new HashMap<>(Map.of("kintsugi_persist_store", "memory"));
    for (int i = 0; i < pairs.length; i += 2) {
      all.put("kintsugi_persist_" + pairs[i], pairs[i + 1]);
    }
    try (Info info = Info.of(all)) {
      return PersistentComm.of(comm, "arguments", info);
    }
  }

  @RanksTest(n = {1})
  void nothingBeyondTheLastElementOfATypeWithHolesIsTouched(Mpi mpi) {
    try (PersistentComm p = make(mpi.self(), "name", "holes"); Buf all = Buf.allocateBytes(48)) {
      for (int i = 0; i < 48; i++) {
        all.putByte(i, (byte) i);
      }
      p.comm().send(all.slice(0, 28).as(Datatype.DOUBLE_INT, 2), 0, 1); // its last 4 bytes are not of the message
      p.comm().send(all.slice(0, 12).as(Datatype.DOUBLE_INT, 1), 0, 2);
      byte[] back = new byte[48];
      assertThat(p.comm().recv(Buf.wrap(back, 0, 28).as(Datatype.DOUBLE_INT, 2), 0, 1, new Status()).bytes()).isEqualTo(24);
      for (int i = 0; i < 48; i++) {
        assertThat(back[i]).as("byte %d", i).isEqualTo((byte) (i < 12 || i >= 16 && i < 28 ? i : 0));
      }
      for (int i = 0; i < 48; i++) {
        all.putByte(i, (byte) -1);
      }
      p.comm().recv(all.slice(0, 12).as(Datatype.DOUBLE_INT, 1), 0, 2);
      for (int i = 0; i < 48; i++) {
        assertThat(all.getByte(i)).as("byte %d", i).isEqualTo((byte) (i < 12 ? i : -1));
      }
    }
  }

  @RanksTest(n = {1})
  void aMessageMayEndInsideOfAnElement(Mpi mpi) {
    try (PersistentComm p = make(mpi.self(), "name", "partial"); Datatype column = Datatype.vector(3, 1, 2, Datatype.INT)) {
      p.comm().send(Buf.copyOf(10, 11, 12, 13), 0, 1);
      int[] back = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
      p.comm().recv(Buf.wrap(back).as(column, 2), 0, 1);
      assertThat(back).containsExactly(10, -1, 11, -1, 12, 13, -1, -1, -1, -1);
    }
  }

  @RanksTest(n = {1})
  void aReceiveThatWasSetUpTellsWhatItReceived(Mpi mpi) {
    try (PersistentComm p = make(mpi.self(), "name", "init")) {
      p.comm().send(Buf.copyOf(1, 2, 3), 0, 5);
      int[] back = new int[9];
      try (PersistentRequest receive = p.comm().recvInit(Buf.wrap(back), Comm.ANY_SOURCE, Comm.ANY_TAG)) {
        receive.start();
        Status status = receive.waitFor(new Status());
        assertThat(status.bytes()).isEqualTo(12);
        assertThat(status.tag()).isEqualTo(5);
        assertThat(status.source()).isZero();
        p.comm().send(Buf.copyOf(1), 0, 6);
        receive.start();
        assertThat(receive.test(status)).isTrue();
        assertThat(status.bytes()).isEqualTo(4);
        assertThat(status.tag()).isEqualTo(6);
      }
    }
  }

  @RanksTest(n = {1})
  void whatHasEndedAtOnceIsReportedOnce(Mpi mpi) {
    try (PersistentComm p = make(mpi.self(), "name", "once")) {
      for (int tag = 1; tag <= 3; tag++) {
        p.comm().send(Buf.copyOf(tag), 0, tag);
      }
      int[][] back = new int[3][1];
      Request[] requests =
          {p.comm().iRecv(Buf.wrap(back[0]), 0, 1), p.comm().iRecv(Buf.wrap(back[1]), 0, 2),
              p.comm().recvInit(Buf.wrap(back[2]), 0, 3)};
      ((PersistentRequest) requests[2]).start();
      assertThat(Request.waitAny(requests)).isZero();
      assertThat(Request.waitSome(requests)).containsExactly(1, 2);
      assertThat(back).isDeepEqualTo(new int[][] {{1}, {2}, {3}});
      assertThat(Request.testAny(requests)).isEqualTo(-1);
      assertThat(Request.testSome(requests)).isEmpty();
      ((PersistentRequest) requests[2]).start();
      Request.waitAll(requests);
      assertThat(Request.waitAny(requests)).isEqualTo(-1);
    }
  }

  @RanksTest(n = {2})
  void whatIsRefusedIsNotStored(Mpi mpi) {
    Comm world = mpi.world();
    int me = world.rank();
    try (PersistentComm p = make(world, "name", "refused")) {
      long[] back = new long[1];
      assertThatThrownBy(() -> p.comm().sendRecv(Buf.copyOf(1L), me, 1, Buf.wrap(back), 2, 1, null))
          .hasMessageContaining("source 2");
      assertThatThrownBy(() -> p.comm().sendRecv(Buf.copyOf(1L), me, 1, Buf.wrap(back), 0, -7, null))
          .hasMessageContaining("tag -7");
      assertThatThrownBy(() -> p.comm().sendRecv(Buf.copyOf(1L), me, 1, null, 0, 1, null))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> p.comm().sendRecvReplace(Buf.copyOf(1L), me, 1, 2, 1, null)).hasMessageContaining("source 2");
      assertThatThrownBy(() -> p.comm().recv(Buf.wrap(back), me, 1)).hasMessageContaining("nothing was ever stored");
      assertThatThrownBy(() -> p.comm().allReduce((Buf) null, Buf.wrap(back), Op.SUM)).isInstanceOf(NullPointerException.class)
          .hasMessageContaining("ALL_REDUCE is null");
      if (me == 0) {
        assertThatThrownBy(() -> p.comm().bcast((Buf) null, 0)).isInstanceOf(NullPointerException.class);
      }
      p.comm().bcast(me == 0 ? Buf.wrap(back) : null, 0);
    }
    world.barrier();
  }

  @RanksTest(n = {2})
  void allGetTheReason(Mpi mpi) {
    Comm world = mpi.world();
    String memory = world.rank() == 0 ? "65536" : "much";
    assertThatThrownBy(() -> make(world, "name", "bad", "memory", memory)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kintsugi_persist_memory=much");
    assertThatThrownBy(() -> make(world, "name", "bad", "memory", String.valueOf(100_000 + world.rank())))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("all processes must say the same");
    assertThatThrownBy(() -> make(world, "name", "bad", "store", "file", "dir", "/proc/nothing"))
        .isInstanceOf(PersistException.class)
        .hasMessageContaining("rank ").hasMessageContaining("/proc/nothing");
  }

  /** Runs in the one rank. */
  static final class TwoThreads {
    public static void main(String[] args) throws InterruptedException {
      try (Mpi mpi = Mpi.init(ThreadLevel.MULTIPLE, args); PersistentComm p = make(mpi.self(), "name", "threads")) {
        AtomicReference<Throwable> told = new AtomicReference<>();
        AtomicBoolean done = new AtomicBoolean();
        Thread other = new Thread(() -> send(p, (byte) 1, told, done));
        other.start();
        send(p, (byte) 2, told, done);
        other.join();
        byte[] back = new byte[100_000];
        for (int tag = 1; tag <= 2; tag++) {
          p.comm().recv(Buf.wrap(back), 0, tag);
          assertThat(back).containsOnly(tag);
        }
        RankJob.report(args[0], "told", told.get().toString());
      }
    }
  }

  /** One of them gets an exception; the stored messages are never of both. */
  @Test
  void twoThreadsAtOnceAreRefused() {
    RankJob.assumeFlavour(Flavour.ULFM, "the Reinit++ fork has no thread level above FUNNELED");
    assertThat(RankJob.of(1, 0).run(TwoThreads.class).assertSuccess().reports().get("told"))
        .contains("IllegalStateException").contains("one thread at a time");
  }

  private static void send(PersistentComm p, byte value, AtomicReference<Throwable> told, AtomicBoolean done) {
    byte[] message = new byte[100_000];
    java.util.Arrays.fill(message, value);
    boolean sent = false;
    for (int i = 0; !sent || i < 1_000_000 && !done.get(); i++) {
      try {
        p.comm().send(Buf.wrap(message), 0, value);
        sent = true;
      } catch (IllegalStateException e) {
        told.set(e);
        done.set(true);
      }
    }
  }
}
