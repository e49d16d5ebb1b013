// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

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
 * The user's own folder for files that are made once and used by many jobs.
 *
 * <p>The files are loaded into the jobs' processes. Each build of Kintsugi adds its own files. When
 * a file is added, files that no job has used for a long time are removed.
 */
public final class CacheFolder {
  public static final String NATIVES = "natives-";
  public static final String CLASSES = "classes-";

  /**
   * Prefixes of the names of incomplete entries. They are renamed when they are complete; a killed
   * launcher leaves them.
   */
  public static final String UNPACKING = "unpacking-";
  public static final String ARCHIVING = "archiving-";

  /** Prefix of the name of an entry that is about to be removed. */
  private static final String REMOVING = "removing-";

  /** Names of entries that this class makes. Others in the folder are not touched. */
  private static final Pattern OURS = Pattern.compile(NATIVES + "(ulfm|reinit)-[-0-9a-f]{36}|" + CLASSES
      + "[-0-9a-f]{36}\\.jsa|(" + UNPACKING + "|" + ARCHIVING + "|" + REMOVING + ")\\d+");

  /** Longer than any job lasts. A job may start processes with these files until it ends. */
  private static final Duration KEPT = Duration.ofDays(60);

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private CacheFolder() {}

  /** {@code $XDG_CACHE_HOME/kintsugi}, whether it is there or not. */
  public static Path of(Map<String, String> environment) {
    return KintsugiFolders.ofUser(environment, "XDG_CACHE_HOME", ".cache");
  }

  /** The same folder, which is made if it does not exist. */
  public static Path make(Map<String, String> environment) throws IOException {
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
  public static boolean use(Path entry) {
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
  public static void removeUnused(Path cache) {
    FileTime limit = FileTime.from(Instant.now().minus(KEPT));
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(cache, entry -> OURS.matcher(entry.getFileName().toString()).matches())) {
      for (Path entry : entries) {
        if (isUnused(entry, limit)) {
          remove(entry, limit);
        }
      }
    } catch (IOException | DirectoryIteratorException later) {
      // Another job can remove it later; this job has all that it needs.
    }
  }

  /** Whether an entry is old. Links are ignored, because this class makes none. */
  private static boolean isUnused(Path entry, FileTime limit) throws IOException {
    try {
      BasicFileAttributes found = Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return !found.isSymbolicLink() && found.lastModifiedTime().compareTo(limit) < 0;
    } catch (NoSuchFileException removedByAnother) {
      return false;
    }
  }

  /**
   * Renames the entry, then removes it.
   *
   * <p>A job that looks for it after that does not find it, and makes it anew. A job that looked
   * for it before has changed its time, so it is renamed back.
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
        // Another job has made the same entry.
      }
    }
    JobFolders.remove(aside);
  }

  /**
   * It, or a folder in it.
   *
   * @throws IOException if others can write there
   */
  public static Path requireOurs(Path folder) throws IOException {
    if (!OwnedPath.isFolder(folder)) {
      throw new IOException(folder + " is not a folder of this user's alone to write in: remove it, take others' rights away "
          + "(chmod go-w), or set XDG_CACHE_HOME to another folder");
    }
    return folder;
  }
}
