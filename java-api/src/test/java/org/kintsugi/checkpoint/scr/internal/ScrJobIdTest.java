// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.scr.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The identity of the folder that SCR copies versions to. */
class ScrJobIdTest {
  @TempDir
  private Path folder;

  @Test
  void aFolderKeepsItsIdentityAndANewOneHasAnother() throws IOException {
    String first = ScrJobId.of(folder, null);
    assertThat(ScrJobId.of(folder, null)).isEqualTo(first);
    Files.delete(folder.resolve(ScrJobId.FILE));
    assertThat(ScrJobId.of(folder, null)).isNotEqualTo(first);
  }

  /** The job's versions have the identity that the folder had at the job's start. */
  @Test
  void aRunningJobKeepsTheIdentityAndWritesItAgain() throws IOException {
    String first = ScrJobId.of(folder, null);
    Files.delete(folder.resolve(ScrJobId.FILE));
    assertThat(ScrJobId.of(folder, first)).isEqualTo(first);
    assertThat(ScrJobId.of(folder, null)).isEqualTo(first);
  }

  @Test
  void aDamagedFileIsRefusedWithWhatToWrite() throws IOException {
    ScrJobId.of(folder, null);
    Files.writeString(folder.resolve(ScrJobId.FILE), "");
    assertThatThrownBy(() -> ScrJobId.of(folder, null)).isInstanceOf(IOException.class).hasMessageContaining("is damaged")
        .hasMessageContaining("16 digits");
  }
}
