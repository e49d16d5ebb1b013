// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.checkpoint.ScrNodes;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.ci.ranks.Waiting;
import org.kintsugi.launch.Job;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.persist.PersistException;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.persist.StoreContext;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.RanksTest;

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
          PersistentComm p = PersistentComm.of(world, "own store", info)) {
        assertThat(p.restarted()).isEqualTo(pass > 0);
        long[] value = {-1};
        if (pass > 0) {
          p.comm().recv(Buf.wrap(value), world.rank(), 1);
          assertThat(value[0]).isEqualTo(8 + world.rank());
        }
        p.comm().send(Buf.copyOf(7L + world.rank()), world.rank(), 1);
        p.comm().send(Buf.copyOf(8L + world.rank()), world.rank(), 1);
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
  void aFailureToForgetOnOneRankIsReportedToAll(Mpi mpi) {
    try (Info info = Info.of(Map.of("kintsugi_persist_store", UnforgettingStore.class.getName()));
        PersistentComm p = PersistentComm.of(mpi.world(), "unforgotten", info)) {
      p.comm().send(Buf.copyOf(1L), mpi.world().rank(), 1);
      assertThatThrownBy(p::forget).isInstanceOf(PersistException.class).hasMessageContaining("a disk is gone");
      mpi.world().barrier();
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

  /** H2 as a server in a separate process, on a free port. */
  private final class Server implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("tcp://[^ ]*:(\\d+) ");
    private static final long LIMIT_SECONDS = 60;

    private final Path output = folder.resolve("server");
    private final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
        System.getProperty("java.class.path"), "org.h2.tools.Server", "-tcp", "-tcpPort", "0", "-ifNotExists",
        "-baseDir", folder.toString()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    private final String port;

    /** When it can be reached. */
    Server() throws IOException, InterruptedException {
      try {
        Waiting.until("the server's port", LIMIT_SECONDS, () -> PORT.matcher(Files.readString(output)).find(),
            () -> Files.readString(output));
      } catch (AssertionError noServer) {
        process.destroy();
        throw noServer;
      }
      Matcher said = PORT.matcher(Files.readString(output));
      said.find();
      port = said.group(1);
    }

    RankJob job(int ranks, int spares) {
      return RankJob.of(ranks, spares).jvm("-Dkintsugi.persist.url=jdbc:h2:tcp://localhost:" + port + "/./messages");
    }

    @Override
    public void close() {
      process.destroy();
      assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(LIMIT_SECONDS));
    }
  }

  @Test
  void aDatabaseServerIsReachedByItsUrl() throws IOException, InterruptedException {
    try (Server server = new Server()) {
      RankJob.Outcome outcome =
          server.job(3, 1).run(PersistScenario.class, "jdbc", "10", "2", "1", "30", "1").assertSuccess();
      assertThat(List.of("0", "1", "2")).allSatisfy(
          rank -> assertThat(outcome.reports().get(rank)).as(outcome.output()).isEqualTo("1 true true"));
      assertThat(folder.resolve("messages.mv.db")).exists();
    }
  }

  /** Runs in one rank: stores a number, waits for a file, stores the next, as often as there are files. */
  static final class StoresInTurn {
    public static void main(String[] args) throws InterruptedException, IOException {
      try (Mpi mpi = Mpi.init(args);
          Info info = Info.of(Map.of("kintsugi_persist_store", "jdbc"));
          PersistentComm self = PersistentComm.of(mpi.self(), "one key", info)) {
        int[] number = {0};
        if (self.restarted()) {
          self.comm().recv(Buf.wrap(number), 0, 0);
        }
        StringBuilder story = new StringBuilder("from " + number[0]);
        try {
          for (int i = 1; i < args.length; i++) {
            number[0]++;
            self.comm().send(Buf.wrap(number), 0, 0);
            story.append(", ").append(number[0]);
            Files.writeString(Path.of(args[i] + ".reached"), "");
            Meeting.await(Path.of(args[i]));
          }
        } catch (PersistException e) {
          story.append(", ").append(e.getMessage());
        }
        RankJob.report(args[0], "0", story.toString());
      }
    }
  }

  /** Which one is right cannot be known; but the stored messages are of one of them, and the other gets an exception. */
  @Test
  void theSecondJobWithAKeyTakesOverOnAServer() throws IOException, InterruptedException {
    Path go = folder.resolve("go");
    Path now = Files.writeString(folder.resolve("now"), "");
    try (Server server = new Server()) {
      CompletableFuture<RankJob.Outcome> first = CompletableFuture
          .supplyAsync(() -> server.job(1, 0).run(StoresInTurn.class, now.toString(), go.toString(), now.toString()));
      Path reached = folder.resolve("go.reached");
      Waiting.until("the first job stores, or ends", Server.LIMIT_SECONDS, () -> Files.exists(reached) || first.isDone());
      assertThat(first).isNotDone();
      RankJob.Outcome second = server.job(1, 0).run(StoresInTurn.class, now.toString(), now.toString()).assertSuccess();
      assertThat(second.reports()).containsEntry("0", "from 2, 3, 4");
      Files.writeString(go, "");
      assertThat(first.join().assertSuccess().reports().get("0")).startsWith("from 0, 1, 2, rank 0 can store nothing more")
          .contains("another process has taken over", "the same key");
      assertThat(server.job(1, 0).run(StoresInTurn.class).assertSuccess().reports()).containsEntry("0", "from 4");
    }
  }
}
