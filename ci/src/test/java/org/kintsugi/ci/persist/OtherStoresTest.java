// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.checkpoint.ScrNodes;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.ci.ranks.RanksTest;
import org.kintsugi.launch.Job;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.persist.PersistException;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.persist.StoreContext;

/** Stores that are not built in: a class of the program's own, and a database server by its URL. */
class OtherStoresTest {
  @TempDir
  private Path folder;

  @RanksTest(n = {2})
  void aStoreTakesOneClass(Mpi mpi) {
    Comm world = mpi.world();
    for (int pass = 0; pass < 2; pass++) {
      try (Info info =
          Info.of(Map.of("kintsugi_persist_store", HeapMessageStore.class.getName(), "kintsugi_persist_name", "heap"));
          PersistentComm p = world.persist("own store", info)) {
        assertThat(p.restarted()).isEqualTo(pass > 0);
        long[] value = {-1};
        if (pass > 0) {
          p.recv(Buf.of(value), world.rank(), 1);
          assertThat(value[0]).isEqualTo(8 + world.rank());
        }
        p.send(Buf.of(7L + world.rank()), world.rank(), 1);
        p.send(Buf.of(8L + world.rank()), world.rank(), 1);
      }
    }
  }

  /** One process cannot forget. */
  public static final class UnforgettingStore extends HeapMessageStore {
    private int rank;

    @Override
    public void open(StoreContext context) {
      super.open(context);
      rank = context.rank();
    }

    @Override
    public void clear() {
      if (rank == 1) {
        throw new PersistException("a disk is gone");
      }
      super.clear();
    }
  }

  @RanksTest(n = {3})
  void whatOneCannotForgetAllAreTold(Mpi mpi) {
    try (Info info = Info.of(Map.of("kintsugi_persist_store", UnforgettingStore.class.getName()));
        PersistentComm p = mpi.world().persist("unforgotten", info)) {
      p.send(Buf.of(1L), mpi.world().rank(), 1);
      assertThatThrownBy(p::forget).isInstanceOf(PersistException.class).hasMessageContaining("a disk is gone");
      mpi.world().barrier();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void theEmbeddedDatabaseServesOneNode() throws IOException {
    RankJob.Outcome outcome = ScrNodes.sharing(folder).job(3, 0)
        .jvm("-Dkintsugi.persist.dir=" + folder.resolve("messages"))
        .run(PersistScenario.class, "jdbc", "10", "2", "1", "30", "1");
    assertThat(outcome.exitCode()).as(outcome.output()).isNotIn(0, Job.TIMED_OUT);
    assertThat(outcome.output()).contains("the embedded database serves one node", "kintsugi_persist_url");
  }

  @Test
  void aDatabaseServerIsReachedByItsUrl() throws IOException, InterruptedException {
    int port = freePort();
    Process server = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
        System.getProperty("java.class.path"), "org.h2.tools.Server", "-tcp", "-tcpPort", String.valueOf(port), "-ifNotExists",
        "-baseDir", folder.toString()).redirectErrorStream(true).redirectOutput(folder.resolve("server").toFile()).start();
    try {
      RankJob.Outcome outcome = RankJob.of(3, 1).timeoutSeconds(60)
          .jvm("-Dkintsugi.persist.url=jdbc:h2:tcp://localhost:" + port + "/./messages")
          .run(PersistScenario.class, "jdbc", "10", "2", "1", "30", "1").assertSuccess();
      assertThat(List.of("0", "1", "2")).allSatisfy(
          rank -> assertThat(outcome.reports().get(rank)).as(outcome.output()).isEqualTo("1 true true"));
      assertThat(folder.resolve("messages.mv.db")).exists();
    } finally {
      server.destroy();
      assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
  }
}
