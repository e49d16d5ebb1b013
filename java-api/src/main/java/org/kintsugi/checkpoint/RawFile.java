// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.internal.Errno;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.OwnerOnly;

/** A file that is written from addresses; native/src/file.c says why it is not a channel. */
final class RawFile implements Closeable {
  private final Path path;
  private final int descriptor;

  /** Opens a file for writing; makes it, readable by its owner only, if there is none. What is there is looked at. */
  RawFile(Path path) throws IOException {
    this.path = path;
    OwnerOnly.requireFileIfAny(path);
    long text = Memory.allocateString(path.toString());
    descriptor = Kintsugi.kintsugi_file_open(text);
    Memory.free(text);
    check(Math.max(0, -descriptor));
  }

  void write(long address, long bytes, long at) throws IOException {
    check(Kintsugi.kintsugi_file_write(descriptor, address, bytes, at));
  }

  void write(byte[] bytes, long at) throws IOException {
    long copy = Memory.allocate(bytes.length);
    try {
      Memory.copyIn(bytes, Memory.arrayBase(byte[].class), copy, bytes.length);
      write(copy, bytes.length, at);
    } finally {
      Memory.free(copy);
    }
  }

  void truncate(long bytes) throws IOException {
    check(Kintsugi.kintsugi_file_truncate(descriptor, bytes));
  }

  /** Returns when the disk has all that was written, and what it takes to find it in the file. */
  void sync() throws IOException {
    check(Kintsugi.kintsugi_file_sync(descriptor));
  }

  @Override
  public void close() throws IOException {
    check(Kintsugi.kintsugi_file_close(descriptor));
  }

  private void check(int error) throws IOException {
    if (error != 0) {
      throw new IOException(path + ": " + Errno.text(error));
    }
  }
}
