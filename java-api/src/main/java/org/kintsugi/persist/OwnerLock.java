// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Who may write a log: one process at a time. A lock of the operating system, so that a SIGKILL gives it back; on a file of its
 * own, as the log itself is replaced now and then.
 */
final class OwnerLock implements AutoCloseable {
  static final String SUFFIX = ".lock";

  /** A predecessor that has got its SIGKILL may take a moment to be gone. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final Set<StandardOpenOption> OPTIONS = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE);

  private final FileChannel channel;

  private OwnerLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Folders and files of this package are their owner's only. */
  static void makeFolder(Path folder) throws IOException {
    Files.createDirectories(folder,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  static FileChannel open(Path file, Set<StandardOpenOption> options) throws IOException {
    return FileChannel.open(file, options, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  static OwnerLock take(Path log) throws IOException {
    Path file = log.resolveSibling(log.getFileName() + SUFFIX);
    FileChannel channel = open(file, OPTIONS);
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!isTaken(channel)) {
      if (System.nanoTime() - until > 0) {
        channel.close();
        throw new PersistException(log + " is in use by another process: does another job run with the "
            + "same key and folder?");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return new OwnerLock(channel);
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException thisProcess) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new PersistException("cannot let go of a lock: " + e, e);
    }
  }
}
