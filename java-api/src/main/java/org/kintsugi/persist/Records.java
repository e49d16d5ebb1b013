// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.kintsugi.persist.Entry.Kind;

/**
 * An entry as bytes, in files and in memory alike, little endian: magic (4), CRC-32C of bytes 8 to 47 (4), kind (4), dest (4),
 * tag (4), CRC-32C of the payload (4), number (8), sequence (8), length of the payload (8), the payload, zeros up to a multiple
 * of 8.
 */
final class Records {
  static final int HEADER_BYTES = 48;
  static final int LIVE = 0x4b524543; // "KREC"
  static final int DROPPED = 0x4b44454c; // "KDEL"

  private static final int CHECKED_FROM = 8;
  private static final Kind[] KINDS = Kind.values();

  private final CRC32C checksum = new CRC32C();
  private final ByteBuffer header = ByteBuffer.allocateDirect(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** Bytes of a record. */
  static long length(long payload) {
    return HEADER_BYTES + (payload + 7 & -8);
  }

  /** CRC-32C of a buffer from its position to its limit, which it leaves as they are. */
  int checksum(ByteBuffer bytes) {
    int position = bytes.position();
    checksum.reset();
    checksum.update(bytes);
    bytes.position(position);
    return (int) checksum.getValue();
  }

  /** The header of a record, valid until the next call. */
  ByteBuffer header(Entry entry, ByteBuffer payload) {
    int sum = checksum(payload);
    header.clear();
    header.putInt(0, LIVE);
    header.putInt(8, entry.kind().ordinal());
    header.putInt(12, entry.dest());
    header.putInt(16, entry.tag());
    header.putInt(20, sum);
    header.putLong(24, entry.number());
    header.putLong(32, entry.sequence());
    header.putLong(40, entry.bytes());
    header.position(CHECKED_FROM);
    int own = checksum(header);
    header.position(0);
    header.putInt(4, own);
    return header;
  }

  /** What a header of {@value #HEADER_BYTES} bytes from the position on says; null if it is none. */
  Entry parse(ByteBuffer bytes) {
    int at = bytes.position();
    int magic = bytes.getInt(at);
    int kind = bytes.getInt(at + 8);
    long length = bytes.getLong(at + 40);
    if (magic != LIVE && magic != DROPPED || kind < 0 || kind >= KINDS.length || length < 0) {
      return null;
    }
    int limit = bytes.limit();
    bytes.position(at + CHECKED_FROM).limit(at + HEADER_BYTES);
    int sum = checksum(bytes);
    bytes.limit(limit).position(at);
    if (sum != bytes.getInt(at + 4)) {
      return null;
    }
    return new Entry(bytes.getLong(at + 24), KINDS[kind], bytes.getInt(at + 12), bytes.getInt(at + 16), bytes.getLong(at + 32),
        length);
  }

  /** The payload's checksum as a header says. */
  static int payloadChecksum(ByteBuffer bytes) {
    return bytes.getInt(bytes.position() + 20);
  }

  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
