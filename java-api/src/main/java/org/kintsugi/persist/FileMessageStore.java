// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.kintsugi.mpi.Comm;
import org.kintsugi.persist.PersistSettings.Sync;

/**
 * Messages in files, one for each process and persistent communicator, in a folder that all nodes see ({@link FileLog}): they
 * outlive the job. The death of a process costs nothing that a send has returned from; the loss of a node may cost what was not
 * forced to the disk ({@link PersistSettings#SYNC}).
 */
final class FileMessageStore extends LogStore<FileLog> {
  @Override
  Path folder(StoreContext of) {
    return Path.of(of.settings().value(PersistSettings.DIR)).resolve(of.folderName());
  }

  @Override
  String suffix() {
    return ".log";
  }

  @Override
  FileLog openOwn(Path file) throws IOException {
    return FileLog.own(file, context().identity());
  }

  @Override
  FileLog openOther(Path file) throws IOException {
    return FileLog.other(file);
  }

  @Override
  FileLog log(int source) throws IOException {
    FileLog log = super.log(source);
    if (log != null && source != context().rank()) {
      log.refresh();
    }
    return log;
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
    if (context().settings().sync() != Sync.NEVER) {
      force();
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
