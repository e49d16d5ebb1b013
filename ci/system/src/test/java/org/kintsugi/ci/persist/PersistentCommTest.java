// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.TruncationException;
import org.kintsugi.persist.PersistException;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.test.RanksTest;
import org.kintsugi.test.TemporaryFolder;

/**
 * A persistent communicator stores and returns messages, on every store, without deaths.
 *
 * <p>Each test makes it a second time, as after a restart.
 */
@Tag("flavours")
class PersistentCommTest {
  private static final List<String> STORES = List.of("memory", "file", "jdbc");

  /** A folder that all ranks have. */
  static TemporaryFolder sharedFolder(Comm world) throws IOException {
    byte[] path = new byte[200];
    TemporaryFolder folder = null;
    if (world.rank() == 0) {
      folder = TemporaryFolder.create("kintsugi-persist-test-");
      byte[] text = folder.path().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
      System.arraycopy(text, 0, path, 0, text.length);
    }
    world.bcast(Buf.wrap(path), 0);
    return folder != null ? folder
        : new TemporaryFolder(java.nio.file.Path.of(new String(path, java.nio.charset.StandardCharsets.UTF_8).trim()));
  }

  private interface Check {
    void on(Map<String, String> info);
  }

  /** Runs a check on every store; pairs of key and value are added to the info. */
  private static void everywhere(Mpi mpi, Check check, String... more) throws IOException {
    Comm world = mpi.world();
    TemporaryFolder folder = sharedFolder(world);
    for (String store : STORES) {
      Map<String, String> info = new LinkedHashMap<>();
      info.put("kintsugi_persist_store", store);
      info.put("kintsugi_persist_dir", folder.path().toString());
      info.put("kintsugi_persist_name", store + "-" + Thread.currentThread().getStackTrace()[2].getMethodName());
      for (int i = 0; i < more.length; i += 2) {
        info.put("kintsugi_persist_" + more[i], more[i + 1]);
      }
      check.on(info);
    }
    world.barrier();
    if (world.rank() == 0) {
      folder.close();
    }
  }

  private static PersistentComm make(Comm comm, String key, Map<String, String> pairs) {
    try (Info info = Info.of(pairs)) {
      return PersistentComm.of(comm, key, info);
    }
  }

  private static long receive(Comm comm, int source, int tag) {
    long[] value = {-1};
    comm.recv(Buf.wrap(value), source, tag);
    return value[0];
  }

  @RanksTest(n = {1, 3})
  void theNewestOverwrites(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    int me = world.rank();
    int next = (me + 1) % world.size();
    int before = (me + world.size() - 1) % world.size();
    everywhere(mpi, info -> {
      try (PersistentComm p = make(world, "k", info)) {
        assertThat(p.restarted()).isFalse();
        for (long i = 0; i < 2500; i += info.get("kintsugi_persist_store").equals("jdbc") ? 500 : 1) {
          p.comm().send(Buf.copyOf(100 * me + i), me, 1);
          p.comm().send(Buf.copyOf(1000 * me + i), next, 2);
        }
        p.comm().send(Buf.copyOf(100L * me + 7), me, 1);
        p.comm().send(Buf.copyOf(1000L * me + 7), next, 2);
        assertThat(receive(p.comm(), me, 1)).isEqualTo(100 * me + 7);
        p.comm().barrier();
        assertThat(receive(p.comm(), before, 2)).as("seen after a barrier").isEqualTo(1000 * before + 7);
      }
      try (PersistentComm p = make(world, "k", info)) {
        assertThat(p.restarted()).isTrue();
        assertThat(receive(p.comm(), me, 1)).isEqualTo(100 * me + 7);
        assertThat(receive(p.comm(), before, 2)).isEqualTo(1000 * before + 7);
        assertThat(receive(p.comm(), before, 2)).as("as often as one likes").isEqualTo(1000 * before + 7);
        assertThatThrownBy(() -> receive(p.comm(), Comm.ANY_SOURCE, 2)).hasMessageContaining("have been received again");
        p.rewind();
        Status status = p.comm().recv(Buf.wrap(new long[3]), Comm.ANY_SOURCE, 2, new Status());
        assertThat(status.source()).isEqualTo(before);
        assertThat(status.bytes()).isEqualTo(8);
        p.forget();
      }
      try (PersistentComm p = make(world, "k", info)) {
        assertThat(p.restarted()).isFalse();
      }
    });
  }

