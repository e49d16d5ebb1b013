// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.checkpoint.Attempt;
import org.kintsugi.checkpoint.CheckpointException;
import org.kintsugi.checkpoint.Version;
import org.kintsugi.mpi.Mpi;

/** A process was stopped just before it made its file, and goes on when its replacement has saved under the same name. */
class GivenUpWriterTest {
  private static final Version OWN = new Version(new Attempt(1, 10, 3), 7);
  private static final Version LATER = new Version(new Attempt(1, 11, 2), 8);

  @TempDir
  private Path folder;

  /** What the packages know of each other comes with this class. */
  @BeforeAll
  static void initialize() throws IllegalAccessException {
    MethodHandles.lookup().ensureInitialized(Mpi.class);
  }

  private static ComposedImage image(long value) {
    return ComposedImage.of(value, Map.of("data", ProtectedArray.of("data", new long[] {value})));
  }

  private static CheckpointFile.Header write(Path file, Version version) {
    return new FileWriting(file, null, 0, 1, version, image(version.number()), null, new ImageMemory()).await();
  }

  @Test
  void whatTheReplacementHasSavedStays() throws Exception {
    Path file = folder.resolve("rank-00000.0.ckpt");
    write(file, LATER);
    assertThatThrownBy(() -> write(file, OWN)).isInstanceOf(CheckpointException.class).hasMessageContaining(file.toString())
        .hasMessageContaining("another process has taken this one's place");
    assertThat(CheckpointFile.header(file).version()).isEqualTo(LATER);
  }

  @Test
  void soDoesWhatItHasBegunToWrite() throws IOException {
    Path file = folder.resolve("rank-00000.0.ckpt");
    write(file, LATER);
    byte[] begun = Files.readAllBytes(file);
    try (RawFile open = RawFile.make(file)) {
      open.write(java.util.Arrays.copyOf(begun, begun.length - 1), 0);
    }
    assertThatThrownBy(() -> write(file, OWN)).isInstanceOf(CheckpointException.class);
    assertThat(Files.size(file)).isEqualTo(begun.length - 1);
  }

  @Test
  void whatAnEarlierAttemptHasLeftIsReplaced() throws Exception {
    Path file = folder.resolve("rank-00000.0.ckpt");
    write(file, OWN);
    write(file, LATER);
    assertThat(CheckpointFile.header(file).version()).isEqualTo(LATER);
    Files.writeString(file, "no checkpoint");
    write(file, OWN);
    assertThat(CheckpointFile.header(file).version()).isEqualTo(OWN);
  }
}
