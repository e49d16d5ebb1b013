// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.persist.Entry;
import org.kintsugi.persist.MessageStore;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.persist.StoreContext;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/** A process is killed when it is about to forget, and the others have forgotten: then nothing is left of anybody's. */
@Tag("flavours")
@Tag("once")
class PersistForgetTest {
  private static final int RANKS = 3;

  /** One of Kintsugi's stores, and a death in the middle of forgetting. */
  public static final class Killing implements MessageStore {
    private static boolean kills;
    private static String store;
    private final MessageStore inner;

    /** For the store's name as an info value. */
    public Killing() throws ReflectiveOperationException {
      Constructor<?> constructor = Class.forName("org.kintsugi.persist." + store).getDeclaredConstructor();
      constructor.setAccessible(true);
      inner = (MessageStore) constructor.newInstance();
    }

    @Override
    public void clear() {
      if (kills) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500)); // the others are done
        Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
      }
      inner.clear();
    }

    @Override
    public void open(StoreContext context) {
      inner.open(context);
    }

    @Override
    public void append(Entry entry, ByteBuffer payload) {
      inner.append(entry, payload);
    }

    @Override
    public void drop(Entry entry) {
      inner.drop(entry);
    }

    @Override
    public void forget(Entry entry) {
      inner.forget(entry);
    }

    @Override
    public void cut(long number) {
      inner.cut(number);
    }

    @Override
    public List<Entry> entries(int source, long after) {
      return inner.entries(source, after);
    }

    @Override
    public boolean read(int source, Entry entry, ByteBuffer target) {
      return inner.read(source, entry, target);
    }

    @Override
    public void recover(Comm wire) {
      inner.recover(wire);
    }

    @Override
    public void settle(Comm wire) {
      inner.settle(wire);
    }

    @Override
    public void tidy() {
      inner.tidy();
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  /** Runs in the ranks. */
  static final class Forgets {
    public static void main(String[] args) {
      Killing.store = args[1];
      StringBuilder story = new StringBuilder();
      RunResult<Integer> outcome;
      try (Mpi mpi = Mpi.init(args);
          Info info = Info.of(Map.of("kintsugi_persist_store", Killing.class.getName(), "kintsugi_persist_recover", args[2],
              "kintsugi_persist_dir", args[0] + "/persist"))) {
        Kintsugi.kintsugi_parent_pid(); // loaded now
        outcome = Reinit.call(mpi, run -> {
          int rank = run.world().rank();
          Killing.kills = false;
          try (PersistentComm p = PersistentComm.of(run.world(), "forget", info)) {
            story.append(run.epoch()).append(p.restarted() ? " again" : " afresh").append(", ");
            if (p.restarted()) {
              p.comm().recv(Buf.wrap(new long[1]), rank, 1);
            }
            p.comm().send(Buf.copyOf(7L), rank, 1);
            p.comm().barrier();
            Killing.kills = run.epoch() == 0 && rank == 1;
            p.forget();
          }
          return rank;
        });
      }
      if (!outcome.stayedSpare()) {
        RankJob.report(args[0], String.valueOf(outcome.value()), story.toString());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"MemoryMessageStore,newest", "FileMessageStore,newest"})
  void whatADeathCutsShortIsDoneAfterIt(String store, String recover) {
    RankJob.Outcome outcome = RankJob.of(RANKS, 1).timeoutSeconds(60).run(Forgets.class, store, recover);
    outcome.assertSuccess();
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(outcome.reports().get(String.valueOf(rank))).as("rank " + rank + ": " + outcome.output())
          .endsWith("1 afresh, ");
    }
  }

  @Tag("series")
  @ParameterizedTest
  @CsvSource({"FileMessageStore,barrier", "JdbcMessageStore,newest"})
  void whatAFailureCutsShortIsDoneAfterItInOtherStoresAndFromABarrier(String store, String recover) {
    whatADeathCutsShortIsDoneAfterIt(store, recover);
  }
}
