// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.mpi.internal.files.OwnerOnly;

/**
 * Messages in one {@link Log} for each process and persistent communicator, in a folder where others find it. The process that
 * writes a log has a lock on it.
 */
abstract class LogStore<L extends Log> implements MessageStore {
  private final Map<Integer, L> others = new HashMap<>();
  private StoreContext context;
  private Path folder;
  private OwnerLock lock;
  private L own;

  /** The folder of this communicator's logs; need not exist. */
  abstract Path folder(StoreContext of);

  /** The ending of the names of logs. */
  abstract String suffix();

  /** Takes the lock of this process's log. */
  OwnerLock takeLock(Path file) throws IOException {
    return OwnerLock.take(file);
  }

  /**
   * This process's log; makes it if there is none.
   *
   * @param isShared whether an owner that was declared failed may still write to the file
   */
  abstract L openOwn(Path file, boolean isShared) throws IOException;

  /** Another process's log; null if there is none. */
  abstract L openOther(Path file) throws IOException;

  @Override
  public void open(StoreContext newContext) {
    context = newContext;
    folder = folder(context);
    try {
      OwnerOnly.makeFolder(folder);
      lock = takeLock(file(context.rank()));
      own = openOwn(file(context.rank()), lock.isTakenOver());
      if (lock.isTakenOver()) {
        lock.endSharing();
      }
    } catch (IOException e) {
      close();
      throw failed("open", e);
    } catch (PersistException e) {
      close();
      throw e;
    }
  }

  /**
   * The context that it was opened for.
   *
   * @return as {@link #open} was given it
   */
  protected final StoreContext context() {
    return context;
  }

  final Path folder() {
    return folder;
  }

  final L own() {
    return own;
  }

  final Path file(int rank) {
    return folder.resolve("rank-" + rank + suffix());
  }

  final PersistException failed(String what, IOException e) {
    return new PersistException("rank " + context.rank() + " cannot " + what + " " + file(context.rank()) + ": " + e, e);
  }

  private PersistException unreadable(int source, IOException e) {
    return new PersistException("cannot read what rank " + source + " has stored in " + file(source) + ": " + e, e);
  }

  @Override
  public void append(Entry entry, ByteBuffer payload) {
    try {
      own.append(entry, payload);
    } catch (IOException e) {
      throw failed("append to", e);
    }
  }

  @Override
  public void drop(Entry entry) {
    try {
      own.drop(entry.number());
    } catch (IOException e) {
      throw failed("rewrite", e);
    }
  }

  @Override
  public void cut(long number) {
    try {
      own.cut(number);
    } catch (IOException e) {
      throw failed("shorten", e);
    }
  }

  /** The log of a process, to be read; null if it has stored nothing. */
  L log(int source) throws IOException {
    if (source == context.rank()) {
      return own;
    }
    L log = others.get(source);
    if (log == null) {
      log = openOther(file(source));
      if (log != null) {
        others.put(source, log);
      }
    }
    return log;
  }

  @Override
  public List<Entry> entries(int source, long after) {
    try {
      L log = log(source);
      return log == null ? List.of() : log.entries(after);
    } catch (IOException e) {
      throw unreadable(source, e);
    }
  }

  @Override
  public boolean read(int source, Entry entry, ByteBuffer target) {
    try {
      L log = log(source);
      return log != null && log.read(entry, target);
    } catch (IOException e) {
      throw unreadable(source, e);
    }
  }

  @Override
  public String place() {
    return file(context.rank()).toString();
  }

  @Override
  public void clear() {
    cut(0);
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
      own = null;
    }
    others.values().forEach(Log::close);
    others.clear();
    if (lock != null) {
      lock.close();
      lock = null;
    }
  }
}
