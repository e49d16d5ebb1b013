// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lock on a folder for checkpoints. */
@Timeout(60)
class FolderLockTest {
  /** As with a {@code Checkpoint.on} that is open around a Reinit run. */
  @Test
  void aJobThatLocksItselfOutLearnsWhatToClose(@TempDir Path folder) throws IOException {
    try (FolderLock first = new FolderLock(folder, "-Dx"); FolderLock second = new FolderLock(folder, "-Dx")) {
      first.take();
      assertThatThrownBy(second::take).isInstanceOf(IOException.class).hasMessageContaining("another checkpoint of this job uses")
          .hasMessageContaining("close the one that Checkpoint.on has made");
    }
  }
}
