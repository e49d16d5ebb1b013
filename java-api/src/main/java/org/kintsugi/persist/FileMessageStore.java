// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.persist.PersistSettings.Sync;

/**
 * Messages in files, one for each process and persistent communicator, in a folder that all nodes see ({@link FileLog}): they
 * outlive the job. The failure of a process loses no message whose send has returned; the loss of a node may lose those that were
 * not forced to the disk ({@link PersistSettings#SYNC}).
 */
final class FileMessageStore extends LogStore<FileLog> {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Each process's last entry when all settled; null: they have not yet. */
  private long[] settled;

  @Override
  Path folder(StoreContext of) {
    return Path.of(of.settings().value(PersistSettings.DIR)).resolve(of.folderName());
  }

  @Override
  String suffix() {
    return ".log";
  }

  @Override
  OwnerLock takeLock(Path file) throws IOException {
    return OwnerLock.takeAsSuccessor(file);
  }

  @Override
  FileLog openOwn(Path file, boolean isShared) throws IOException {
    return isShared ? FileLog.ownCopy(file, context().identity()) : FileLog.own(file, context().identity());
  }

  @Override
  FileLog openOther(Path file) throws IOException {
    return FileLog.other(file);
  }

  @Override
  FileLog log(int source) throws IOException {
    if (source == context().rank()) {
      return super.log(source);
    }
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      FileLog log = super.log(source);
      long whole = settled == null ? Long.MAX_VALUE : settled[source];
      if (log == null ? settled == null || whole == 0 : log.refresh(whole) || settled == null) {
        return log;
      }
      // A file system over a network may know of it later than the barrier.
      if (System.nanoTime() - until > 0) {
        throw new PersistException("rank " + context().rank() + " does not see entry " + whole + " in " + file(source)
            + ", which rank "
            + source + " has stored there before the last barrier: do all nodes see the same folder? A network file system that "
            + "caches for longer than 20 s has to be mounted so that it does not (NFS: actimeo=0)");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public void cut(long number) {
    super.cut(number);
    if (settled != null) {
      Arrays.fill(settled, 0); // others have cut theirs as well
    }
  }

  @Override
  public void append(Entry entry, ByteBuffer payload) {
    super.append(entry, payload);
    if (context().settings().sync() == Sync.MESSAGE) {
      force();
    }
  }

  @Override
  public void forget(Entry entry) {
    try {
      own().forget(entry.number());
    } catch (IOException e) {
      throw failed("rewrite", e);
    }
  }

  @Override
  public void settle(Comm wire) {
    PersistException failure = null;
    try {
      if (context().settings().sync() != Sync.NEVER) {
        force();
      }
      own().requireInPlace();
    } catch (PersistException e) {
      failure = e; // others wait in what follows
    } catch (IOException e) {
      failure = failed("find", e);
    }
    long[] last = new long[wire.size()];
    wire.allGather(Buf.copyOf(own().last()), Buf.wrap(last));
    settled = last;
    if (failure != null) {
      throw failure;
    }
  }

  private void force() {
    try {
      own().force();
    } catch (IOException e) {
      throw failed("force to the disk", e);
    }
  }
}
