// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that was declared failed, but still runs, cannot change its replacement's files. */
@Tag("mpi")
class RawFileTest {
  @TempDir
  private Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void aPredecessorWritesToWhatNobodyFindsAnyMore() throws IOException {
    Path path = folder.resolve("file");
    try (RawFile away = RawFile.make(path); RawFile replacement = RawFile.make(path)) {
      replacement.write(bytes("new"), 0);
      away.write(bytes("old, and longer"), 0);
      away.truncate(1);
    }
    assertThat(path).hasContent("new");
  }

  @Test
  void aPredecessorDetectsThatItWasReplaced() throws IOException {
    Path path = folder.resolve("file");
    try (RawFile away = RawFile.make(path)) {
      assertThat(away.isThere()).isTrue();
      Files.delete(path);
      assertThat(away.isThere()).isFalse();
      RawFile.make(path).close();
      assertThatThrownBy(away::isThere).isInstanceOf(IOException.class).hasMessageContaining(path.toString())
          .hasMessageContaining("another process has taken this one's place");
    }
  }

  @Test
  void whatIsNoFileOfOursIsRefused() throws IOException {
    Path target = Files.createFile(folder.resolve("target"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    assertThatThrownBy(() -> RawFile.make(link)).isInstanceOf(IOException.class).hasMessageContaining(link.toString());
    assertThat(target).exists();
  }
}
