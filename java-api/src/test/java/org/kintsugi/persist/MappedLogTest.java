// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.persist.Entry.Kind;

/** A log in memory, as readers and successors see it while its owner changes it, and its size. */
class MappedLogTest {
  private static final int MEMORY = 1 << 16;

  @TempDir
  private Path folder;

  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("rank-0.mem");
  }

  private static void append(MappedLog log, long number, int bytes) throws IOException {
    ByteBuffer payload = ByteBuffer.allocateDirect(bytes);
    for (int i = 0; i < bytes; i++) {
      payload.put(i, (byte) number);
    }
    log.append(new Entry(number, Kind.MESSAGE, 0, 1, number, bytes), payload);
  }

  private static List<Long> numbers(MappedLog log) {
    return log.entries(0).stream().map(Entry::number).toList();
  }

  private static void requireContents(MappedLog log) {
    for (Entry entry : log.entries(0)) {
      ByteBuffer back = ByteBuffer.allocateDirect((int) entry.bytes());
      assertThat(log.read(entry, back)).isTrue();
      for (int i = 0; i < back.limit(); i++) {
        assertThat(back.get(i)).isEqualTo((byte) entry.number());
      }
    }
  }

  @Test
  void aListIsNeverOfBytesThatWereWrittenOverMeanwhile() throws Exception {
    int live = 300;
    AtomicLong appended = new AtomicLong(live);
    AtomicLong dropped = new AtomicLong();
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    try (MappedLog own = MappedLog.own(file, "identity", MEMORY); MappedLog other = MappedLog.other(file)) {
      for (long number = 1; number <= live; number++) {
        append(own, number, 8);
      }
      Thread reader = new Thread(() -> {
        try {
          while (!done.get()) {
            long last = appended.get();
            Set<Long> numbers = new HashSet<>(numbers(other));
            for (long number = dropped.get() + 1; number <= last; number++) {
              assertThat(numbers).contains(number);
            }
            assertThat(numbers).isNotEmpty();
          }
        } catch (Throwable e) {
          failed.set(e);
        }
      });
      reader.start();
      for (long number = live + 1; number <= 300_000; number++) {
        append(own, number, 8);
        appended.set(number);
        dropped.set(number - live);
        own.drop(number - live);
      }
      done.set(true);
      reader.join();
      assertThat(failed.get()).isNull();
    }
  }

  @Test
  void whatAnotherGivesBackIsThereAsAWholeOrNotAtAll() throws IOException {
    ByteBuffer blob;
    try (MappedLog source = MappedLog.own(folder.resolve("source"), "source", MEMORY)) {
      for (long number = 1; number <= 5; number++) {
        append(source, number, 100);
      }
      blob = Replicas.records(source, source.entries(0), List.of(), 0);
    }
    ByteBuffer torn = Records.buffer(blob.limit()).put(blob.duplicate()).flip().order(blob.order());
    torn.put(torn.limit() - 50, (byte) 77); // in the last message
    try (MappedLog own = MappedLog.own(file, "identity", MEMORY); MappedLog other = MappedLog.other(file)) {
      assertThatThrownBy(() -> Replicas.store(torn, own)).isInstanceOf(PersistException.class).hasMessageContaining("damaged");
      assertThat(numbers(own)).isEmpty();
      assertThat(numbers(other)).isEmpty();
      own.cut(0);
      // As a death at any message would leave it.
      List<Long> seen = new ArrayList<>();
      own.atOnce(blob.remaining(), () -> {
        for (long number = 1; number <= 5; number++) {
          append(own, number, 100);
          seen.addAll(numbers(other));
        }
      });
      assertThat(seen).isEmpty();
      assertThat(numbers(other)).containsExactly(1L, 2L, 3L, 4L, 5L);
      requireContents(other);
    }
  }

  @Test
  void aCutIsDoneAtOnceAndReadersFollow() throws IOException {
    try (MappedLog own = MappedLog.own(file, "identity", MEMORY); MappedLog other = MappedLog.other(file)) {
      for (long number = 1; number <= 9; number++) {
        append(own, number, 100);
      }
      own.drop(4);
      assertThat(numbers(other)).hasSize(8);
      own.cut(4);
      assertThat(numbers(other)).containsExactly(1L, 2L, 3L);
      append(own, 4, 300); // other bytes where the reader has been
      append(own, 5, 20);
      assertThat(numbers(other)).containsExactly(1L, 2L, 3L, 4L, 5L);
      requireContents(other);
      own.cut(0);
      assertThat(numbers(other)).isEmpty();
      append(own, 1, 30);
      requireContents(other);
    }
    try (MappedLog again = MappedLog.own(file, "identity", MEMORY)) {
      assertThat(numbers(again)).containsExactly(1L);
    }
  }

  /** Nothing is dropped of what was there before a failure until all have had the chance to receive it. */
  @Test
  void whatCouldBeStoredBeforeAFailureCanBeStoredAfterIt() throws IOException {
    int half = MEMORY / 2 - Records.HEADER_BYTES;
    int quarter = MEMORY / 4 - Records.HEADER_BYTES;
    try (MappedLog own = MappedLog.own(file, "identity", MEMORY)) {
      for (long number = 1; number <= 3; number++) {
        append(own, number, number < 3 ? quarter : half);
      }
      assertThatThrownBy(() -> append(own, 4, 8)).hasMessageContaining("raise info kintsugi_persist_memory");
      own.drop(3);
    }
    try (MappedLog own = MappedLog.own(file, "identity", MEMORY)) {
      for (long number = 4; number <= 6; number++) {
        append(own, number, number < 6 ? quarter : half);
      }
      assertThatThrownBy(() -> append(own, 7, 8)).hasMessageContaining("raise info kintsugi_persist_memory");
      own.drop(1);
      own.drop(2);
      assertThatThrownBy(() -> append(own, 7, 8)).as("of its own it has as much as ever").isInstanceOf(PersistException.class);
      own.drop(4);
      append(own, 7, quarter);
      assertThat(numbers(own)).containsExactly(5L, 6L, 7L);
      requireContents(own);
    }
  }
}
