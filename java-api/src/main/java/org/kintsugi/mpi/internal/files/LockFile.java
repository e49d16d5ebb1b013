// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock of the operating system on a file that has no other use. One process holds it, and the end
 * of that process releases it in any case, even after a SIGKILL.
 *
 * <p>A process that was declared failed may still run, and keep its lock: on a node that was cut
 * off, or on one whose loss the file system has not noticed. So the file records who has
 * taken the lock, and in which epoch ({@link LockOwner}), and a successor does not wait for such a lock: it locks a file of
 * its own and replaces the other file by it.
 *
 * <p>Invariants: only the lock on the file that has the name counts, so a process that has got a
 * lock checks whether its file still has that name. A process opens the file only if it does not
 * have the lock already: by POSIX, a process that closes any descriptor of a file loses all its
 * locks on it.
 */
public final class LockFile implements AutoCloseable {
  /** How long to wait for what a killed predecessor has: it may take a moment to be gone. */
  public static final Duration FOR_THE_KILLED = Duration.ofSeconds(5);

  /** The wait for a predecessor in the same job: it may be declared failed and still run. */
  private static final Duration FOR_THE_DECLARED_FAILED = Duration.ofSeconds(1);

  private static final long PAUSE_MILLIS = 2;
  private static final int LONGEST_RECORD = 1024;
  private static final int RECORD_BYTES = 256;

  /** The files whose locks this process has. */
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;
  private final boolean isTakenOver;

  private LockFile(Path file, FileChannel channel, boolean isTakenOver) {
    this.file = file;
    this.channel = channel;
    this.isTakenOver = isTakenOver;
  }

  /**
   * Takes the lock, and makes the file if there is none; waits while another process has it.
   *
   * @return null if it could not be had in that time
   */
  public static LockFile take(Path file, Duration patience) throws IOException {
    return take(file, patience, null);
  }

  /**
   * As {@link #take}; in addition, a process that took the lock in an earlier epoch of this job loses it to this one, if it does
   * not give it back by itself. Such a process may still write to its files, which must be left alone: see {@link #isTakenOver}.
   *
   * @return null if it could not be had in that time
   */
  public static LockFile takeAsSuccessor(Path file, Duration patience) throws IOException {
    return take(file, patience, LockOwner.now());
  }

  private static LockFile take(Path path, Duration patience, LockOwner successor) throws IOException {
    Path file = path.toAbsolutePath().normalize();
    if (!OURS.add(file)) {
      return null;
    }
    LockFile lock = null;
    try {
      long begin = System.nanoTime();
      long waited;
      do {
        waited = System.nanoTime() - begin;
        lock = tryToTake(file);
        if (lock == null && successor != null && waited > FOR_THE_DECLARED_FAILED.toNanos() && successor.succeeds(holder(file))) {
          lock = takeOver(file, successor);
        }
        if (lock == null && waited < patience.toNanos()) {
          pause(file);
        }
      } while (lock == null && waited < patience.toNanos());
      return lock;
    } finally {
      if (lock == null) {
        OURS.remove(file);
      }
    }
  }

  /** Null: another process has it, or has put another file in its place meanwhile. */
  private static LockFile tryToTake(Path file) throws IOException {
    FileChannel channel =
        OwnerOnly.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    boolean isTaken = false;
    boolean isShared = false;
    try {
      // While it is open no other file can get its key.
      Object key = key(file);
      isTaken = key != null && isLocked(channel) && key.equals(key(file));
      if (isTaken) {
        LockOwner before = read(channel);
        isShared = before != null && before.isShared();
        record(channel, isShared);
      }
    } finally {
      if (!isTaken) {
        channel.close();
      }
    }
    return isTaken ? new LockFile(file, channel, isShared) : null;
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException thisProcess) {
      return false; // which knows the file by another name
    }
  }

  private static LockFile takeOver(Path file, LockOwner successor) throws IOException {
    Path own = file.resolveSibling(file.getFileName() + ".epoch-" + successor.epoch());
    Files.deleteIfExists(own);
    FileChannel channel = OwnerOnly.open(own, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    boolean isTaken = false;
    try {
      boolean isLocked = isLocked(channel);
      record(channel, true);
      // A later successor may have come first.
      isTaken = isLocked && successor.succeeds(holder(file));
      if (isTaken) {
        Files.move(own, file, StandardCopyOption.ATOMIC_MOVE);
      }
    } finally {
      if (!isTaken) {
        channel.close();
        Files.deleteIfExists(own);
      }
    }
    return isTaken ? new LockFile(file, channel, true) : null;
  }

  private static Object key(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException takenAway) {
      return null;
    }
  }

  /**
   * Records the holder of the lock. One write replaces the old record by one of the same length, so
   * it needs no space on a full disk, and no process reads a part of it. If the write fails, the
   * lock still holds: others then wait for it, and do not take it over.
   */
  private static void record(FileChannel channel, boolean isShared) {
    byte[] text = LockOwner.now().shared(isShared).text().getBytes(StandardCharsets.UTF_8);
    try {
      channel.write(ByteBuffer.wrap(Arrays.copyOf(text, Math.max(text.length, RECORD_BYTES))), 0);
    } catch (IOException e) {
      // No room, most likely.
    }
  }

  private static LockOwner read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LONGEST_RECORD);
    channel.read(bytes, 0);
    return LockOwner.parse(StandardCharsets.UTF_8.decode(bytes.flip()).toString());
  }

  /** The last holder of the lock, which may still have it; null: the file does not say. */
  private static LockOwner holder(Path file) throws IOException {
    try (FileChannel channel = OwnerOnly.open(file, StandardOpenOption.READ)) {
      return read(channel);
    } catch (NoSuchFileException takenAway) {
      return null;
    }
  }

  /** Whether a process of this job has the lock, or had it last. For messages. */
  public static boolean isOfThisJob(Path path) {
    Path file = path.toAbsolutePath().normalize();
    try {
      // A process that closes the file loses its lock on it, so its own file is not opened.
      return OURS.contains(file) || LockOwner.now().isOfSameJob(holder(file));
    } catch (IOException unknown) {
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

  /**
   * Whether an earlier holder may still run and write to its open files: it was declared failed,
   * and has not released the lock. The new holder must copy these files, and then call {@link
   * #endSharing}. Until then the same applies to the next holder.
   */
  public boolean isTakenOver() {
    return isTakenOver;
  }

  /** Called when no other process can write to this process's files any more. */
  public void endSharing() {
    record(channel, false);
  }

  /** Gives it back; what goes wrong then, the end of the process does. */
  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      try {
        channel.close();
      } finally {
        OURS.remove(file);
      }
    }
  }
}
