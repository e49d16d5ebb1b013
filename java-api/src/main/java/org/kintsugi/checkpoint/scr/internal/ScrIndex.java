// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.scr.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32;
import org.kintsugi.mpi.internal.files.OwnerOnly;

/**
 * SCR's index on a node: the list of versions. Without it SCR finds none, and it is one small file. So the one before is kept
 * beside it (native/scr/atomic_file.c), and replaces it if it is damaged or missing.
 */
final class ScrIndex {
  private static final String NAME = "cindex.scrinfo";
  private static final String BEFORE = NAME + ".kintsugi-old";

  /**
   * The beginning of KVTree's files: magic number, type and version; then their length, flags, contents, and a CRC-32 follow.
   */
  private static final long KVTREE = 0x951fc3f5_0001_0001L;
  private static final int LENGTH_OFFSET = Long.BYTES;
  private static final int LEAST = 24;

  private ScrIndex() {}

  /**
   * Replaces a damaged index by the one before. May run on any number of ranks of a node at once.
   *
   * @param folder SCR's control folder for this job
   */
  static void repair(Path folder, int rank) throws IOException {
    byte[] before = wholeOrNull(folder.resolve(BEFORE));
    if (before == null || wholeOrNull(folder.resolve(NAME)) != null) {
      return;
    }
    OwnerOnly.replace(folder.resolve(NAME), ".kintsugi-" + rank, before);
    System.err.println("kintsugi: rank " + rank + " takes SCR's index before the last one: " + folder.resolve(NAME)
        + " is damaged or gone");
  }

  private static byte[] wholeOrNull(Path file) throws IOException {
    try {
      byte[] bytes = OwnerOnly.read(file);
      return isWhole(ByteBuffer.wrap(bytes)) ? bytes : null;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static boolean isWhole(ByteBuffer file) {
    if (file.limit() < LEAST || file.getLong(0) != KVTREE) {
      return false;
    }
    long length = file.getLong(LENGTH_OFFSET);
    if (length < LEAST || length > file.limit()) {
      return false;
    }
    int end = (int) length - Integer.BYTES;
    CRC32 crc = new CRC32();
    crc.update(file.array(), 0, end);
    return (int) crc.getValue() == file.getInt(end);
  }
}
