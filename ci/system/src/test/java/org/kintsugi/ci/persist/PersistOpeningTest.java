// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.persist.PersistException;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.test.RanksTest;
import org.kintsugi.test.TemporaryFolder;

/**
 * Communicators whose processes find logs that do not fit together.
 *
 * <p>All processes get the same error, and no message is lost by it.
 */
@Tag("flavours")
@Tag("once")
class PersistOpeningTest {
  private static PersistentComm make(Comm comm, String... pairs) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      all.put("kintsugi_persist_" + pairs[i], pairs[i + 1]);
    }
    try (Info info = Info.of(all)) {
      return PersistentComm.of(comm, "opening", info);
    }
  }

  private static long receive(Comm comm, int source) {
    long[] value = {-1};
    comm.recv(Buf.wrap(value), source, 1);
    return value[0];
  }

  private static Path file(Path folder, String name) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(path -> path.endsWith(name)).findFirst().orElseThrow();
    }
  }

  @RanksTest(n = {3})
  void allReportTheRankWhoseMessagesAreLostAndNothingIsCut(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    TemporaryFolder folder = PersistentCommTest.sharedFolder(world);
    try {
      String[] settings =
          {"store", "file", "dir", folder.path().toString(), "recover", "barrier", "name", "lost", "history", "2"};
      try (PersistentComm p = make(world, settings)) {
        for (long i = 1; i <= 3; i++) {
          p.comm().send(Buf.copyOf(i), world.rank(), 1);
          p.comm().barrier();
        }
      }
      world.barrier();
      Path aside = folder.path().resolve("aside");
      Path log = file(folder.path(), "rank-1.log");
      world.barrier();
      if (world.rank() == 1) {
        Files.move(log, aside);
      }
      world.barrier();
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> make(world, settings)).isInstanceOf(PersistException.class)
            .hasMessageContaining("rank 1 has ended round 0 last, and rank 0 round 3").hasMessageContaining(log.toString())
            .hasMessageContaining("use another key");
      }
      world.barrier();
      if (world.rank() == 1) {
        Files.delete(log);
        Files.move(aside, log);
      }
      world.barrier();
      try (PersistentComm p = make(world, settings)) {
        assertThat(p.restarted()).isTrue();
        assertThat(receive(p.comm(), world.rank())).isEqualTo(2);
        assertThat(receive(p.comm(), world.rank())).isEqualTo(3);
      }
      world.barrier();
    } finally {
      if (world.rank() == 0) {
        folder.close();
      }
    }
  }

  @RanksTest(n = {2})
  void aFolderThatIsRemovedMeanwhileIsReported(Mpi mpi) throws IOException {
    Comm world = mpi.world();
    TemporaryFolder folder = PersistentCommTest.sharedFolder(world);
    try (PersistentComm p = make(world, "store", "file", "dir", folder.path().toString(), "name", "removed")) {
      p.comm().send(Buf.copyOf(1L), world.rank(), 1);
      p.comm().barrier();
      if (world.rank() == 0) {
        folder.close();
      }
      world.barrier();
      p.comm().send(Buf.copyOf(2L), world.rank(), 1);
      assertThatThrownBy(p.comm()::barrier).isInstanceOf(PersistException.class)
          .hasMessageContaining("was removed while it was in use");
    }
    world.barrier();
  }

  /** Keeps what rank 1 is to forget, as if it had died before. */
  public static final class Forgetful extends HeapMessageStore {
    private static boolean fails = true;
    private int rank;

    @Override
    public void open(org.kintsugi.persist.StoreContext context) {
      rank = context.rank();
      super.open(context);
    }

    @Override
    public void clear() {
      if (fails && rank == 1) {
        fails = false;
        throw new PersistException("rank 1 dies here");
      }
      super.clear();
    }
  }

  @RanksTest(n = {2})
  void whatSomeHaveForgottenAllHave(Mpi mpi) {
    Comm world = mpi.world();
    for (String recover : List.of("newest", "barrier")) {
      String[] settings = {"store", Forgetful.class.getName(), "recover", recover, "name", recover};
      Forgetful.fails = true;
      try (PersistentComm p = make(world, settings)) {
        p.comm().send(Buf.copyOf(7L), world.rank(), 1);
        p.comm().barrier();
        assertThatThrownBy(p::forget).isInstanceOf(PersistException.class).hasMessageContaining("rank 1 dies here");
      }
      try (PersistentComm p = make(world, settings)) {
        assertThat(p.restarted()).as(recover).isFalse();
        p.comm().send(Buf.copyOf(8L), world.rank(), 1);
        p.comm().barrier();
      }
      try (PersistentComm p = make(world, settings)) {
        assertThat(p.restarted()).as("the mark is gone, too").isTrue();
        assertThat(receive(p.comm(), world.rank())).isEqualTo(8);
        p.forget();
      }
    }
  }

  @RanksTest(n = {3})
  void anySourceGivesEachMessageOnce(Mpi mpi) {
    Comm world = mpi.world();
    String[] settings = {"store", "memory", "name", "any"};
    for (int pass = 0; pass < 2; pass++) {
      try (PersistentComm p = make(world, settings)) {
        if (pass > 0) {
          for (int again = 0; again < 2; again++) {
            for (int source = 0; source < 3; source++) {
              assertThat(receive(p.comm(), Comm.ANY_SOURCE)).isEqualTo(10 * source);
            }
            assertThatThrownBy(() -> receive(p.comm(), Comm.ANY_SOURCE)).isInstanceOf(PersistException.class)
                .hasMessageContaining("all 3 stored messages").hasMessageContaining("rewind()");
            assertThat(receive(p.comm(), 1)).as("a named one is always there").isEqualTo(10);
            p.rewind();
          }
          for (int source = 0; source < 3; source++) {
            receive(p.comm(), Comm.ANY_SOURCE);
          }
          p.comm().barrier();
          p.comm().send(Buf.copyOf(10L * world.rank() + 1), 0, 1);
          p.comm().barrier();
          if (world.rank() == 0) {
            assertThat(receive(p.comm(), Comm.ANY_SOURCE)).as("a newer one").isEqualTo(1);
          }
        }
        for (int dest = 0; dest < 3 && pass == 0; dest++) {
          p.comm().send(Buf.copyOf(10L * world.rank()), dest, 1);
        }
        p.comm().barrier();
      }
    }
  }
}
