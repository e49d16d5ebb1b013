// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.internal.files.OwnerOnly;
import org.kintsugi.mpi.internal.memory.Errno;
import org.kintsugi.mpi.internal.memory.Memory;

/** A file that is written from addresses; native/src/file.c says why it is not a channel. */
final class RawFile implements Closeable {
  private static final int ENOENT = 2;
  private static final int ESTALE = 116;

  private final Path path;
  private final int descriptor;

  private RawFile(Path path, int descriptor) throws IOException {
    this.path = path;
    this.descriptor = descriptor;
    check(Math.max(0, -descriptor));
  }

  /**
   * Makes a file, readable by its owner only, in place of a predecessor's file, to which that may still be writing. A path that
   * holds anything but such a file is refused.
   */
  static RawFile make(Path path) throws IOException {
    OwnerOnly.requireFileIfAny(path);
    long text = Memory.allocateString(path.toString());
    try {
      return new RawFile(path, Kintsugi.kintsugi_file_make(text));
    } finally {
      Memory.free(text);
    }
  }

  /** Whether that is its name. */
  boolean isOf(Path name) {
    return path.equals(name);
  }

  /**
   * Whether it is still to be found by its name.
   *
   * @return false: there is no file of that name
   * @throws IOException if there is another one
   */
  boolean isThere() throws IOException {
    long text = Memory.allocateString(path.toString());
    try {
      int error = Kintsugi.kintsugi_file_is_at(descriptor, text);
      if (error == ESTALE) {
        throw new IOException(path + ": another process has taken this one's place, and has a file of its own there");
      }
      if (error != ENOENT) {
        check(error);
      }
      return error == 0;
    } finally {
      Memory.free(text);
    }
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

  /** Returns when the disk has all data that were written, and the metadata to find them. */
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
