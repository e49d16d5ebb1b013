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
class SharedFolderIdTest {
  @TempDir
  private Path folder;

  @Test
  void aFolderKeepsItsIdentityAndANewOneHasAnother() throws IOException {
    String first = SharedFolderId.of(folder, null);
    assertThat(SharedFolderId.of(folder, null)).isEqualTo(first);
    Files.delete(folder.resolve(SharedFolderId.FILE));
    assertThat(SharedFolderId.of(folder, null)).isNotEqualTo(first);
  }

  /** The job's versions have the identity that the folder had at the job's start. */
  @Test
  void aRunningJobKeepsTheIdentityAndWritesItAgain() throws IOException {
    String first = SharedFolderId.of(folder, null);
    Files.delete(folder.resolve(SharedFolderId.FILE));
    assertThat(SharedFolderId.of(folder, first)).isEqualTo(first);
    assertThat(SharedFolderId.of(folder, null)).isEqualTo(first);
  }

  @Test
  void aDamagedFileIsRefusedWithWhatToWrite() throws IOException {
    SharedFolderId.of(folder, null);
    Files.writeString(folder.resolve(SharedFolderId.FILE), "");
    assertThatThrownBy(() -> SharedFolderId.of(folder, null)).isInstanceOf(IOException.class).hasMessageContaining("is damaged")
        .hasMessageContaining("16 digits");
  }
}
