// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.image.Checksum;
import org.kintsugi.mpi.Buf;

/**
 * The header in front of an image: its version, and the length and checksum that it must have when it is restored. FTI checks
 * its files before it returns them; this checks the result, also of files that FTI has rebuilt from parity.
 */
final class ImageHeader {
  private static final long MAGIC = 0x4b494e5453465449L; // "KINTSFTI"
  private static final int VERSION = 1;
  private static final int SAVE = VERSION + Version.WORDS;
  private static final int RANK = SAVE + 1;
  private static final int BYTES = RANK + 1;
  private static final int CHECKSUM = BYTES + 1;
  private static final int WORDS = CHECKSUM + 1;

  private final Buf words = Buf.allocateLongs(WORDS);

  Buf buf() {
    return words;
  }

  /** For a version's image of a rank, its length and its checksum, the save's number included. */
  void fill(Version version, long save, int rank, long bytes, long checksum) {
    words.putLong(0, MAGIC);
    long[] name = version.words();
    for (int i = 0; i < name.length; i++) {
      words.putLong(VERSION + i, name[i]);
    }
    words.putLong(SAVE, save);
    words.putLong(RANK, rank);
    words.putLong(BYTES, bytes);
    words.putLong(CHECKSUM, checksum);
  }

  boolean isOf(int rank) {
    return words.getLong(0) == MAGIC && words.getLong(RANK) == rank;
  }

  Version version() {
    return Version.of(new long[] {words.getLong(VERSION), words.getLong(VERSION + 1), words.getLong(VERSION + 2),
        words.getLong(VERSION + 3)}, 0);
  }

  long save() {
    return words.getLong(SAVE);
  }

  long bytes() {
    return words.getLong(BYTES);
  }

  /** Whether this header was filled for an image. */
  boolean matches(Buf image) {
    return image.bytes() == bytes() && Checksum.of(image) == words.getLong(CHECKSUM);
  }
}
