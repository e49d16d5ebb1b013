// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.test.RankJob;

/** Files of the file store are damaged between two jobs: the newest version that is whole everywhere comes back. */
@Tag("files")
class FileDamageTest {
  private static final int RANKS = 3;
  private static final int VICTIM = 1;
  private static final int VERSION_OFFSET = 20;

  private static final String STORE = "store";

  @TempDir
  private Path temporary;

  /** The store's. */
  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectory(temporary.resolve(STORE));
  }

  private RankJob.Outcome job(int ranks, boolean restores, String... versions) {
    return SavesAndRestores.in(
        RankJob.of(ranks, 0).jvm("-Dkintsugi.checkpoint.store=file", "-Dkintsugi.checkpoint.dir=" + folder), restores, versions);
  }

  private void assertRestores(String expected) {
    SavesAndRestores.assertRestored(job(RANKS, true), RANKS, expected);
  }

  /** A rank's file with the newest version. */
  private Path newest(int rank) throws IOException {
    Path first = file(rank, 0);
    Path second = file(rank, 1);
    return version(first) > version(second) ? first : second;
  }

  private Path file(int rank, int slot) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, String.format("rank-%05d.*.%d.ckpt", rank, slot))) {
      return files.iterator().next();
    }
  }

  private static long version(Path file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file)).getLong(VERSION_OFFSET);
  }

  @Test
  void theOlderVersionComesBackWhateverTheDamage() throws IOException {
    job(RANKS, false, "7", "8").assertSuccess();
    SavedFolder saved = SavedFolder.of(temporary, STORE);
    for (Damage damage : Damage.values()) {
      saved.putBack();
      damage.to(newest(VICTIM), newest(VICTIM + 1));
      SavesAndRestores.assertRestored(job(RANKS, true), RANKS, "7 right", damage);
    }
  }

  @Test
  void aDamagedVersionIsMadeAnew() throws IOException {
    job(RANKS, false, "7", "8").assertSuccess();
    assertRestores("8 right");
    Damage.TORN.to(newest(VICTIM), null);
    job(RANKS, true, "8", "9").assertSuccess();
    assertRestores("9 right");
  }

  @Test
  void withBothVersionsGoneAllBeginAgain() throws IOException {
    job(RANKS, false, "7", "8").assertSuccess();
    for (int slot = 0; slot < 2; slot++) {
      Damage.TORN.to(file(VICTIM, slot), null);
    }
    assertRestores("-1 right");
  }

  @Test
  void anEarlierRunsVersionIsNotTakenForThisOnes() {
    job(RANKS, false, "40", "50").assertSuccess();
    job(RANKS, false, "10").assertSuccess();
    assertRestores("10 right");
  }

  @Test
  void anotherNumberOfRanksIsRefusedAndNamed() {
    job(RANKS, false, "7", "8").assertSuccess();
    RankJob.Outcome outcome = job(RANKS - 1, true);
    assertThat(outcome.exitCode()).as(outcome.output()).isNotZero().isNotEqualTo(ExitCodes.TIMED_OUT);
    assertThat(outcome.output()).contains("was written by one of " + RANKS + " ranks, and the world has " + (RANKS - 1));
    assertRestores("8 right");
  }

  @Test
  void filesAreTheirOwnersOnly() throws IOException {
    // Made by somebody else, or with another mask, and open to all.
    Path there = Files.write(folder.resolve(String.format("rank-%05d.elsewhere.0.ckpt", VICTIM)), new byte[1]);
    Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rw-r--r--"));
    job(RANKS, true, "7", "8").assertSuccess();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.toList()).hasSize(2 * RANKS + 1).allSatisfy(file -> assertThat(
          PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------"));
    }
  }
}
