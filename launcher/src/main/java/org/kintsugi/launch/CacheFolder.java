// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.kintsugi.runtime.internal.KintsugiFolders;

/**
 * The user's own folder for files that are made once and used by many jobs. They are loaded into the jobs' processes. What no job
 * has asked for in a long time is removed when something is added: each build of Kintsugi adds its own.
 */
final class CacheFolder {
  static final String NATIVES = "natives-";
  static final String CLASSES = "classes-";

  /** What is being made, and gets its name when it is whole; what is left of this in the end, a launcher was killed over. */
  static final String UNPACKING = "unpacking-";
  static final String ARCHIVING = "archiving-";

  /** Under this name, and a number, for the moment between the decision and the removal. */
  private static final String REMOVING = "removing-";

  /** What is made here, and nothing that somebody else may have put beside it. */
  private static final Pattern OURS = Pattern.compile(NATIVES + "(ulfm|reinit)-[-0-9a-f]{36}|" + CLASSES
      + "[-0-9a-f]{36}\\.jsa|(" + UNPACKING + "|" + ARCHIVING + "|" + REMOVING + ")\\d+");

  /** Longer than any job lasts. A job may start processes with these files until it ends. */
  private static final Duration KEPT = Duration.ofDays(60);

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private CacheFolder() {}

  /** {@code $XDG_CACHE_HOME/kintsugi}, whether it is there or not. */
  static Path of(Map<String, String> environment) {
    return KintsugiFolders.ofUser(environment, "XDG_CACHE_HOME", ".cache");
  }

  /** The same, made where it was not there. */
  static Path make(Map<String, String> environment) throws IOException {
    Path folder = of(environment);
    Files.createDirectories(folder, OWNER_ONLY);
    return requireOurs(folder);
  }

  /**
   * Keeps what a job is about to use from being removed.
   *
   * @param entry a file or folder in it
   * @return false: it is not there
   */
  static boolean use(Path entry) {
    try {
      Files.setLastModifiedTime(entry, FileTime.from(Instant.now()));
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException notOurs) {
      // On a file system that is mounted for reading only, say: nobody removes anything there.
      return Files.exists(entry);
    }
  }

  /** Removes what has not been used for long. Processes that have it in memory keep it there. What cannot be removed stays. */
  static void removeUnused(Path cache) {
    FileTime limit = FileTime.from(Instant.now().minus(KEPT));
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(cache, entry -> OURS.matcher(entry.getFileName().toString()).matches())) {
      for (Path entry : entries) {
        if (isUnused(entry, limit)) {
          remove(entry, limit);
        }
      }
    } catch (IOException | DirectoryIteratorException later) {
      // By another job: this one has all that it needs.
    }
  }

  /** Links are not followed, and not removed: they are not made here. */
  private static boolean isUnused(Path entry, FileTime limit) throws IOException {
    try {
      BasicFileAttributes found = Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return !found.isSymbolicLink() && found.lastModifiedTime().compareTo(limit) < 0;
    } catch (NoSuchFileException removedByAnother) {
      return false;
    }
  }

  /**
   * Renames it first. A job that asks for it afterwards does not find it, and makes it anew; one that has asked before has
   * changed its time, and gets it back.
   */
  private static void remove(Path entry, FileTime limit) throws IOException {
    Path aside = entry.resolveSibling(REMOVING + Long.toUnsignedString(ThreadLocalRandom.current().nextLong()));
    try {
      Files.move(entry, aside, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException removedByAnother) {
      return;
    }
    if (!isUnused(aside, limit)) {
      try {
        Files.move(aside, entry, StandardCopyOption.ATOMIC_MOVE);
        return;
      } catch (IOException madeAnew) {
        // The same is there.
      }
    }
    JobFolders.remove(aside);
  }

  /**
   * It, or a folder in it.
   *
   * @throws IOException if others can write there
   */
  static Path requireOurs(Path folder) throws IOException {
    if (!Ours.isFolder(folder)) {
      throw new IOException(folder + " is not a folder of this user's alone to write in: remove it, take others' rights away "
          + "(chmod go-w), or set XDG_CACHE_HOME to another folder");
    }
    return folder;
  }
}
