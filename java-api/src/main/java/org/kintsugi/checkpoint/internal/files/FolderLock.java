// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import java.io.IOException;
import java.nio.file.Path;
import org.kintsugi.mpi.internal.files.LockFile;
import org.kintsugi.mpi.internal.files.OwnerOnly;

/**
 * Keeps two jobs out of one folder: rank 0 of a job holds a {@link LockFile} in it. A later rank 0
 * of the same job gets the lock if the earlier one has ended, and also if it was declared failed
 * and still runs.
 */
public final class FolderLock implements AutoCloseable {
  private final Path file;
  private final String option;
  private LockFile lock;

  /**
   * A lock on a folder, not taken yet.
   *
   * @param folder need not exist yet
   * @param option the setting by which the user gives a job another folder, for messages
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
    OwnerOnly.makeFolder(file.getParent());
    lock = LockFile.takeAsSuccessor(file, LockFile.FOR_THE_KILLED);
    if (lock == null && LockFile.isOfThisJob(file)) {
      throw new IOException("another checkpoint of this job uses " + file.getParent() + " (it holds " + file
          + "): close the one that Checkpoint.on has made before Reinit.run, or another Checkpoint.on, begins");
    }
    if (lock == null) {
      throw new IOException("another job uses " + file.getParent() + " (it holds " + file
          + "): wait for its end, or give this one a folder of its own with " + option);
    }
  }

  @Override
  public void close() {
    try {
      if (lock != null) {
        lock.close();
      }
    } catch (IOException e) {
      // The lock goes with the process at the latest.
    }
    lock = null;
  }
}
