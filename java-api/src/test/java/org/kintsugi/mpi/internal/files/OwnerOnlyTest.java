// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that can be guessed, where somebody else was first. */
class OwnerOnlyTest {
  private static final int ANOTHER_USER = 12345;

  @TempDir
  private Path folder;

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static Path withRights(Path path, int mode) throws IOException {
    Files.setAttribute(path, "unix:mode", mode);
    return path;
  }

  private static Path anothers(Path path) throws IOException {
    assumeTrue(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(0), "only root can give a file away");
    Files.setAttribute(path, "unix:uid", ANOTHER_USER, LinkOption.NOFOLLOW_LINKS);
    return path;
  }

  @Test
  void whatIsMadeIsTheOwnersOnly() throws IOException {
    Path made = folder.resolve("a/b");
    OwnerOnly.makeFolder(made);
    OwnerOnly.replace(made.resolve("file"), (byte) 7);
    OwnerOnly.open(made.resolve("other"), StandardOpenOption.WRITE, StandardOpenOption.CREATE).close();
    assertThat(rights(made.getParent())).isEqualTo("rwx------");
    assertThat(rights(made)).isEqualTo("rwx------");
    assertThat(rights(made.resolve("file"))).isEqualTo("rw-------");
    assertThat(rights(made.resolve("other"))).isEqualTo("rw-------");
    assertThat(OwnerOnly.read(made.resolve("file"))).containsExactly(7);
  }

  @Test
  void aFolderThatOthersCouldExchangeIsRefused() throws IOException {
    Path everybodys = withRights(Files.createDirectory(folder.resolve("everybodys")), 0777);
    assertThatThrownBy(() -> OwnerOnly.makeFolder(everybodys.resolve("mine"))).isInstanceOf(IOException.class)
        .hasMessageContaining("chmod +t " + everybodys);
    OwnerOnly.makeFolder(withRights(everybodys, 01777).resolve("mine"));
  }

  @Test
  void aFolderThatOthersCanWriteInIsRefused() throws IOException {
    Path open = withRights(Files.createDirectory(folder.resolve("open")), 0775);
    assertThatThrownBy(() -> OwnerOnly.makeFolder(open)).isInstanceOf(IOException.class)
        .hasMessageContaining(open.toString()).hasMessageContaining("chmod go-w");
    OwnerOnly.makeFolder(withRights(open, 0755));
  }

  @Test
  void aFolderOfAnotherUserIsRefused() throws IOException {
    Path other = anothers(Files.createDirectory(folder.resolve("other")));
    assertThatThrownBy(() -> OwnerOnly.makeFolder(other)).isInstanceOf(IOException.class)
        .hasMessageContaining(String.valueOf(ANOTHER_USER)).hasMessageContaining("Name another folder");
  }

  /** As /tmp/kintsugi-USER. */
  @Test
  void whatIsBelowAnothersFolderWhereEverybodyWritesIsRefused() throws IOException {
    Path everybodys = withRights(Files.createDirectory(folder.resolve("tmp")), 01777);
    Path guessed = Files.createDirectory(everybodys.resolve("kintsugi-user"));
    Path ours = guessed.resolve("fti/place-0");
    OwnerOnly.makeFolder(ours);
    anothers(guessed);
    assertThatThrownBy(() -> OwnerOnly.makeFolder(ours)).isInstanceOf(IOException.class)
        .hasMessageContaining(guessed + " belongs to");
  }

  @Test
  void onlyTheUsersOwnLinkLeadsToAFolder() throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    OwnerOnly.makeFolder(link);
    anothers(link);
    assertThatThrownBy(() -> OwnerOnly.makeFolder(link)).isInstanceOf(IOException.class)
        .hasMessageContaining(link + " belongs to");
  }

  @Test
  void aLinkInAFilesPlaceIsRefused() throws IOException {
    Path precious = Files.writeString(folder.resolve("precious"), "kept");
    Path link = Files.createSymbolicLink(folder.resolve("link"), precious);
    Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("nowhere"));
    for (Path each : new Path[] {link, dangling}) {
      assertThatThrownBy(() -> OwnerOnly.open(each, StandardOpenOption.WRITE, StandardOpenOption.CREATE))
          .isInstanceOf(IOException.class).hasMessageContaining("symbolic link");
      assertThatThrownBy(() -> OwnerOnly.read(each)).isInstanceOf(IOException.class).hasMessageContaining("symbolic link");
      assertThatThrownBy(() -> LockFile.take(each, Duration.ZERO)).isInstanceOf(IOException.class)
          .hasMessageContaining("symbolic link");
      OwnerOnly.replace(each, (byte) 1);
      assertThat(each).isRegularFile().isNotSameAs(precious);
    }
    assertThat(precious).hasContent("kept");
    assertThat(folder.resolve("nowhere")).doesNotExist();
  }

  @Test
  void aFileOfAnotherUserIsRefused() throws IOException {
    Path file = anothers(Files.writeString(folder.resolve("file"), "planted"));
    assertThatThrownBy(() -> OwnerOnly.read(file)).isInstanceOf(IOException.class).hasMessageContaining("belongs to");
    assertThatThrownBy(() -> LockFile.take(file, Duration.ZERO)).isInstanceOf(IOException.class)
        .hasMessageContaining("belongs to");
  }

  @Test
  void aFileLosesTheRightsOfOthers() throws IOException {
    Path file = withRights(Files.writeString(folder.resolve("file"), "text"), 0664);
    assertThat(OwnerOnly.read(file)).hasSize(4);
    assertThat(rights(file)).isEqualTo("rw-------");
  }

  @Test
  void aPipeIsNotWaitedFor() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "mkfifo makes no pipe here");
    assertThatThrownBy(() -> OwnerOnly.read(pipe)).isInstanceOf(IOException.class).hasMessageContaining("no file");
  }
}
