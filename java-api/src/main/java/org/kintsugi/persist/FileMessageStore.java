// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.mpi.Comm;
import org.kintsugi.persist.PersistSettings.Sync;

/**
 * Messages in files, one for each process and persistent communicator, in a folder that all nodes see ({@link FileLog}): they
 * outlive the job. The death of a process costs nothing that a send has returned from; the loss of a node may cost what was not
 * forced to the disk ({@link PersistSettings#SYNC}).
 */
final class FileMessageStore implements MessageStore {
  private final Map<Integer, FileLog> others = new HashMap<>();
  private StoreContext context;
  private Path folder;
  private OwnerLock lock;
  private FileLog own;

  @Override
  public void open(StoreContext newContext) {
    context = newContext;
    folder = Path.of(context.settings().value(PersistSettings.DIR)).resolve(context.folderName());
    Path file = file(context.rank());
    try {
      OwnerLock.makeFolder(folder);
      lock = OwnerLock.take(file);
      own = FileLog.own(file, context.identity());
    } catch (IOException e) {
      close();
      throw failed("open", e);
    } catch (PersistException e) {
      close();
      throw e;
    }
  }

  private Path file(int rank) {
    return folder.resolve("rank-" + rank + ".log");
  }

  private PersistException failed(String what, IOException e) {
    return new PersistException("rank " + context.rank() + " cannot " + what + " " + file(context.rank()) + ": " + e, e);
  }

  @Override
  public void append(Entry entry, ByteBuffer payload) {
    try {
      own.append(entry, payload);
      if (context.settings().sync() == Sync.MESSAGE) {
        own.force();
      }
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

  private FileLog log(int source) throws IOException {
    if (source == context.rank()) {
      return own;
    }
    FileLog log = others.get(source);
    if (log == null) {
      log = FileLog.other(file(source));
      if (log != null) {
        others.put(source, log);
      }
    } else {
      log.refresh();
    }
    return log;
  }

  @Override
  public List<Entry> entries(int source, long after) {
    try {
      FileLog log = log(source);
      return log == null ? List.of() : log.entries(after);
    } catch (IOException e) {
      throw new PersistException("cannot read what rank " + source + " has stored in " + file(source) + ": " + e, e);
    }
  }

  @Override
  public boolean read(int source, Entry entry, ByteBuffer target) {
    try {
      FileLog log = log(source);
      return log != null && log.read(entry, target);
    } catch (IOException e) {
      throw new PersistException("cannot read what rank " + source + " has stored in " + file(source) + ": " + e, e);
    }
  }

  @Override
  public void settle(Comm wire) {
    try {
      if (context.settings().sync() != Sync.NEVER) {
        own.force();
      }
    } catch (IOException e) {
      throw failed("force to the disk", e);
    }
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
    others.values().forEach(FileLog::close);
    others.clear();
    if (lock != null) {
      lock.close();
      lock = null;
    }
  }
}
