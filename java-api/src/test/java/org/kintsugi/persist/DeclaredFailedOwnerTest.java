// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.persist.Entry.Kind;

/** An owner of a log that was replaced, but still runs, cannot change its successor's log. */
class DeclaredFailedOwnerTest {
  private static final String IDENTITY = "key 0@0";
  private static final int BYTES = 64 << 10;
  private static final int STORED = 3;

  @TempDir
  private Path folder;
  private Path file;
  private FileLog declaredFailed;

  @BeforeEach
  void begin() throws IOException {
    file = folder.resolve("rank-0.log");
    declaredFailed = FileLog.own(file, IDENTITY);
    for (long number = 1; number <= STORED; number++) {
      declaredFailed.append(entry(number), payload(number));
    }
  }

  private static Entry entry(long number) {
    return new Entry(number, Kind.MESSAGE, 1, 7, number, BYTES);
  }

  private static ByteBuffer payload(long number) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
    while (bytes.hasRemaining()) {
      bytes.put((byte) number);
    }
    return bytes.flip();
  }

  private void assertHas(long... numbers) throws IOException {
    try (FileLog reader = FileLog.other(file)) {
      assertThat(reader.entries(0).stream().mapToLong(Entry::number).toArray()).containsExactly(numbers);
      for (Entry one : reader.entries(0)) {
        ByteBuffer back = ByteBuffer.allocateDirect(BYTES);
        assertThat(reader.read(one, back)).isTrue();
        assertThat(back).isEqualTo(payload(one.number()));
      }
    }
  }

  @Test
  void theSuccessorHasAllThatWasStored() throws IOException {
    try (FileLog successor = FileLog.ownCopy(file, IDENTITY)) {
      assertThat(successor.last()).isEqualTo(STORED);
      assertHas(1, 2, 3);
    }
  }

  @Test
  void whatTheOtherStillAppendsOrCutsOffIsNotTheSuccessors() throws IOException {
    try (FileLog successor = FileLog.ownCopy(file, IDENTITY)) {
      declaredFailed.append(entry(4), payload(77));
      successor.append(entry(4), payload(4));
      declaredFailed.append(entry(5), payload(78));
      declaredFailed.cut(1);
      assertHas(1, 2, 3, 4);
    }
  }

  @Test
  void theOtherDoesNotPutItsOwnInPlace() throws IOException {
    try (FileLog successor = FileLog.ownCopy(file, IDENTITY)) {
      long number = STORED;
      assertThatThrownBy(() -> {
        // Enough for it to write its log anew.
        for (long next = STORED + 1; next < 200; next++) {
          declaredFailed.append(entry(next), payload(next));
          declaredFailed.drop(next);
        }
      }).isInstanceOf(PersistException.class).hasMessageContaining("was replaced while it was in use");
      assertThat(successor.last()).isEqualTo(number);
      assertHas(1, 2, 3);
      assertThat(Files.list(folder).toList()).containsExactly(file);
    }
  }

  @Test
  void aWriteThatIsUnderWayIsLeftOut() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - BYTES / 2));
    try (FileLog successor = FileLog.ownCopy(file, IDENTITY)) {
      successor.append(entry(STORED), payload(STORED));
      assertHas(1, 2, 3);
    }
  }
}
