// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.fti;

import org.kintsugi.checkpoint.Checksum;
import org.kintsugi.mpi.Buf;

/**
 * What is written in front of an image: which version it is, and what it must look like when it comes back. FTI checks its files
 * before it hands them out; this checks what it hands out, that which FTI has put together of parity included.
 */
final class ImageHeader {
  private static final long MAGIC = 0x4b494e5453465449L; // "KINTSFTI"
  private static final int WORDS = 8;

  private final Buf words = Buf.ofLongs(WORDS);

  Buf buf() {
    return words;
  }

  /** For a version's image of a rank, its length and its checksum, the save's number included. */
  void fill(long version, long save, int rank, long bytes, long checksum) {
    words.putLong(0, MAGIC);
    words.putLong(1, version);
    words.putLong(2, save);
    words.putLong(3, rank);
    words.putLong(4, bytes);
    words.putLong(5, checksum);
  }

  boolean isOf(int rank) {
    return words.getLong(0) == MAGIC && words.getLong(3) == rank;
  }

  long version() {
    return words.getLong(1);
  }

  long save() {
    return words.getLong(2);
  }

  long bytes() {
    return words.getLong(4);
  }

  /** Whether an image is the one that this header was filled for. */
  boolean matches(Buf image) {
    return image.bytes() == bytes() && Checksum.of(image) == words.getLong(5);
  }
}
