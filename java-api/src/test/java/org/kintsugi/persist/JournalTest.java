// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.persist.Entry.Kind;

/** The entries that a journal keeps. */
class JournalTest {
  @TempDir
  private Path folder;

  /** Opens the journal of a single process, as it was left. */
  private void with(long closed, Consumer<Journal> program) {
    PersistSettings settings =
        PersistSettings.of(Map.of(PersistSettings.DIR, folder.toString(), PersistSettings.RECOVER, "barrier"));
    StoreContext context = new StoreContext("key", "0@0", 0, 1, "node", settings);
    try (MessageStore store = new FileMessageStore()) {
      store.open(context);
      Journal journal = new Journal(store, context);
      journal.load();
      assertThat(journal.round()).isEqualTo(closed);
      journal.cutToRound(closed);
      requireOneEnd(store, closed);
      journal.begin(new long[] {journal.lastNumber()});
      program.accept(journal);
    }
  }

  private static void requireOneEnd(MessageStore store, long round) {
    List<Entry> ends = store.entries(0, 0).stream().filter(entry -> entry.kind() == Kind.ROUND).toList();
    assertThat(ends).extracting(Entry::sequence).isEqualTo(round == 0 ? List.of() : List.of(round));
  }

  private static void close(Journal journal, int rounds) {
    for (int i = 0; i < rounds; i++) {
      journal.append(Kind.MESSAGE, 0, 1, ByteBuffer.allocateDirect(8));
      journal.endRound();
      journal.closeRound(new long[] {journal.lastNumber()});
    }
  }

  /** A store in which every drop fails while a condition holds. */
  private static MessageStore whoseDropsFail(MessageStore store, AtomicBoolean fails) {
    return (MessageStore) Proxy.newProxyInstance(JournalTest.class.getClassLoader(), new Class<?>[] {MessageStore.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("drop") && fails.get()) {
            throw new PersistException("the server is away");
          }
          try {
            return method.invoke(store, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  @Test
  void whatCannotBeDroppedFailsNoRoundAndLosesNoMessage() {
    PersistSettings settings = PersistSettings.of(
        Map.of(PersistSettings.DIR, folder.toString(), PersistSettings.RECOVER, "barrier", PersistSettings.MEMORY, "1000000"));
    StoreContext context = new StoreContext("key", "0@0", 0, 1, "node", settings);
    AtomicBoolean fails = new AtomicBoolean();
    try (MessageStore log = new FileMessageStore()) {
      log.open(context);
      Journal journal = new Journal(whoseDropsFail(log, fails), context);
      journal.load();
      journal.cutToRound(0);
      journal.begin(new long[] {0});
      close(journal, 2);
      fails.set(true);
      close(journal, 2);
      journal.append(Kind.MESSAGE, 0, 1, ByteBuffer.allocateDirect(16));
      journal.append(Kind.MESSAGE, 0, 1, ByteBuffer.allocateDirect(24));
      // The round's, and the newest.
      assertThat(log.entries(0, 0)).extracting(Entry::bytes).contains(8L, 24L);
      assertThat(log.entries(0, 0).size()).isGreaterThan(5);
      fails.set(false);
      journal.append(Kind.MESSAGE, 0, 1, ByteBuffer.allocateDirect(32));
      assertThat(log.entries(0, 0)).extracting(Entry::bytes).containsExactly(8L, 0L, 32L);
    }
    with(4, journal -> {});
  }

  /** Every receive costs about the same, however much is there. */
  @Test
  @Timeout(120)
  void aLongHistoryIsReadThroughInOrder() {
    int messages = 60_000;
    PersistSettings settings =
        PersistSettings.of(Map.of(PersistSettings.DIR, folder.toString(), PersistSettings.HISTORY, "all"));
    try (MessageStore mine = new FileMessageStore(); MessageStore others = new FileMessageStore()) {
      StoreContext context = new StoreContext("key", "0@0", 0, 2, "node", settings);
      mine.open(context);
      others.open(new StoreContext("key", "0@0", 1, 2, "node", settings));
      Journal journal = new Journal(mine, context);
      journal.load();
      journal.begin(new long[] {0, messages});
      for (long number = 1; number <= messages; number++) {
        journal.append(Kind.MESSAGE, 0, 1, ByteBuffer.allocateDirect(0));
        others.append(new Entry(number, Kind.MESSAGE, 0, 2, number, 0), ByteBuffer.allocateDirect(0));
      }
      others.append(new Entry(messages + 1, Kind.MESSAGE, 0, 2, messages + 1, 0), ByteBuffer.allocateDirect(0));
      for (long sequence = 1; sequence <= messages; sequence++) {
        for (int source = 0; source < 2; source++) {
          Journal.Found found = journal.next(source, source + 1, false);
          assertThat(found.entry().sequence()).isEqualTo(sequence);
          found.take().run();
        }
      }
      assertThat(journal.next(0, 1, false)).isNull();
      assertThat(journal.next(1, 2, false)).as("not settled").isNull();
      assertThat(journal.count(-1, -1)).isEqualTo(2 * messages);
    }
  }

  @Test
  void theNewestOfAHistoryAreThereInBothOrders() {
    for (String order : List.of("oldest", "newest")) {
      PersistSettings settings = PersistSettings.of(Map.of(PersistSettings.DIR, folder.resolve(order).toString(),
          PersistSettings.HISTORY, "3", PersistSettings.ORDER, order));
      try (MessageStore store = new FileMessageStore()) {
        StoreContext context = new StoreContext("key", "0@0", 0, 1, "node", settings);
        store.open(context);
        Journal journal = new Journal(store, context);
        journal.load();
        journal.begin(new long[] {0});
        for (int i = 0; i < 5; i++) {
          journal.append(Kind.MESSAGE, 0, 1, ByteBuffer.allocateDirect(8));
        }
        journal.closeRound(new long[] {5});
        for (int i = 0; i < 2; i++) {
          journal.append(Kind.MESSAGE, 0, 1, ByteBuffer.allocateDirect(8)); // beside 3, 4 and 5, which a failure would give back
        }
        List<Long> received = new ArrayList<>();
        for (Journal.Found found = journal.next(0, 1, false); found != null; found = journal.next(-1, -1, false)) {
          received.add(found.entry().sequence());
          found.take().run();
        }
        assertThat(received).isEqualTo(order.equals("oldest") ? List.of(5L, 6L, 7L) : List.of(7L, 6L, 5L));
      }
    }
  }

  @Test
  void whoWasAboutToForgetSaysSo() {
    with(0, journal -> {
      close(journal, 2);
      assertThat(journal.isForgotten()).isFalse();
      journal.markForgotten();
    });
    PersistSettings settings = PersistSettings.of(Map.of(PersistSettings.DIR, folder.toString()));
    StoreContext context = new StoreContext("key", "0@0", 0, 1, "node", settings);
    try (MessageStore store = new FileMessageStore()) {
      store.open(context);
      Journal journal = new Journal(store, context);
      journal.load();
      assertThat(journal.isForgotten()).isTrue();
      journal.clear();
      assertThat(journal.isForgotten()).isFalse();
    }
    with(0, journal -> {});
  }

  @Test
  void oneEndOfClosedRoundsIsLeft() {
    with(0, journal -> close(journal, 100));
    with(100, journal -> close(journal, 50));
    with(150, journal -> {
      journal.endRound(); // somebody else could not
      journal.reopenRound();
      assertThat(journal.round()).isEqualTo(150);
    });
    with(150, journal -> {
      close(journal, 1);
      journal.clear();
    });
    with(0, journal -> close(journal, 2));
    with(2, journal -> {});
  }
}
