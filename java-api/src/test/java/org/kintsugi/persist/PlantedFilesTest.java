// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log, or its lock, whose name somebody else has taken. */
class PlantedFilesTest {
  private static final int ANOTHER_USER = 12345;
  private static final String TEXT = "somebody's";

  @TempDir
  private Path folder;

  private Path target() throws IOException {
    return Files.writeString(folder.resolve("target"), TEXT);
  }

  private static void assertRefused(Path planted, String why) {
    assertThatThrownBy(() -> FileLog.own(planted, "identity")).isInstanceOf(IOException.class).hasMessageContaining(why);
    assertThatThrownBy(() -> FileLog.other(planted)).isInstanceOf(IOException.class).hasMessageContaining(why);
    assertThatThrownBy(() -> MappedLog.own(planted, "identity", 1 << 16)).isInstanceOf(IOException.class)
        .hasMessageContaining(why);
    assertThatThrownBy(() -> MappedLog.other(planted)).isInstanceOf(IOException.class).hasMessageContaining(why);
  }

  @Test
  void aLinkInALogsPlaceIsNotFollowed() throws IOException {
    Path target = target();
    assertRefused(Files.createSymbolicLink(folder.resolve("log"), target), "symbolic link");
    assertThat(target).hasContent(TEXT);
  }

  @Test
  void aLinkInALocksPlaceIsNotFollowed() throws IOException {
    Path log = folder.resolve("rank-0.log");
    Files.createSymbolicLink(folder.resolve("rank-0.log" + OwnerLock.SUFFIX), folder.resolve("elsewhere"));
    assertThatThrownBy(() -> OwnerLock.take(log)).isInstanceOf(IOException.class).hasMessageContaining("symbolic link");
    assertThat(folder.resolve("elsewhere")).doesNotExist();
  }

  @Test
  void anotherUsersFileIsNoLog() throws IOException {
    Path planted = target();
    assumeTrue(Files.getAttribute(planted, "unix:uid").equals(0), "only root can give a file away");
    Files.setAttribute(planted, "unix:uid", ANOTHER_USER);
    assertRefused(planted, "belongs to the user with the number " + ANOTHER_USER);
  }
}
