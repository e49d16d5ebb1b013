// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.file.Path;
import org.kintsugi.mpi.internal.files.LockFile;

/** Lets only one process at a time write a log. The lock is on a file of its own, as the log itself is replaced now and then. */
final class OwnerLock implements AutoCloseable {
  static final String SUFFIX = ".lock";

  private final LockFile lock;

  private OwnerLock(LockFile lock) {
    this.lock = lock;
  }

  static OwnerLock take(Path log) throws IOException {
    return of(log, LockFile.take(file(log), LockFile.FOR_THE_KILLED));
  }

  /** Takes the lock even from a process of this job that was declared failed and still has it. */
  static OwnerLock takeAsSuccessor(Path log) throws IOException {
    return of(log, LockFile.takeAsSuccessor(file(log), LockFile.FOR_THE_KILLED));
  }

  private static Path file(Path log) {
    return log.resolveSibling(log.getFileName() + SUFFIX);
  }

  private static OwnerLock of(Path log, LockFile lock) {
    if (lock == null) {
      throw new PersistException(log + " is in use by another process: does another job run with the "
          + "same key and folder?");
    }
    return new OwnerLock(lock);
  }

  /** Whether the owner before may still write to the log that it has open. */
  boolean isTakenOver() {
    return lock.isTakenOver();
  }

  /** To be said when the log is a copy, to which the owner before cannot write. */
  void endSharing() {
    lock.endSharing();
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new PersistException("cannot release a lock: " + e, e);
    }
  }
}
