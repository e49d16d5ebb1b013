// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.persist.Entry.Kind;

/** Logs that are torn, truncated, flipped, foreign or empty never give back what was not stored. */
class DamagedLogTest {
  private static final int ENTRIES = 6;
  private static final int BYTES = 100;

  @TempDir
  private Path folder;

  private MessageStore store(int rank, String... pairs) {
    Map<String, String> info = new java.util.HashMap<>(Map.of(PersistSettings.DIR, folder.toString()));
    for (int i = 0; i < pairs.length; i += 2) {
      info.put(pairs[i], pairs[i + 1]);
    }
    MessageStore store = new FileMessageStore();
    store.open(new StoreContext("key", "0@0", rank, 2, "node", PersistSettings.of(info)));
    return store;
  }

  private Path file(int rank) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(path -> path.endsWith("rank-" + rank + ".log")).findFirst().orElseThrow();
    }
  }

  private static Entry entry(long number) {
    return new Entry(number, Kind.MESSAGE, 1, 7, number, BYTES);
  }

  private static ByteBuffer payload(long number) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
    while (bytes.hasRemaining()) {
      bytes.put((byte) (number * 7 + bytes.position()));
    }
    return bytes.flip();
  }

  private static void fill(MessageStore store, long from, long to) {
    for (long number = from; number <= to; number++) {
      store.append(entry(number), payload(number));
    }
  }

  /** Requires that the returned entries are the stored ones, in order; returns their number. */
  private static int requireTrue(MessageStore store, int source) {
    List<Entry> entries = store.entries(source, 0);
    for (int i = 0; i < entries.size(); i++) {
      assertThat(entries.get(i)).isEqualTo(entry(i + 1));
      ByteBuffer back = ByteBuffer.allocateDirect(BYTES);
      assertThat(store.read(source, entries.get(i), back)).isTrue();
      assertThat(back).isEqualTo(payload(i + 1));
    }
    return entries.size();
  }

  @Test
  void aWriteThatADeathHasTornIsLostAndNothingElse() throws IOException {
    try (MessageStore store = store(0)) {
      fill(store, 1, ENTRIES);
    }
    byte[] whole = Files.readAllBytes(file(0));
    int record = (int) Records.length(BYTES);
    for (int missing = 0; missing <= record; missing++) {
      Files.write(file(0), java.util.Arrays.copyOf(whole, whole.length - missing));
      try (MessageStore reader = store(1)) {
        assertThat(requireTrue(reader, 0)).as("%d bytes missing", missing).isEqualTo(missing == 0 ? ENTRIES : ENTRIES - 1);
      }
      try (MessageStore store = store(0)) {
        int left = requireTrue(store, 0);
        assertThat(left).isEqualTo(missing == 0 ? ENTRIES : ENTRIES - 1);
        fill(store, left + 1, ENTRIES + 2);
        assertThat(requireTrue(store, 0)).isEqualTo(ENTRIES + 2);
      }
    }
  }

  @Test
  void aFlippedBitIsNeverGivenBack() throws IOException {
    try (MessageStore store = store(0)) {
      fill(store, 1, ENTRIES);
    }
    byte[] whole = Files.readAllBytes(file(0));
    int told = 0;
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= (byte) (1 << at % 8);
      Files.write(file(0), damaged);
      try (MessageStore reader = store(1)) {
        int left = requireTrue(reader, 0);
        // The gaps between text, payload and the next record mean nothing; the length in the last header may reach beyond the
        // end.
        assertThat(left).isGreaterThanOrEqualTo(ENTRIES - 1);
      } catch (PersistException e) {
        assertThat(e).hasMessageContaining(file(0).toString());
        told++;
      }
    }
    assertThat(told).isGreaterThan(ENTRIES * BYTES);
  }

  @Test
  void foreignAndEmptyFilesAreRefused() throws IOException {
    try (MessageStore store = store(0)) {
      fill(store, 1, 2);
    }
    for (byte[] content : new byte[][] {{}, "something else altogether, and long enough".getBytes(), new byte[5000]}) {
      Files.write(file(0), content);
      assertThatThrownBy(() -> store(0)).isInstanceOf(PersistException.class).hasMessageContaining("rank-0.log");
      try (MessageStore reader = store(1)) {
        assertThatThrownBy(() -> reader.entries(0, 0)).isInstanceOf(PersistException.class).hasMessageContaining("rank-0.log");
      }
    }
    Files.copy(file(1), file(0), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> store(0)).hasMessageContaining("rank 1, and not of").hasMessageContaining("rank 0");
  }

  /** With fewer processes than before rank 0 may be another one. */
  @Test
  void whatWasStoredInAnotherWorldIsNotTakenForOnesOwn() {
    PersistSettings settings = PersistSettings.of(Map.of(PersistSettings.DIR, folder.toString()));
    try (MessageStore store = new FileMessageStore()) {
      store.open(new StoreContext("key", "0@1", 0, 1, 4, "node", settings));
    }
    try (MessageStore store = new FileMessageStore()) {
      assertThatThrownBy(() -> store.open(new StoreContext("key", "0@1", 0, 1, 3, "node", settings)))
          .isInstanceOf(PersistException.class).hasMessageContaining("1 processes of 4 in the world")
          .hasMessageContaining("use another key");
    }
  }

  @Test
  void filesAreTheirOwnersOnly() throws IOException {
    try (MessageStore store = store(0)) {
      fill(store, 1, 1);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file(0)))).isEqualTo("rw-------");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file(0).getParent()))).isEqualTo("rwx------");
    }
  }

  /** The owner may be writing after the last entry that is known to be whole. */
  @Test
  void whatIsInWritingIsNotDamage() throws IOException {
    try (FileLog own = FileLog.own(folder.resolve("log"), "identity"); FileLog other = FileLog.other(folder.resolve("log"))) {
      for (long number = 1; number <= 3; number++) {
        own.append(entry(number), payload(number));
      }
      assertThat(other.refresh(4)).as("entry 4 has not come").isFalse();
      Files.write(folder.resolve("log"), new byte[200], java.nio.file.StandardOpenOption.APPEND);
      assertThat(other.refresh(3)).isTrue();
      assertThat(other.entries(0)).hasSize(3);
      own.append(entry(4), payload(4));
      assertThat(other.refresh(4)).isTrue();
      own.forget(4);
      assertThat(other.refresh(4)).as("it was there").isTrue();
      assertThatThrownBy(() -> other.refresh(5)).hasMessageContaining("is damaged at byte").hasMessageContaining("another key");
      own.requireInPlace();
      Files.delete(folder.resolve("log"));
      assertThatThrownBy(own::requireInPlace).hasMessageContaining("was removed while it was in use");
    }
  }

  @Test
  void aFolderThatCannotBeMadeIsReported() throws IOException {
    Path file = Files.writeString(folder.resolve("a-file"), "not a folder");
    assertThatThrownBy(() -> store(0, PersistSettings.DIR, file.toString())).isInstanceOf(PersistException.class)
        .hasMessageContaining("rank 0 cannot open").hasMessageContaining("a-file");
  }

  @Test
  void twoOwnersAtOnceAreRefused() {
    try (MessageStore store = store(0)) {
      fill(store, 1, 1);
      assertThatThrownBy(() -> store(0)).isInstanceOf(PersistException.class).hasMessageContaining("is in use");
    }
    store(0).close();
  }

  @Test
  void aReaderFollowsWhatTheOwnerForgetsAndStoresAnew() {
    try (MessageStore store = store(0); MessageStore reader = store(1)) {
      fill(store, 1, ENTRIES);
      assertThat(requireTrue(reader, 0)).isEqualTo(ENTRIES);
      store.cut(2);
      // First the length of the cut entries is written again, then more.
      Entry other = new Entry(3, Kind.MESSAGE, 1, 8, 1, BYTES);
      store.append(other, payload(77));
      fill(store, 4, ENTRIES + 2);
      assertThat(reader.entries(0, 2).get(0)).isEqualTo(other);
      assertThat(reader.entries(0, 0)).hasSize(ENTRIES + 2);
      ByteBuffer back = ByteBuffer.allocateDirect(BYTES);
      assertThat(reader.read(0, other, back)).isTrue();
      assertThat(back).isEqualTo(payload(77));
      store.clear();
      assertThat(reader.entries(0, 0)).isEmpty();
      fill(store, 1, ENTRIES);
      assertThat(requireTrue(reader, 0)).isEqualTo(ENTRIES);
    }
  }

  @Test
  void aReaderFollowsTheNextOwner() {
    try (MessageStore reader = store(1)) {
      try (MessageStore store = store(0)) {
        fill(store, 1, ENTRIES);
        assertThat(requireTrue(reader, 0)).isEqualTo(ENTRIES);
      }
      try (MessageStore successor = store(0)) {
        successor.cut(1);
        fill(successor, 2, ENTRIES - 1);
        assertThat(requireTrue(reader, 0)).isEqualTo(ENTRIES - 1);
      }
    }
  }

  @Test
  void whatIsDroppedGivesItsRoomBack() throws IOException {
    try (MessageStore store = store(0); MessageStore reader = store(1)) {
      for (long number = 1; number <= 100_000; number++) {
        store.append(entry(number), payload(number));
        if (number > 3) {
          store.drop(entry(number - 3));
        }
        if (number % 9973 == 0) {
          ByteBuffer back = ByteBuffer.allocateDirect(BYTES);
          assertThat(reader.entries(0, number - 1)).containsExactly(entry(number));
          assertThat(reader.read(0, entry(number), back)).isTrue();
          assertThat(back).isEqualTo(payload(number));
        }
      }
      assertThat(Files.size(file(0))).isLessThan(5L << 20);
      store.cut(99_999);
      assertThat(store.entries(0, 0)).endsWith(entry(99_999)).doesNotContain(entry(100_000));
    }
    try (MessageStore store = store(0)) {
      assertThat(store.entries(0, 0)).endsWith(entry(99_999));
      fill(store, 100_000, 100_001);
      assertThat(store.entries(0, 99_999)).containsExactly(entry(100_000), entry(100_001));
    }
  }

  @Test
  void whatIsForgottenASuccessorDoesNotSee() {
    try (MessageStore store = store(0)) {
      fill(store, 1, ENTRIES);
      store.forget(entry(ENTRIES - 1));
      store.forget(entry(ENTRIES));
      store.drop(entry(1)); // may stay
    }
    try (MessageStore store = store(0)) {
      assertThat(requireTrue(store, 0)).isEqualTo(ENTRIES - 2);
      fill(store, ENTRIES - 1, ENTRIES + 1); // the same numbers
      store.cut(ENTRIES);
      assertThat(requireTrue(store, 0)).isEqualTo(ENTRIES);
    }
    try (MessageStore store = store(0)) {
      assertThat(requireTrue(store, 0)).isEqualTo(ENTRIES);
    }
  }

  @Test
  void aReaderInMemoryNeverSeesHalfAnEntry() throws Exception {
    Path file = folder.resolve("rank-0.mem");
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    try (MappedLog own = MappedLog.own(file, "identity", 1 << 20); MappedLog other = MappedLog.other(file)) {
      Thread reader = new Thread(() -> {
        try {
          ByteBuffer back = ByteBuffer.allocateDirect(BYTES);
          long last = 0;
          while (!done.get()) {
            List<Entry> entries = other.entries(last);
            for (Entry entry : entries) {
              last = entry.number();
              if (other.read(entry, back.clear()) && !back.equals(payload(entry.number()))) {
                throw new AssertionError("entry " + entry.number() + " is not what was stored");
              }
            }
          }
        } catch (Throwable e) {
          failed.set(e);
        }
      });
      reader.start();
      for (long number = 1; number <= 60_000; number++) {
        own.append(entry(number), payload(number));
        own.drop(number - 5);
      }
      done.set(true);
      reader.join();
      assertThat(failed.get()).isNull();
      assertThat(own.entries(0)).hasSize(5);
      assertThat(other.entries(0)).containsExactlyElementsOf(own.entries(0));
    }
    try (MappedLog again = MappedLog.own(file, "identity", 1 << 20)) {
      assertThat(again.entries(0)).extracting(Entry::number).containsExactly(59_996L, 59_997L, 59_998L, 59_999L, 60_000L);
    }
    assertThatThrownBy(() -> MappedLog.own(file, "another", 1 << 20)).hasMessageContaining("is of identity, and not of another");
  }

  @Test
  void aFlippedBitInMemoryIsNeverGivenBack() throws IOException {
    Path file = folder.resolve("rank-0.mem");
    try (MappedLog own = MappedLog.own(file, "identity", 1 << 16)) {
      for (long number = 1; number <= ENTRIES; number++) {
        own.append(entry(number), payload(number));
      }
    }
    byte[] whole = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(1);
    int told = 0;
    for (int i = 0; i < 600; i++) {
      byte[] damaged = whole.clone();
      int at = 4096 + random.nextInt(ENTRIES * (int) Records.length(BYTES));
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, damaged);
      try (MappedLog log = MappedLog.other(file)) {
        for (Entry entry : log.entries(0)) {
          ByteBuffer back = ByteBuffer.allocateDirect(BYTES);
          if (log.read(entry, back) && !back.equals(payload(entry.number()))) {
            fail("a flipped bit was given back");
          }
        }
      } catch (PersistException e) {
        told++;
      }
    }
    assertThat(told).isGreaterThan(500);
  }

  @Test
  void memoryHasABound() throws IOException {
    try (MappedLog own = MappedLog.own(folder.resolve("rank-0.mem"), "identity", 1 << 16)) {
      assertThatThrownBy(() -> {
        for (long number = 1; number <= 1000; number++) {
          own.append(entry(number), payload(number));
        }
      }).isInstanceOf(PersistException.class).hasMessageContaining("raise info kintsugi_persist_memory");
      int kept = own.entries(0).size();
      assertThat(kept * Records.length(BYTES)).isBetween((1L << 16) - 200, 1L << 16);
      own.drop(1);
      own.append(entry(1001), payload(1001));
      assertThat(own.entries(0)).hasSize(kept).endsWith(entry(1001));
    }
  }
}
