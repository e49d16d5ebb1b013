// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.image;

import java.util.zip.CRC32C;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.memory.MemoryView;

/** The CRC-32C of off-heap memory, one part after the other. */
public final class Checksum {
  private static final int PIECE_BYTES = 1 << 30;

  private final CRC32C checksum = new CRC32C();
  private final MemoryView window = new MemoryView();

  /** That of one buffer. */
  public static long of(Buf buf) {
    Checksum checksum = new Checksum();
    checksum.add(buf.address(), buf.bytes());
    return checksum.value();
  }

  public void add(long address, long bytes) {
    for (long at = 0; at < bytes; at += PIECE_BYTES) {
      checksum.update(window.view(address + at, (int) Math.min(PIECE_BYTES, bytes - at)));
    }
  }

  /** The checksum of all bytes added so far. */
  public long value() {
    return checksum.getValue();
  }
}