  @RanksTest(n = {2})
  void anotherKeySeesNothing(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    everywhere(mpi, info -> {
      try (PersistentComm one = make(world, "one", info); PersistentComm two = make(world, "two", info)) {
        one.comm().send(Buf.copyOf(11L), world.rank(), 3);
        assertThatThrownBy(() -> receive(two.comm(), world.rank(), 3)).isInstanceOf(PersistException.class)
            .hasMessageContaining("nothing was ever stored").hasMessageContaining("key 'two'")
            .hasMessageContaining("source " + world.rank() + ", dest " + world.rank() + ", tag 3");
        two.comm().send(Buf.copyOf(22L), world.rank(), 3);
        assertThat(receive(one.comm(), world.rank(), 3)).isEqualTo(11);
        assertThatThrownBy(() -> receive(one.comm(), world.rank(), 4)).hasMessageContaining("tag 4");
        assertThatThrownBy(() -> receive(one.comm(), 1 - world.rank(), 3)).hasMessageContaining("source " + (1 - world.rank()));
      }
    });
  }

  @RanksTest(n = {2})
  void aHistoryIsReplayedInOrder(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    for (String order : List.of("oldest", "newest")) {
      everywhere(mpi, pairs -> {
        Map<String, String> info = new LinkedHashMap<>(pairs);
        info.merge("kintsugi_persist_name", order, String::concat);
        try (PersistentComm p = make(world, "k", info)) {
          for (long i = 1; i <= 7; i++) {
            p.comm().send(Buf.copyOf(i), other, 5);
          }
        }
        try (PersistentComm p = make(world, "k", info)) {
          long[] expected = order.equals("oldest") ? new long[] {5, 6, 7} : new long[] {7, 6, 5};
          for (int round = 0; round < 2; round++) {
            assertThat(p.comm().iProbe(other, 5, null)).isTrue();
            for (long value : expected) {
              assertThat(receive(p.comm(), other, 5)).isEqualTo(value);
            }
            assertThat(p.comm().iProbe(other, 5, null)).isFalse();
            assertThatThrownBy(() -> receive(p.comm(), other, 5)).hasMessageContaining("all 3 stored messages")
                .hasMessageContaining("tag 5");
            p.rewind();
          }
        }
      }, "history", "3", "order", order);
    }
  }

  @RanksTest(n = {2})
  void whatANonblockingSendStoresANonblockingReceiveGetsBack(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    int me = world.rank();
    everywhere(mpi, info -> {
      try (PersistentComm p = make(world, "k", info); Buf large = Buf.allocateDoubles(100_000)) {
        large.putDouble(99_999, 3.5);
        Request[] sends =
            {p.comm().iSend(large, me, 1), p.comm().iSSend(Buf.copyOf(1, 2), me, 2),
                p.comm().iSend(Buf.copyOf((byte) 9), Comm.PROC_NULL, 3)};
        Request.waitAll(sends);
        double[] back = new double[100_000];
        int[] two = new int[2];
        Request[] receives = {p.comm().iRecv(Buf.wrap(back), me, 1), p.comm().iRecv(Buf.wrap(two), Comm.ANY_SOURCE, 2)};
        Status status = receives[1].waitFor(new Status());
        Request.waitAll(receives);
        assertThat(Request.testAll(receives)).isTrue();
        assertThat(back[99_999]).isEqualTo(3.5);
        assertThat(two).containsExactly(1, 2);
        assertThat(status.tag()).isEqualTo(2);
        assertThat(status.source()).isEqualTo(me);
        long[] value = {1};
        try (PersistentRequest send = p.comm().sendInit(Buf.wrap(value), me, 4)) {
          for (; value[0] < 4; value[0]++) {
            send.start();
            send.waitFor();
          }
        }
        assertThat(receive(p.comm(), me, 4)).isEqualTo(3);
        assertThatThrownBy(() -> p.comm().recv(Buf.wrap(new int[1]), me, 2)).isInstanceOf(TruncationException.class);
      }
    });
  }

