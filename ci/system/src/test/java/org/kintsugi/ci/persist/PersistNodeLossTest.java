// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.persist.PersistException;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.test.RanksTest;

/**
 * The memory of a whole node is lost: messages stored before the last barrier come back from other nodes. Nodes are domains here
 * ({@code kintsugi.persist.domain}), and one is lost by removing its files while no process has them open, as replacements
 * find it.
 */
@Tag("flavours")
@Tag("once")
@Execution(ExecutionMode.SAME_THREAD)
class PersistNodeLossTest {
  private static final String DOMAIN = "kintsugi.persist.domain";

  private static PersistentComm make(Comm comm, int rank, int perNode) {
    return make(comm, "node" + rank / perNode, "n" + perNode, "barrier", "2");
  }

  private static PersistentComm make(Comm comm, String node, String name, String recover, String history) {
    System.setProperty(DOMAIN, node);
    try (Info info = Info.of(Map.of("kintsugi_persist_recover", recover, "kintsugi_persist_name", name,
        "kintsugi_persist_history", history, "kintsugi_persist_store", "memory"))) {
      return PersistentComm.of(comm, "nodes", info);
    } finally {
      System.clearProperty(DOMAIN);
    }
  }

  private static void lose(String node) throws IOException {
    Path job = Path.of(System.getProperty("kintsugi.job.dir"), "shm").toRealPath();
    Path folder = job.resolve("kintsugi-persist-" + node);
    assertThat(folder).isDirectory();
    try (Stream<Path> paths = Files.walk(folder)) {
      paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    }
    assertThat(folder).doesNotExist();
  }

  private static long[] receive(Comm comm, int source, int tag) {
    long[] message = new long[3000];
    comm.recv(Buf.wrap(message), source, tag);
    assertThat(message).containsOnly(message[0]);
    return message;
  }

  private static Buf message(long value) {
    long[] message = new long[3000];
    java.util.Arrays.fill(message, value);
    return Buf.wrap(message);
  }

  @RanksTest(n = {2, 4})
  void anyOneNodeMayBeLost(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    int me = world.rank();
    int size = world.size();
    int perNode = size / 2;
    int far = (me + perNode) % size;
    long round = 0;
    for (int loss = 0; loss < 3; loss++) {
      try (PersistentComm p = make(world, me, perNode)) {
        assertThat(p.restarted()).isEqualTo(loss > 0);
        if (loss > 0) {
          p.rewind();
          // A history of two, the older first.
          assertThat(receive(p.comm(), me, 1)[0]).isEqualTo(1000 * (round - 1) + me);
          assertThat(receive(p.comm(), me, 1)[0]).isEqualTo(1000 * round + me);
          assertThat(receive(p.comm(), far, 2)[0]).isEqualTo(1000 * (round - 1) + far);
          assertThat(receive(p.comm(), far, 2)[0]).isEqualTo(1000 * round + far);
          assertThat(p.comm().allReduce(0L, Op.SUM)).as("the older one").isEqualTo(size * (round - 1));
          p.resume();
        }
        for (int i = 0; i < 20; i++) {
          round++;
          p.comm().send(message(1000 * round + me), me, 1);
          p.comm().send(message(1000 * round + me), far, 2);
          p.comm().allReduce(round, Op.SUM);
          p.comm().barrier();
          p.rewind();
          if (round > 1) {
            assertThat(receive(p.comm(), far, 2)[0]).isEqualTo(1000 * (round - 1) + far);
          }
          assertThat(receive(p.comm(), far, 2)[0]).as("seen on the other node").isEqualTo(1000 * round + far);
        }
        p.comm().send(message(-1), me, 1); // after the last barrier
      }
      world.barrier();
      if (me == 0) {
        lose("node" + loss % 2);
      }
      world.barrier();
    }
  }

  private static void loseAlone(Comm world, String node) throws IOException {
    world.barrier();
    if (world.rank() == 0) {
      lose(node);
    }
    world.barrier();
  }

  /** Rank 0 has a copy of what rank 3 has sent to it, and rank 1 of all: both know of rank 3's last message. */
  @RanksTest(n = {4})
  void whatIsOnlyAPartIsNotTakenForAll(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    int me = world.rank();
    for (int pass = 0; pass < 3; pass++) {
      try (PersistentComm p = make(world, "part" + me / 2, "parts", "newest", "1")) {
        if (pass > 0) {
          assertThat(receive(p.comm(), me, 1)[0]).as("own state").isEqualTo(10 * pass + me);
          assertThat(receive(p.comm(), (me + 1) % 4, 2)[0]).as("boundary").isEqualTo(10 * pass + (me + 1) % 4);
        }
        p.comm().send(message(10 * (pass + 1) + me), me, 1);
        p.comm().send(message(10 * (pass + 1) + me), (me + 3) % 4, 2);
        p.comm().barrier();
      }
      loseAlone(world, "part" + (1 - pass % 2));
    }
  }

  @RanksTest(n = {4})
  void theNodeWithMostOfTheProcessesMayBeLost(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    int me = world.rank();
    String node = me == 1 ? "few" : "most";
    for (int pass = 0; pass < 3; pass++) {
      try (PersistentComm p = make(world, node, "uneven", "barrier", "1")) {
        assertThat(p.restarted()).isEqualTo(pass > 0);
        if (pass > 0) {
          assertThat(receive(p.comm(), me, 1)[0]).isEqualTo(pass * 10 + me);
        }
        for (int i = 0; i < 3; i++) {
          p.comm().send(message((pass + 1) * 10 + me), me, 1);
          p.comm().barrier();
        }
      }
      loseAlone(world, pass == 0 ? "most" : "few");
    }
  }

  @RanksTest(n = {2})
  void aFullMemoryIsReportedOnAllNodes(Mpi mpi) {
    Comm world = mpi.world();
    System.setProperty(DOMAIN, "full" + world.rank());
    try (Info info = Info.of(Map.of("kintsugi_persist_recover", "barrier", "kintsugi_persist_memory", "65536"));
        PersistentComm p = PersistentComm.of(world, "full", info)) {
      p.comm().barrier();
      if (world.rank() == 0) {
        p.comm().send(Buf.wrap(new byte[65536 - 2 * 48]), 0, 1); // there is no room for the end of the round
      }
      assertThatThrownBy(p.comm()::barrier).isInstanceOf(PersistException.class).hasMessageContaining("kintsugi_persist_memory");
      world.barrier();
    } finally {
      System.clearProperty(DOMAIN);
    }
  }

  @RanksTest(n = {4})
  void anOldLogOfAMovedProcessIsNotTakenForItsNewest(Mpi mpi) {
    Comm world = mpi.world();
    // Rank 1 dies on node 0, goes on on node 1, and comes back.
    for (long pass = 0; pass < 3; pass++) {
      int node = world.rank() == 1 ? (int) pass % 2 : world.rank() / 2;
      System.setProperty(DOMAIN, "moves" + node);
      try (Info info = Info.of(Map.of("kintsugi_persist_store", "memory", "kintsugi_persist_name", "moves"));
          PersistentComm p = PersistentComm.of(world, "moves", info)) {
        if (pass > 0) {
          long[] value = {-1};
          p.comm().recv(Buf.wrap(value), world.rank(), 1);
          assertThat(value).containsExactly(pass - 1);
        }
        p.comm().send(Buf.copyOf(pass), world.rank(), 1);
      } finally {
        System.clearProperty(DOMAIN);
      }
      world.barrier();
    }
  }
}
