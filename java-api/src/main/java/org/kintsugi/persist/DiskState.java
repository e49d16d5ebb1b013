// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * How much of a file the disk has, as far as the file's owner knows.
 *
 * <p>When the disk refuses to write some of a file, the system reports that once. A later force succeeds although the data may
 * be lost: the file cannot be relied on until it is written anew.
 */
final class DiskState {
  private long lacking;
  private boolean isUnsure;

  /** These bytes were written since. */
  void lacks(long bytes) {
    lacking += bytes;
  }

  /** Whether something was written since the last force. */
  boolean isBehind() {
    return lacking > 0;
  }

  /** Whether a force has failed, and the file has not been written anew. */
  boolean isUnsure() {
    return isUnsure;
  }

  /** The file cannot be relied on until {@link #hasAll}. */
  void doubt() {
    isUnsure = true;
  }

  /** The disk has a file with all entries. */
  void hasAll() {
    lacking = 0;
    isUnsure = false;
  }

  void force(FileChannel channel, boolean withMetadata) throws IOException {
    try {
      channel.force(withMetadata);
      lacking = 0;
    } catch (IOException e) {
      isUnsure = true;
      throw e;
    }
  }
}