  @RanksTest(n = {1})
  void whatIsReplacedIsStoredBeforeItIsReceived(Mpi mpi) throws IOException {
    everywhere(mpi, info -> {
      try (PersistentComm p = make(mpi.world(), "k", info)) {
        for (long i = 1; i <= 3; i++) {
          long[] value = {i};
          Status status = p.comm().sendRecvReplace(Buf.wrap(value), 0, 1, 0, 1, new Status());
          assertThat(value).containsExactly(i);
          assertThat(status.bytes()).isEqualTo(8);
        }
        p.comm().send(Buf.copyOf(9L), 0, 2);
        long[] value = {4};
        p.comm().sendRecvReplace(Buf.wrap(value), 0, 1, 0, 2, null);
        assertThat(value).containsExactly(9);
        assertThat(receive(p.comm(), 0, 1)).isEqualTo(4);
      }
    });
  }

  @RanksTest(n = {1})
  void derivedTypesAreStoredWithoutTheirHoles(Mpi mpi) throws IOException {
    everywhere(mpi, info -> {
      try (PersistentComm p = make(mpi.world(), "k", info); Datatype column = Datatype.vector(3, 1, 2, Datatype.INT);
          Buf matrix = Buf.allocateInts(6)) {
        for (int i = 0; i < 6; i++) {
          matrix.putInt(i, i);
        }
        p.comm().send(matrix.as(column, 1), 0, 1);
        int[] back = {-1, -1, -1, -1, -1, -1};
        p.comm().recv(Buf.wrap(back).as(column, 1), 0, 1);
        assertThat(back).containsExactly(0, -1, 2, -1, 4, -1);
        int[] dense = new int[3];
        assertThat(p.comm().recv(Buf.wrap(dense), 0, 1, new Status()).bytes()).isEqualTo(12);
        assertThat(dense).containsExactly(0, 2, 4);
      }
    });
  }

  @RanksTest(n = {3})
  void aProcessStoresForItselfOnSelf(Mpi mpi) throws IOException {
    int me = mpi.world().rank();
    everywhere(mpi, info -> {
      for (int pass = 0; pass < 2; pass++) {
        try (PersistentComm p = make(mpi.self(), "k", info)) {
          assertThat(p.restarted()).isEqualTo(pass > 0);
          if (pass > 0) {
            assertThat(receive(p.comm(), 0, 1)).isEqualTo(50 + me);
          }
          p.comm().send(Buf.copyOf(50L + me), 0, 1);
          p.comm().barrier();
        }
      }
    });
  }

  @RanksTest(n = {4})
  void partsOfASplitAreDistinguished(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    everywhere(mpi, info -> {
      info.remove("kintsugi_persist_name");
      for (int pass = 0; pass < 1; pass++) {
        try (Comm half = world.split(world.rank() % 2, 0);
            PersistentComm p = make(half, info.get("kintsugi_persist_store"), info)) {
          p.comm().send(Buf.copyOf(70L + world.rank()), 1 - half.rank(), 1);
          p.comm().barrier();
          assertThat(receive(p.comm(), 1 - half.rank(), 1)).isEqualTo(70 + (world.rank() + 2) % 4);
        }
      }
    });
  }

