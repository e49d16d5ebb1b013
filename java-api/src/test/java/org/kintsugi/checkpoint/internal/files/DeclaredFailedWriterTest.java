// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.checkpoint.engine.Attempt;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.checkpoint.internal.protection.ProtectedArray;
import org.kintsugi.mpi.Mpi;

/** A process was stopped in the middle of a save, and goes on when its replacement has saved in the same slot. */
@Tag("mpi")
class DeclaredFailedWriterTest {
  private static final int SLOT = 0;
  private static final Version OWN = new Version(new Attempt(1, 10, 3), 7);
  private static final Version LATER = new Version(new Attempt(1, 11, 2), 8);

  @TempDir
  private Path folder;

  /** Loading this class provides the keys of the packages. */
  @BeforeAll
  static void initialize() throws IllegalAccessException {
    MethodHandles.lookup().ensureInitialized(Mpi.class);
  }

  private static ComposedImage image(long value) {
    return ComposedImage.of(value, Map.of("data", ProtectedArray.of("data", new long[] {value})));
  }

  private static CheckpointFile.Header write(RankFiles files, Version version) {
    return new FileWriting(files, SLOT, null, 0, 1, version, image(version.number()), null, new ImageMemory()).await();
  }

  /** Another process of the same rank. */
  private RankFiles process() throws IOException {
    RankFiles files = new RankFiles(folder, 2);
    files.of(0);
    files.find();
    return files;
  }

  @Test
  void whatTheReplacementHasSavedStays() throws Exception {
    RankFiles declaredFailed = process();
    RankFiles replacement = process();
    write(replacement, LATER);
    Path file = replacement.own(SLOT);
    assertThatThrownBy(() -> write(declaredFailed, OWN)).isInstanceOf(CheckpointException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("another process has taken this one's place");
    assertThat(CheckpointFile.header(file).version()).isEqualTo(LATER);
    assertThat(declaredFailed.own(SLOT)).doesNotExist();
  }

  @Test
  void whatTheReplacementHasBegunToWriteStays() throws IOException {
    RankFiles declaredFailed = process();
    RankFiles replacement = process();
    write(replacement, LATER);
    byte[] begun = Files.readAllBytes(replacement.own(SLOT));
    try (RawFile open = RawFile.make(replacement.own(SLOT))) {
      open.write(java.util.Arrays.copyOf(begun, begun.length - 1), 0);
    }
    assertThatThrownBy(() -> write(declaredFailed, OWN)).isInstanceOf(CheckpointException.class);
    assertThat(Files.size(replacement.own(SLOT))).isEqualTo(begun.length - 1);
  }

  /**
   * The writer was stopped after it listed the folder, or after the ranks agreed and before it
   * acted.
   */
  @Test
  void whatItRemovesOrMakesIsNotTheReplacements() throws Exception {
    RankFiles declaredFailed = process();
    write(declaredFailed, OWN);
    RankFiles replacement = process();
    assertThat(replacement.known(SLOT)).containsExactly(declaredFailed.own(SLOT));
    write(replacement, LATER);
    assertThat(declaredFailed.own(SLOT)).as("of an earlier attempt, and the slot is written again").doesNotExist();
    declaredFailed.remove(SLOT);
    declaredFailed.replaceByOwn(SLOT);
    Files.createFile(declaredFailed.own(SLOT));
    assertThat(CheckpointFile.header(replacement.own(SLOT)).version()).isEqualTo(LATER);
    RankFiles next = process();
    assertThat(next.known(SLOT)).containsExactlyInAnyOrder(declaredFailed.own(SLOT), replacement.own(SLOT));
    next.use(SLOT, replacement.own(SLOT));
    next.removeOthers(SLOT);
    assertThat(folder.toFile().list()).containsExactly(replacement.own(SLOT).getFileName().toString());
  }

  @Test
  void whatAnEarlierAttemptHasLeftIsReplaced() throws Exception {
    write(process(), OWN);
    RankFiles second = process();
    write(second, LATER);
    assertThat(CheckpointFile.header(second.own(SLOT)).version()).isEqualTo(LATER);
    Files.writeString(second.own(SLOT), "no checkpoint");
    RankFiles third = process();
    write(third, OWN);
    assertThat(CheckpointFile.header(third.own(SLOT)).version()).isEqualTo(OWN);
    assertThat(folder.toFile().list()).hasSize(1);
  }
}
