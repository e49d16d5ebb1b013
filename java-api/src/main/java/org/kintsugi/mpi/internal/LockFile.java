// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * A lock of the operating system on a file that is there for nothing else: one process has it, and whatever ends that process
 * gives it back, a SIGKILL too.
 */
public final class LockFile implements AutoCloseable {
  /** How long to wait for what a killed predecessor has: it may take a moment to be gone. */
  public static final Duration FOR_THE_KILLED = Duration.ofSeconds(5);

  private static final long PAUSE_MILLIS = 2;

  private final FileChannel channel;

  private LockFile(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock, and makes the file if need be; waits while somebody else has it.
   *
   * @return null if it could not be had in that time
   */
  public static LockFile take(Path file, Duration patience) throws IOException {
    FileChannel channel = OwnerOnly.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    boolean taken = false;
    try {
      long begin = System.nanoTime();
      for (taken = isTaken(channel); !taken && System.nanoTime() - begin < patience.toNanos(); taken = isTaken(channel)) {
        pause(file);
      }
      return taken ? new LockFile(channel) : null;
    } finally {
      if (!taken) {
        channel.close();
      }
    }
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException thisProcess) {
      return false;
    }
  }

  private static void pause(Path file) throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the lock " + file);
    }
  }

  /** Gives it back; what goes wrong then, the end of the process does. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
