// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.files.CheckpointFile.Header;
import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.mpi.internal.files.OwnerOnly;

/**
 * The writing of one file, in a thread of its own, which uses no MPI.
 *
 * <p>The writing can be abandoned: a disk may take long, and a sync cannot be interrupted. The thread then opens and removes no
 * more files. The file that it has open must be removed before the slot is written again, so that it cannot be found afterwards.
 */
final class FileWriting {
  private final RankFiles files;
  private final int slot;
  private final Path target;
  private final int rank;
  private final int ranks;
  private final Version version;
  private final ComposedImage image;
  private final ImageMemory copy;
  private final ImageMemory scratch;
  /** Null: it must be made. */
  private RawFile file;
  private final FutureTask<Header> task = new FutureTask<>(this::write);

  private volatile boolean cutOff;
  /** Whether the writing was abandoned; guarded by this object, as is the next field. */
  private boolean leftBehind;
  private boolean ended;

  /**
   * Begins to write.
   *
   * @param files of the rank; not to be used by others until this has ended, or been abandoned
   * @param slot whose file is written
   * @param file a file that this process has made and has open; null: it is made. {@link #file} gives it back
   * @param copy the memory with the image; null if that is the program's own memory, and then the writing cannot be abandoned
   * @param scratch not used otherwise meanwhile
   */
  FileWriting(RankFiles files, int slot, RawFile file, int rank, int ranks, Version version, ComposedImage image,
      ImageMemory copy, ImageMemory scratch) {
    this.files = files;
    this.slot = slot;
    target = files.own(slot);
    this.file = file;
    this.rank = rank;
    this.ranks = ranks;
    this.version = version;
    this.image = image;
    this.copy = copy;
    this.scratch = scratch;
    Thread writer = new Thread(task, "kintsugi-checkpoint-writer");
    writer.setDaemon(true);
    writer.start();
  }

  private Header write() {
    try {
      Path folder = target.getParent();
      if (!Files.isDirectory(folder)) {
        OwnerOnly.makeFolder(folder);
      }
      boolean isNew = makeIfNeeded();
      Header header = CheckpointFile.write(file, rank, ranks, version, image, scratch, () -> cutOff);
      if (isNew) {
        OwnerOnly.syncFolder(folder);
      }
      return header;
    } catch (IOException e) {
      throw removed(new CheckpointException("rank " + rank + " cannot write version " + version.number() + " to " + target + ": "
          + e + "; the version before it is kept", e));
    } finally {
      end();
    }
  }

  /** @return whether it was made */
  private synchronized boolean makeIfNeeded() throws IOException {
    if (leftBehind) {
      throw CheckpointFile.cutOff();
    }
    // The rank may have been another one before the world shrank.
    if (file != null && file.isOf(target) && file.isThere()) {
      files.replaceByOwn(slot);
      return false;
    }
    closeFile();
    // This process may have been declared failed since the save began, and its replacement may have
    // saved. If the replacement saves at this very moment, it finds the file of this earlier
    // attempt beside its own, and ignores it.
    files.requireNoneOfLater(version.attempt());
    files.replaceByOwn(slot);
    file = RawFile.make(target);
    return true;
  }

  private void closeFile() throws IOException {
    RawFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }

  /** The file, open, once the writing has ended; null if that has failed. */
  synchronized RawFile file() {
    return file;
  }

  /** If the last sync failed, the file looks complete, and would pass for a part of the next attempt at this version. */
  private synchronized CheckpointException removed(CheckpointException failure) {
    try {
      if (!leftBehind && file != null && file.isThere()) {
        Files.delete(target);
      }
      closeFile();
    } catch (IOException stays) {
      failure.addSuppressed(stays);
    }
    return failure;
  }

  private synchronized void end() {
    ended = true;
    if (leftBehind) {
      closeAll();
    }
  }

  private void closeAll() {
    copy.close();
    scratch.close();
    try {
      closeFile();
    } catch (IOException nobodyWantsIt) {
      // It was abandoned.
    }
  }

  /** Tells the thread that its file is not needed any more: it stops as soon as it can. */
  void cutOff() {
    cutOff = true;
  }

  /** @return false: it has ended, or must be waited for; true: its memory must not be used any more */
  synchronized boolean leaveBehind() {
    if (ended || copy == null) {
      return false;
    }
    cutOff = true;
    leftBehind = true;
    return true;
  }

  /**
   * Waits for its end.
   *
   * @return the header of what it has written
   * @throws CheckpointException if it could not
   */
  Header await() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          // The writing thread ends by itself, and soon if its file is not wanted any more.
          interrupted = true;
        } catch (ExecutionException e) {
          Throwable trouble = e.getCause();
          throw trouble instanceof CheckpointException ? (CheckpointException) trouble
              : new CheckpointException("the writer of a checkpoint failed: " + trouble, trouble);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
