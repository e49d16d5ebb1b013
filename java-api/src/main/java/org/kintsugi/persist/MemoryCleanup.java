// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.mpi.internal.files.LockFile;
import org.kintsugi.persist.internal.PersistSession;

/**
 * Removes the messages in memory of a job without a launcher's folder, when its processes end: each removes files without a
 * living owner, its own included, so that the last one removes all.
 */
final class MemoryCleanup {
  /** The files of a process: its log, files that it is made from, its lock, and its copies of others' logs. */
  private static final Pattern OWNED = Pattern.compile("rank-(?:\\d+\\.(?:copy|part)-)?(\\d+)\\.mem(?:\\.new|\\.lock)?");

  private static final Set<Path> FOLDERS = ConcurrentHashMap.newKeySet();

  private MemoryCleanup() {}

  static void atExit(Path folder) {
    if (FOLDERS.isEmpty()) {
      Runtime.getRuntime().addShutdownHook(new Thread(MemoryCleanup::run, "kintsugi-persist-cleanup"));
    }
    FOLDERS.add(folder);
  }

  private static void run() {
    PersistSession.unbind();
    FOLDERS.forEach(MemoryCleanup::remove);
  }

  static void remove(Path folder) {
    List<Path> all;
    try (Stream<Path> paths = Files.walk(folder)) {
      all = paths.sorted(Comparator.reverseOrder()).toList();
    } catch (IOException | UncheckedIOException othersAreFaster) {
      return; // another process of the job removes it at the same time
    }
    for (Path path : all) {
      try {
        removeIfNobodys(path);
      } catch (IOException othersAreFaster) {
        // It is gone, or is a folder that is not empty: the last process removes it.
      }
    }
  }

  private static void removeIfNobodys(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      Files.delete(path);
      return;
    }
    Matcher name = OWNED.matcher(path.getFileName().toString());
    if (!name.matches()) {
      return;
    }
    Path ownerLock = path.resolveSibling("rank-" + name.group(1) + ".mem" + OwnerLock.SUFFIX);
    try (LockFile lock = LockFile.take(ownerLock, Duration.ZERO)) {
      if (lock != null) {
        Files.deleteIfExists(path);
        Files.deleteIfExists(ownerLock); // which taking it may have made
      }
    }
  }
}
