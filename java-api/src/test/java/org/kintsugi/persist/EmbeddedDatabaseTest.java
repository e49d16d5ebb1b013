// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.persist.Entry.Kind;

/** The users who may use the embedded database, and read it. */
class EmbeddedDatabaseTest {
  private static final Entry ENTRY = new Entry(1, Kind.MESSAGE, 1, 7, 1, Long.BYTES);

  @TempDir
  private Path folder;

  private MessageStore store(String key, int rank) {
    MessageStore store = new JdbcMessageStore();
    store.open(new StoreContext(key, "0@0", rank, 2, "node", PersistSettings.of(Map.of(PersistSettings.DIR, folder.toString()))));
    return store;
  }

  private static void fill(MessageStore store) {
    store.append(ENTRY, ByteBuffer.allocateDirect(Long.BYTES));
  }

  @Test
  void anotherJobWithTheSameKeyAndFolderIsRefusedBeforeItTouchesAnything() {
    try (MessageStore store = store("key", 0)) {
      fill(store);
      assertThatThrownBy(() -> store("key", 0)).isInstanceOf(PersistException.class).hasMessageContaining("is in use",
          folder.toString());
      assertThat(store.entries(0, 0)).containsExactly(ENTRY);
    }
    try (MessageStore next = store("key", 0)) {
      assertThat(next.entries(0, 0)).containsExactly(ENTRY);
    }
  }

  @Test
  void otherRanksAndOtherKeysAreNotInTheWay() {
    try (MessageStore store = store("key", 0); MessageStore peer = store("key", 1); MessageStore other = store("other", 0)) {
      fill(store);
      fill(other);
      assertThat(peer.entries(0, 0)).containsExactly(ENTRY);
    }
  }

  @Test
  void whatIsStoredItsOwnerAloneCanRead() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (MessageStore store = store("key", 0)) {
      fill(store);
      List<Path> files;
      try (Stream<Path> there = Files.list(folder)) {
        files = there.filter(file -> file.getFileName().toString().startsWith("persist.db")).toList();
      }
      assertThat(files).hasSizeGreaterThan(1);
      for (Path file : files) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).as(file.toString()).isEqualTo("rw-------");
      }
    }
  }

  @Test
  @Timeout(60)
  void aUrlThatNoDriverTakesIsSaidAtOnce() {
    PersistSettings settings = PersistSettings.of(Map.of(PersistSettings.URL, "jdbc:nowhere://host/db?password=secret"));
    try (MessageStore store = new JdbcMessageStore()) {
      assertThatThrownBy(() -> store.open(new StoreContext("key", "0@0", 0, 2, "node", settings)))
          .isInstanceOf(PersistException.class).hasMessageContaining("no JDBC driver on the class path takes the URL")
          .hasMessageContaining("jdbc:nowhere://host/db").hasMessageNotContaining("secret");
    }
  }
}
