// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Keeps two jobs out of one folder: rank 0 of a job holds a lock on a file in it. The operating system gives the lock back when
 * the process is gone, however it ended, so that the next rank 0 of the same job gets it.
 */
public final class FolderLock implements AutoCloseable {
  /** A rank 0 that was killed may still be on its way out. */
  private static final long PATIENCE_NANOS = 5_000_000_000L;

  private static final long PAUSE_MILLIS = 20;

  private final Path file;
  private final String option;
  private FileChannel channel;
  private FileLock lock;

  /**
   * Of a folder.
   *
   * @param folder need not be there yet
   * @param option by which the user gives a job another one, for messages
   */
  public FolderLock(Path folder, String option) {
    this.option = option;
    file = folder.resolve("in-use.lock");
  }

  /** Takes the lock unless this process has it. @throws IOException if another job has it */
  public void take() throws IOException {
    if (lock != null) {
      return;
    }
    Files.createDirectories(file.getParent());
    if (channel == null) {
      channel = FileChannel.open(file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while ((lock = channel.tryLock()) == null) {
      if (System.nanoTime() > deadline) {
        throw new IOException("another job uses " + file.getParent() + " (it holds " + file
            + "): wait for its end, or give this one a folder of its own with " + option);
      }
      pause();
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the lock", e);
    }
  }

  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // The lock goes with the process at the latest.
    }
    channel = null;
    lock = null;
  }
}