  @RanksTest(n = {2})
  void messagesAfterTheLastBarrierAreNotKept(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    int me = world.rank();
    everywhere(mpi, info -> {
      try (PersistentComm p = make(world, "k", info)) {
        p.comm().send(Buf.copyOf(1L), me, 1);
      }
      try (PersistentComm p = make(world, "k", info)) {
        assertThat(p.restarted()).as("no round is closed").isFalse();
        assertThatThrownBy(() -> receive(p.comm(), me, 1)).hasMessageContaining("nothing was ever stored");
        for (long i = 2; i < 30; i++) {
          p.comm().send(Buf.copyOf(i), me, 1);
          p.comm().send(Buf.copyOf(-i), 1 - me, 1);
          if (i % 10 == 0) {
            p.comm().barrier();
          }
        }
      }
      for (int pass = 0; pass < 2; pass++) {
        try (PersistentComm p = make(world, "k", info)) {
          assertThat(p.restarted()).isTrue();
          assertThat(receive(p.comm(), me, 1)).isEqualTo(20);
          assertThat(receive(p.comm(), 1 - me, 1)).isEqualTo(-20);
          p.comm().send(Buf.copyOf(99L), me, 1);
        }
      }
    }, "recover", "barrier");
  }

  @RanksTest(n = {2})
  void misuseIsReported(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    everywhere(mpi, info -> {
      try (PersistentComm p = make(world, "k", info)) {
        assertThatThrownBy(() -> p.comm().send(Buf.copyOf(1), 7, 1)).hasMessageContaining("dest 7");
        assertThatThrownBy(() -> p.comm().send(Buf.copyOf(1), 0, -4)).hasMessageContaining("tag -4");
        assertThatThrownBy(() -> p.comm().recv(Buf.copyOf(1), 9, 1)).hasMessageContaining("source 9");
        assertThatThrownBy(() -> p.comm().bcast(Buf.copyOf(1), 5)).hasMessageContaining("root 5");
        assertThatThrownBy(() -> p.comm().mProbe(0, 1)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(p.comm()::iBarrier).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> make(world, "k", info)).as("open twice").isInstanceOf(PersistException.class);
      }
      Map<String, String> bad = new LinkedHashMap<>(info);
      bad.put("kintsugi_persist_histroy", "3");
      assertThatThrownBy(() -> make(world, "k", bad)).hasMessageContaining("kintsugi_persist_histroy is unknown");
      bad.remove("kintsugi_persist_histroy");
      for (String[] pair : new String[][] {{"history", "0"}, {"order", "random"}, {"transparent", "yes"}, {"recover", "all"},
          {"sync", "x"}, {"memory", "1k"}, {"memory", "713031681"}, {"store", "no.such.Store"}}) {
        Map<String, String> one = new LinkedHashMap<>(info);
        one.put("kintsugi_persist_" + pair[0], pair[1]);
        assertThatThrownBy(() -> make(world, "k", one)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("kintsugi_persist_" + pair[0] + "=" + pair[1]);
      }
      Map<String, String> different = new LinkedHashMap<>(info);
      different.put("kintsugi_persist_history", String.valueOf(2 + world.rank()));
      assertThatThrownBy(() -> make(world, "k", different)).hasMessageContaining("ranks 0 and 1 differ in the info");
      Map<String, String> oneBad = new LinkedHashMap<>(info);
      oneBad.put("kintsugi_persist_order", world.rank() == 1 ? "bad" : "oldest");
      assertThatThrownBy(() -> make(world, "k", oneBad)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> make(world, "", info)).hasMessageContaining("key ''");
    });
  }

  @RanksTest(n = {2})
  void anotherNumberOfProcessesIsAnError(Mpi mpi) throws IOException {
    everywhere(mpi, info -> {
      try (PersistentComm p = make(mpi.world(), "k", info)) {
        p.comm().send(Buf.copyOf(1L), 0, 1);
      }
      if (mpi.world().rank() == 0) {
        assertThatThrownBy(() -> make(mpi.self(), "k", info)).isInstanceOf(PersistException.class)
            .hasMessageContaining("2 processes").hasMessageContaining("1 processes");
      }
      mpi.world().barrier();
    });
  }
}
