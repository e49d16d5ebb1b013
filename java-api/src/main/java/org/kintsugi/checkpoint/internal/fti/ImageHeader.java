// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.image.Checksum;
import org.kintsugi.mpi.Buf;

/**
 * Says what an image stored by FTI must be: its version and rank, its length, and its checksum.
 *
 * <p>An image is the data of one version of one rank. FTI stores the header as a variable of its own, beside the image. FTI
 * checks its files before it reads them; {@link #matches} checks what it has read, also from files that it rebuilt from parity.
 */
final class ImageHeader {
  private static final long MAGIC = 0x4b494e5453465449L; // "KINTSFTI"
  // The index of each word.
  private static final int VERSION_AT = 1;
  private static final int SAVE_AT = VERSION_AT + Version.WORDS;
  private static final int RANK_AT = SAVE_AT + 1;
  private static final int BYTES_AT = RANK_AT + 1;
  private static final int CHECKSUM_AT = BYTES_AT + 1;
  private static final int WORDS = CHECKSUM_AT + 1;

  private final Buf words = Buf.allocateLongs(WORDS);

  Buf buf() {
    return words;
  }

  /** Fills the header for a rank's image. {@code save} counts the saves of this engine. */
  void fill(Version version, long save, int rank, long bytes, long checksum) {
    words.putLong(0, MAGIC);
    long[] name = version.words();
    for (int i = 0; i < name.length; i++) {
      words.putLong(VERSION_AT + i, name[i]);
    }
    words.putLong(SAVE_AT, save);
    words.putLong(RANK_AT, rank);
    words.putLong(BYTES_AT, bytes);
    words.putLong(CHECKSUM_AT, checksum);
  }

  boolean isOf(int rank) {
    return words.getLong(0) == MAGIC && words.getLong(RANK_AT) == rank;
  }

  Version version() {
    return Version.of(new long[] {words.getLong(VERSION_AT), words.getLong(VERSION_AT + 1), words.getLong(VERSION_AT + 2),
        words.getLong(VERSION_AT + 3)}, 0);
  }

  long save() {
    return words.getLong(SAVE_AT);
  }

  long bytes() {
    return words.getLong(BYTES_AT);
  }

  /** Whether an image has the length and the checksum that this header was filled with. */
  boolean matches(Buf image) {
    return image.bytes() == bytes() && Checksum.of(image) == words.getLong(CHECKSUM_AT);
  }
}
