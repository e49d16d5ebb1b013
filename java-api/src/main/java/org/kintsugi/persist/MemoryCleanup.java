// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.kintsugi.mpi.internal.LockFile;

/**
 * Removes what a job without a launcher's folder has kept in memory, when its processes end: each removes what nobody owns any
 * more, its own included, so that the last one removes all.
 */
final class MemoryCleanup {
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

  private static void remove(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        if (Files.isDirectory(path)) {
          deleteIfEmpty(path);
        } else if (path.toString().endsWith(OwnerLock.SUFFIX) && isNobodys(path)) {
          String lock = path.toString();
          Files.deleteIfExists(Path.of(lock.substring(0, lock.length() - OwnerLock.SUFFIX.length())));
          Files.deleteIfExists(path);
        }
      }
    } catch (IOException othersAreFaster) {
      // Another process of the job removes it at the same time.
    }
  }

  private static void deleteIfEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (java.nio.file.DirectoryNotEmptyException othersLive) {
      // The last of them removes it.
    }
  }

  private static boolean isNobodys(Path file) throws IOException {
    try (LockFile lock = LockFile.take(file, Duration.ZERO)) {
      return lock != null;
    }
  }
}
